import type { View } from '../coverage/view.ts';
import { ContextLimitError, type Uncoverable } from '../event/errors.ts';
import { OVER_ALLOWANCE } from '../plan/progress.ts';
import { isOverLimit } from '../plan/tail-trigger.ts';
import { uncoverableOf } from '../plan/uncoverable.ts';
import type { Surroundings } from './attempt-window.ts';
import type { Moment } from './moment.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { Prepared } from './session.ts';

/**
 * What a moment is answered with. Throws `ContextLimitError` where the request does not fit, whatever is cut, by this
 * store's own counts. Where only what usage taught says so, the request is let through: usage comes from outside, and one
 * report that was too high would refuse every later request, so that no better one could ever come. The provider has the
 * last word then.
 */
export function requestOf(
  { view, prompt, size }: Moment,
  outcomes: readonly CompactionOutcome[],
  { store, policy }: Pick<Surroundings, 'store' | 'policy'>,
): Prepared {
  const { inputLimit, minimumTokens, overheadTokens } = policy;
  const counted = size.storedTokens + overheadTokens;
  if (inputLimit !== null && isOverLimit(Math.min(size.promptTokens, counted), inputLimit)) {
    const measurement = { inputTokens: size.promptTokens, inputLimit, quality: store.counter.quality };
    throw new ContextLimitError(measurement, uncoverable(view, minimumTokens, outcomes), causeOf(outcomes));
  }
  return Object.freeze({ prompt, outcomes, size });
}

/** Why the last attempt did not help. */
function causeOf(outcomes: readonly CompactionOutcome[]): { readonly cause?: unknown } {
  const last = outcomes.at(-1);
  return last !== undefined && 'cause' in last ? { cause: last.cause } : {};
}

/** What stands in the way; where it could be covered but for a spent allowance, that. */
function uncoverable(
  view: View,
  minimumTokens: number,
  outcomes: readonly CompactionOutcome[],
): readonly Uncoverable[] {
  const spent = outcomes.some((outcome) => outcome.kind === 'declined' && outcome.reason === OVER_ALLOWANCE);
  const named = uncoverableOf(view, minimumTokens);
  return spent ? named.map((each) => (each.why === 'failed' ? { ...each, why: 'allowance' } : each)) : named;
}
