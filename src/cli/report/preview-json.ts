import type { Span } from '../../coverage/span.ts';
import type { Lane } from '../../event/lane.ts';
import { type Failure, failures } from './compact-facts.ts';
import { countFate, literalGroups } from './literal-groups.ts';
import type { PreviewFacts } from './preview-facts.ts';

/** What `compact --dry-run --json` prints. The names are a contract; more may be added. */
export interface PreviewJson {
  readonly dryRun: true;
  readonly session: string;
  readonly events: number;
  readonly windows: readonly {
    readonly lane: Lane;
    readonly spans: readonly Span[];
    readonly events: number;
    readonly tokens: { readonly covered: number; readonly summary: number };
    /** `found = prose + carried + dropped`, of the 100 most important. */
    readonly literals: {
      readonly found: number;
      readonly prose: number;
      readonly carried: Readonly<Record<string, readonly string[]>>;
      readonly dropped: Readonly<Record<string, readonly string[]>>;
    };
  }[];
  /** Of the main conversation: all of it raw, and the prompt that would stand in for it. */
  readonly tokens: { readonly before: number; readonly after: number };
  readonly attempts: { readonly wouldCommit: number; readonly others: readonly Failure[] };
}

/** The object `compact --dry-run --json` prints. */
export function previewJson({ info, preview }: PreviewFacts): PreviewJson {
  const { accounting } = preview.prompt;
  return {
    dryRun: true,
    session: info.key.session,
    events: info.events,
    windows: preview.windows.map(({ record, literals }) => ({
      lane: record.lane,
      spans: record.spans,
      events: record.events,
      tokens: record.tokens,
      literals: {
        found: literals.length,
        prose: countFate(literals, 'prose'),
        carried: Object.fromEntries(literalGroups(literals, 'carried')),
        dropped: Object.fromEntries(literalGroups(literals, 'dropped')),
      },
    })),
    tokens: { before: accounting.total.tokens, after: accounting.promptTokens },
    attempts: { wouldCommit: preview.windows.length, others: failures(preview.outcomes) },
  };
}
