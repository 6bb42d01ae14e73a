import type { View } from '../coverage/view.ts';
import type { Reader } from '../event/lane.ts';
import type { Attempt } from '../plan/attempt.ts';
import { learnedGrowth } from '../plan/growth.ts';
import { newestMeasured, type PromptSignal, promptSignal } from '../plan/signal.ts';
import { coverableTail } from '../plan/tail.ts';
import {
  isOverLimit,
  promptAfterLast,
  type TailDecision,
  type TailThreshold,
  tailTrigger,
} from '../plan/tail-trigger.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { CheckedPolicy } from './policy.ts';

type CheckedTail = NonNullable<CheckedPolicy['tail']>;

/** What is known of a reader's next request. */
export interface MomentFacts {
  readonly reader: Reader;
  /** Of scope `reader`, in the reader's lane. */
  readonly view: View;
  /** The newest of the session's ledger, oldest first. */
  readonly attempts: readonly Attempt[];
  readonly cacheIsCold: boolean;
}

/** A reader's next request at one moment, and whether it is due to be made smaller. */
export interface Moment extends MomentFacts {
  /** As it would be sent, were there no limit. */
  readonly prompt: Prompt;
  readonly size: PromptSignal;
  /** Over what the model can take. */
  readonly over: boolean;
  readonly decision: TailDecision;
}

/** Measures a request and decides. Pure. */
export function momentOf(facts: MomentFacts, counter: TokenCounter, policy: CheckedPolicy): Moment {
  const { view, reader, attempts, cacheIsCold } = facts;
  const prompt = assemblePrompt(view, reader, counter);
  const size = promptSignal({
    view,
    agent: reader.agent,
    storedTokens: prompt.accounting.promptTokens,
    overheadTokens: policy.overheadTokens,
    learned: newestMeasured(view, reader.agent, attempts),
  });
  const { tail, inputLimit, minimumTokens } = policy;
  const over = isOverLimit(size.promptTokens, inputLimit);
  const moment = { ...facts, prompt, size, over };
  if (tail === null) return { ...moment, decision: over ? 'act' : 'below_trigger' };
  const decision = tailTrigger(thresholdOf(tail, view, size, inputLimit), {
    signal: size,
    inputLimit,
    coverableTokens: coverableTail(view, tail.keep),
    minimumTokens,
    afterLast: promptAfterLast(view, reader.agent, size, attempts),
    cacheIsCold,
  });
  return { ...moment, decision };
}

function thresholdOf(
  { trigger, keep }: CheckedTail,
  view: View,
  { overhead, ratio }: PromptSignal,
  inputLimit: number | null,
): TailThreshold {
  if (trigger.kind === 'size') return trigger;
  const { kind, growthTokens } = trigger;
  if (growthTokens !== 'learned') return { kind, growthTokens };
  const roomTokens = inputLimit === null ? null : Math.floor((inputLimit - overhead) / ratio);
  return { kind, growthTokens: learnedGrowth(view, { keep, roomTokens }) };
}
