import type { Usage } from '../event/event.ts';
import type { Summarizer, SummaryRequest } from './summarizer.ts';
import { readUsage } from './usage.ts';

/** Starts a timer and returns what stops it. Injected, so that tests need not wait. */
export type SetTimer = (callback: () => void, milliseconds: number) => () => void;

/** What a call is bounded by. */
export interface CallOptions {
  /** How long the call may take. */
  readonly deadlineMilliseconds: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Missing: the process's timers. */
  readonly setTimer?: SetTimer | undefined;
}

/** How a call came to nothing. */
export type CallFailure = 'threw' | 'timed_out' | 'aborted';

/** What became of a call. `result` is as untrusted as what gave it; `cause` may carry text of the conversation. */
export type CallOutcome =
  | { readonly result: unknown }
  | { readonly failure: CallFailure; readonly cause: unknown; readonly usage?: Usage };

/** The longest a timer of the platform can wait. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The process's timers. */
export const platformTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
  return () => clearTimeout(timer);
};

/**
 * Runs one call of a summarizer and always settles, by the deadline at the latest: whether it never settles, throws at
 * once, throws what is no error, or returns no promise. Its signal is aborted at the deadline and when `signal` is; what
 * it gives after that is ignored. Never rejects.
 */
export function callSummarizer(
  summarizer: Summarizer,
  request: SummaryRequest,
  options: CallOptions,
): Promise<CallOutcome> {
  const { signal, deadlineMilliseconds, setTimer = platformTimer } = options;
  if (signal?.aborted === true) return Promise.resolve({ failure: 'aborted', cause: signal.reason });
  return new Promise((resolve) => {
    const controller = new AbortController();
    const settle = (outcome: CallOutcome): void => {
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    // The fate is settled here: what the summarizer makes of the abort comes too late to count.
    const stop = (failure: CallFailure, cause: unknown): void => {
      settle({ failure, cause });
      controller.abort(cause);
    };
    const onAbort = (): void => stop('aborted', signal?.reason);
    const stopTimer = setTimer(
      () => stop('timed_out', new DOMException('the summarizer did not answer in time', 'TimeoutError')),
      deadlineMilliseconds,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    start(summarizer, request, controller.signal).then(
      (result) => settle({ result }),
      (cause: unknown) => settle(threw(cause)),
    );
  });
}

async function start(summarizer: Summarizer, request: SummaryRequest, signal: AbortSignal): Promise<unknown> {
  return summarizer.summarize(request, Object.freeze({ signal }));
}

function threw(cause: unknown): CallOutcome {
  const usage = usageOf(cause);
  return usage === undefined ? { failure: 'threw', cause } : { failure: 'threw', cause, usage };
}

/** What a failed call cost, when its error says so. */
function usageOf(error: unknown): Usage | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    const usage = readUsage(Reflect.get(error, 'usage'));
    return usage === 'malformed' ? undefined : usage;
  } catch {
    return undefined;
  }
}
