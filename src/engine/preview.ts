import type { CompactionRecord } from '../coverage/record.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { gatherLiterals } from '../summary/literals/gather-literals.ts';
import { type LiteralFate, literalFates } from '../summary/literals/literal-fates.ts';
import { sourceEvents } from '../summary/snapshot.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { MadeRecord } from './preview-store.ts';

/** What one window would become. */
export interface PreviewedWindow {
  /** The record as it would be stored, but for its id, nonce and time. */
  readonly record: CompactionRecord;
  /** The 100 most important exact values of what it covers, most important first, and where the summary has each. */
  readonly literals: readonly LiteralFate[];
}

/** What a compaction would do. Nothing of it is stored. */
export interface Preview {
  /** As `compact` would give them. */
  readonly outcomes: readonly CompactionOutcome[];
  /** One for each outcome that would be committed, in their order. */
  readonly windows: readonly PreviewedWindow[];
  /** The reader's next prompt after it. */
  readonly prompt: Prompt;
}

/** What becomes of the literals of a record that was made. */
export async function previewedWindow({ record, events, previous }: MadeRecord): Promise<PreviewedWindow> {
  const found = await gatherLiterals(
    sourceEvents(events, new Map()),
    previous.map(({ summary }) => summary),
  );
  return Object.freeze({ record, literals: literalFates(found, record.summary) });
}
