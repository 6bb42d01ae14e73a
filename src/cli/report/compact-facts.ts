import type { VerifyReport } from '../../coverage/problem.ts';
import type { CompactionOutcome } from '../../engine/outcome.ts';
import type { ImportReport } from '../../logs/import-report.ts';
import type { SessionFacts } from '../session-facts.ts';

/** All that `compact` found and did. */
export interface CompactFacts {
  /** What was given: a path, or a session's id. */
  readonly source: string;
  /** Null when the session was in the store already. */
  readonly imported: ImportReport | null;
  readonly session: SessionFacts;
  readonly outcomes: readonly CompactionOutcome[];
  readonly verified: VerifyReport;
  /** Raw events that may be covered later: neither held back nor in the tail that is kept. */
  readonly waiting: number;
  /** Turns in a window, or null where one window took all. */
  readonly interval: number | null;
  /** Path of the store, or null when it was in memory and is gone. */
  readonly store: string | null;
}

/** What became of an attempt that a person should hear of. */
export interface Failure {
  readonly kind: 'busy' | 'declined' | 'failed' | 'discarded' | 'error';
  readonly reason: string;
}

/** Outcomes that are no success and not "nothing to do". */
export function failures(outcomes: readonly CompactionOutcome[]): readonly Failure[] {
  return outcomes.map(failureOf).filter((failure) => failure !== null);
}

function failureOf(outcome: CompactionOutcome): Failure | null {
  switch (outcome.kind) {
    case 'committed':
    case 'nothing':
      return null;
    case 'busy':
      return { kind: 'busy', reason: `another process compacts it now (${outcome.heldBy})` };
    case 'declined':
    case 'failed':
    case 'discarded':
    case 'error':
      return { kind: outcome.kind, reason: outcome.reason };
  }
}

/** Who compacts the session now, so that this run left it alone; null when nobody is. No failure. */
export function compactingNow(outcomes: readonly CompactionOutcome[]): string | null {
  return outcomes.find((outcome) => outcome.kind === 'busy')?.heldBy ?? null;
}

/** A failure for a person: in words where its reason is a code that has some. */
export function failureText({ kind, reason }: Failure): string {
  if (kind === 'busy') return reason;
  const words = WORDS.get(reason);
  return words === undefined ? `${kind}: ${reason}` : `${kind}: ${words} (${reason})`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['no_api_key', "the provider's API key is not in the environment"],
  ['unreachable', 'the provider could not be reached'],
  ['http_401', 'the provider does not take the API key'],
  ['http_404', 'the provider knows no such model'],
  ['http_429', 'the provider limits how often or how much it is asked'],
  ['timed_out', 'the summarizer did not answer in time'],
  ['threw', 'the summarizer threw an error'],
]);
