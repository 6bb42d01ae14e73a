import type { Lane } from '../event/lane.ts';
import { laneKey, sameLane } from '../event/lane.ts';
import type { Attempt } from './attempt.ts';

/** What earlier attempts at a lane mean for the next automatic one: at its windows, or at its merges. */
export interface Progress {
  /** No automatic attempt before the session has this many invocations. */
  readonly waitForInvocation: number;
  /** A window of fewer invocations was refused as not smaller than what it covers: the next takes at least this many. */
  readonly joinAtLeast: number;
  /** The same of a strategy that measures windows in tokens, and of merges: twice the tokens that would have left the prompt with the newest so refused. */
  readonly leastTokens: number;
  /** The session's invocations when an attempt last came to nothing; 0 where none has since the last commit. */
  readonly triedAt: number;
}

/** Nothing was tried, or all that was is forgotten. */
export const FRESH: Progress = Object.freeze({
  waitForInvocation: 0,
  joinAtLeast: 0,
  leastTokens: 0,
  triedAt: 0,
});

/** The progress of one lane, or of the root views of its isolation. */
export type ProgressIn = (lane: Lane, rootView: boolean) => Progress;

/** The reason of an attempt whose summary was not smaller than what it was to replace. */
export const NOT_SMALLER = 'not_smaller';
/** The reason of an attempt that was declined at once, without a call: its tenant has spent what it may in the period. */
export const OVER_ALLOWANCE = 'allowance';

/**
 * Reads the ledger of one lane, oldest first: what became of its windows. Merges of its summaries are another story, see
 * {@link mergeProgressIn}. After the k-th failure in a row the next automatic attempt waits for
 * 2^(k-1) later invocations; a window refused as not smaller is not a failure: it comes again with as many invocations
 * more. What was discarded because somebody was faster, or declined for want of allowance, counts for nothing.
 */
export function progressOf(attempts: readonly Attempt[], rootView: boolean): Progress {
  return toldBy(attempts.filter((attempt) => attempt.rootView === rootView && !isMerge(attempt)));
}

/** Reads the ledger of a whole session, oldest first: each lane backs off by itself. */
export function progressIn(attempts: readonly Attempt[]): ProgressIn {
  const byLane = Map.groupBy(attempts, (attempt) => laneKey(attempt.lane));
  return (lane, rootView) => progressOf(byLane.get(laneKey(lane)) ?? [], rootView);
}

/** The same of merges alone: a summarizer that cannot merge two summaries may well be able to write the next. */
export function mergeProgressIn(attempts: readonly Attempt[]): ProgressIn {
  const merges = attempts.filter(isMerge);
  return (lane, rootView) =>
    toldBy(merges.filter((attempt) => attempt.rootView === rootView && sameLane(attempt.lane, lane)));
}

function isMerge({ trigger }: Attempt): boolean {
  return trigger === 'roll_up';
}

function toldBy(attempts: readonly Attempt[]): Progress {
  let failures = 0;
  let newestFailure = 0;
  let joinAtLeast = 0;
  let leastTokens: number | undefined;
  let triedAt = 0;
  for (const attempt of attempts.toReversed()) {
    if (attempt.reason === OVER_ALLOWANCE) continue;
    if (attempt.state === 'committed') break;
    if (attempt.reason === NOT_SMALLER) {
      joinAtLeast = Math.max(joinAtLeast, attempt.window.invocations * 2);
      leastTokens ??= attempt.window.tokens * 2;
    } else if (attempt.state === 'failed' || attempt.state === 'declined') {
      if (failures === 0) newestFailure = attempt.invocationCount;
      failures += 1;
    } else continue;
    triedAt = Math.max(triedAt, attempt.invocationCount);
  }
  const wait = failures === 0 ? 0 : newestFailure + 2 ** Math.min(failures - 1, 30);
  return { waitForInvocation: wait, joinAtLeast, leastTokens: leastTokens ?? 0, triedAt };
}

/**
 * Whether a lane that waits after failures may be tried all the same, where the alternative is `ContextLimitError`: once
 * a turn, so as long as nothing has come to nothing since the newest invocation began.
 */
export function backOffYields(progress: Progress, invocationCount: number): boolean {
  return invocationCount > progress.triedAt;
}
