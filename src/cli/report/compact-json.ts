import type { Problem } from '../../coverage/problem.ts';
import type { LineCounts, LogFormat } from '../../logs/import-report.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { type CompactFacts, compactingNow, type Failure, failures } from './compact-facts.ts';

/** What `compact --json` prints. The names are a contract; more may be added. */
export interface CompactJson {
  /** Null, as `lines` is, when the session was in the store already. */
  readonly format: LogFormat | null;
  readonly session: string;
  /** Path of the store, or null when nothing was kept. */
  readonly store: string | null;
  /** `asEvents + merged + the skipped = total`. */
  readonly lines: LineCounts | null;
  readonly notes: readonly string[];
  /** Events stored by this run, and events stored before. */
  readonly stored: number;
  readonly known: number;
  /** Over all lanes: `covered + raw = events`. What is recovered is counted as covered. */
  readonly events: number;
  readonly records: number;
  readonly covered: number;
  readonly raw: number;
  readonly recovered: number;
  /** Raw events that may not be covered now, by reason. */
  readonly heldBack: Readonly<Record<string, number>>;
  readonly lanes: readonly {
    readonly branch: string;
    readonly isolation: string;
    readonly events: number;
    readonly tokens: number;
  }[];
  /** Of the main conversation: all of it raw, and the prompt that stands in for it. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Of the most important exact values of what each summary in the prompt covers (100 of each at most): how many there are, and how many its prose or its list keeps. */
  readonly literals: { readonly found: number; readonly kept: number };
  readonly attempts: {
    readonly committed: number;
    readonly others: readonly Failure[];
    /** Who compacts the session now, or null. */
    readonly busy: string | null;
  };
  readonly verified: boolean;
  readonly problems: readonly Problem[];
}

/** The object `compact --json` prints. */
export function compactJson(facts: CompactFacts): CompactJson {
  const { imported, session, verified, outcomes } = facts;
  const { info, prompt } = session;
  return {
    format: imported?.format ?? null,
    session: info.key.session,
    store: facts.store,
    lines: imported?.lines ?? null,
    notes: imported?.notes ?? [],
    stored: imported?.stored ?? 0,
    known: imported?.known ?? info.events,
    events: info.events,
    records: info.records,
    covered: session.covered,
    raw: session.raw,
    recovered: session.recovered,
    heldBack: Object.fromEntries(session.held.map(({ reason, seqs }) => [reason, seqs.length])),
    lanes: info.lanes.map(({ lane, events, tokens }) => ({ ...lane, events, tokens })),
    tokens: { before: prompt.accounting.total.tokens, after: prompt.accounting.promptTokens },
    literals: literalsKept(prompt),
    attempts: {
      committed: outcomes.filter((outcome) => outcome.kind === 'committed').length,
      others: failures(outcomes),
      busy: compactingNow(outcomes),
    },
    verified: verified.ok,
    problems: verified.problems,
  };
}

function literalsKept({ entries }: Prompt): CompactJson['literals'] {
  let found = 0;
  let kept = 0;
  for (const entry of entries) {
    if (entry.kind !== 'summary') continue;
    found += entry.record.literals.found;
    kept += entry.record.literals.kept;
  }
  return { found, kept };
}
