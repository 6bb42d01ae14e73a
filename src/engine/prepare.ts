import { ContextLimitError } from '../event/errors.ts';
import { isOverLimit } from '../plan/tail-trigger.ts';
import { uncoverableOf } from '../plan/uncoverable.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import type { Surroundings } from './attempt-window.ts';
import type { Moment } from './moment.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { Prepared } from './session.ts';

/**
 * The request of a moment: what is too large in it is shown by head and tail, if that is what it takes to fit. Throws
 * `ContextLimitError` where nothing does.
 */
export function requestOf(
  moment: Moment,
  outcomes: readonly CompactionOutcome[],
  { store, policy }: Pick<Surroundings, 'store' | 'policy'>,
): Prepared {
  const { view, reader, size } = moment;
  const { inputLimit, minimumTokens } = policy;
  if (inputLimit === null || !moment.over) {
    return Object.freeze({ prompt: moment.prompt, outcomes, size });
  }
  const prompt = assemblePrompt(view, reader, store.counter);
  const storedTokens = prompt.accounting.promptTokens;
  const promptTokens = size.promptTokens - Math.floor((size.storedTokens - storedTokens) * size.ratio);
  if (isOverLimit(promptTokens, inputLimit)) {
    const measurement = { inputTokens: promptTokens, inputLimit, quality: store.counter.quality };
    throw new ContextLimitError(measurement, uncoverableOf(view, minimumTokens), causeOf(outcomes));
  }
  return Object.freeze({ prompt, outcomes, size: { ...size, promptTokens, storedTokens } });
}

/** Why the last attempt did not help. */
function causeOf(outcomes: readonly CompactionOutcome[]): { readonly cause?: unknown } {
  const last = outcomes.at(-1);
  return last !== undefined && 'cause' in last ? { cause: last.cause } : {};
}
