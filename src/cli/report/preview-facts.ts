import type { Preview } from '../../engine/preview.ts';
import type { ImportReport } from '../../logs/import-report.ts';
import type { SessionInfo } from '../../store/session-store.ts';

/** All that `compact --dry-run` found. */
export interface PreviewFacts {
  /** What was given: a path, or a session's id. */
  readonly source: string;
  /** Null when the session is in a store. */
  readonly imported: ImportReport | null;
  readonly info: SessionInfo;
  readonly preview: Preview;
}
