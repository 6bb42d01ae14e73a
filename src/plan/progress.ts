import type { Attempt } from './attempt.ts';

/** What earlier attempts at a lane mean for the next automatic one. */
export interface Progress {
  /** No automatic attempt before the session has this many invocations. */
  readonly waitForInvocation: number;
  /** A window of fewer invocations was refused as not smaller than what it covers: the next takes at least this many. */
  readonly joinAtLeast: number;
}

/** The reason of an attempt whose summary was not smaller than what it was to replace. */
export const NOT_SMALLER = 'not_smaller';

/**
 * Reads the ledger of one lane, oldest first. After the k-th failure in a row the next automatic attempt waits for
 * 2^(k-1) later invocations; a window refused as not smaller is not a failure: it comes again with as many invocations
 * more. What was discarded because somebody was faster counts for nothing.
 */
export function progressOf(attempts: readonly Attempt[], rootView: boolean): Progress {
  let failures = 0;
  let newestFailure = 0;
  let joinAtLeast = 0;
  for (const attempt of attempts.toReversed()) {
    if (attempt.rootView !== rootView) continue;
    if (attempt.state === 'committed') break;
    if (attempt.reason === NOT_SMALLER) {
      joinAtLeast = Math.max(joinAtLeast, attempt.window.invocations * 2);
    } else if (attempt.state === 'failed' || attempt.state === 'declined') {
      if (failures === 0) newestFailure = attempt.invocationCount;
      failures += 1;
    }
  }
  const wait = failures === 0 ? 0 : newestFailure + 2 ** Math.min(failures - 1, 30);
  return { waitForInvocation: wait, joinAtLeast };
}
