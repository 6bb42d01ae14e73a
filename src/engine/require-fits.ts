import { SummaryTooLargeError } from '../event/errors.ts';
import type { SessionKey } from '../event/ids.ts';
import { coverableBeyond } from '../plan/coverable-beyond.ts';
import type { Window } from '../plan/plan.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import type { CompactionStore } from './attempt-window.ts';
import type { CheckedPolicy } from './policy.ts';

/**
 * Measures the prompt of the window's lane with the candidate in place, before it is committed. Over the policy's limit
 * with nothing left that could be covered, throws `SummaryTooLargeError`: the summary would not make the request fit, so
 * the request stays as it is. While more can be covered, this window is one step of several.
 */
export async function requireFits(
  key: SessionKey,
  window: Window,
  tokens: { readonly leaves: number; readonly enters: number },
  store: CompactionStore,
  policy: CheckedPolicy,
): Promise<void> {
  const { promptLimitTokens, minimumTokens } = policy;
  if (promptLimitTokens === null) return;
  const view = await store.view(key, window.lane, 'reader');
  const before = assemblePrompt(view, { agent: '', lane: window.lane }, store.counter).accounting
    .promptTokens;
  const inputTokens = before - tokens.leaves + tokens.enters;
  if (inputTokens <= promptLimitTokens || coverableBeyond(view, window) >= minimumTokens) return;
  throw new SummaryTooLargeError({
    inputTokens,
    inputLimit: promptLimitTokens,
    quality: store.counter.quality,
  });
}
