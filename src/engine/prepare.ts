import { ContextLimitError } from '../event/errors.ts';
import { isOverLimit } from '../plan/tail-trigger.ts';
import { uncoverableOf } from '../plan/uncoverable.ts';
import type { Surroundings } from './attempt-window.ts';
import type { Moment } from './moment.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { Prepared } from './session.ts';

/** What a moment is answered with. Throws `ContextLimitError` where the request does not fit, whatever is cut. */
export function requestOf(
  { view, prompt, size }: Moment,
  outcomes: readonly CompactionOutcome[],
  { store, policy }: Pick<Surroundings, 'store' | 'policy'>,
): Prepared {
  const { inputLimit, minimumTokens } = policy;
  if (inputLimit !== null && isOverLimit(size.promptTokens, inputLimit)) {
    const measurement = { inputTokens: size.promptTokens, inputLimit, quality: store.counter.quality };
    throw new ContextLimitError(measurement, uncoverableOf(view, minimumTokens), causeOf(outcomes));
  }
  return Object.freeze({ prompt, outcomes, size });
}

/** Why the last attempt did not help. */
function causeOf(outcomes: readonly CompactionOutcome[]): { readonly cause?: unknown } {
  const last = outcomes.at(-1);
  return last !== undefined && 'cause' in last ? { cause: last.cause } : {};
}
