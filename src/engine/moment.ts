import type { View } from '../coverage/view.ts';
import type { Seq } from '../event/ids.ts';
import type { Reader } from '../event/lane.ts';
import type { Attempt } from '../plan/attempt.ts';
import { learnedGrowth } from '../plan/growth.ts';
import { heldBackView } from '../plan/held-back.ts';
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
import type { EventEntry, Prompt } from '../prompt/prompt.ts';
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
  /** As it would be sent now: where it takes that to fit, what is too large in it is shown by head and tail. */
  readonly prompt: Prompt;
  /** Of the complete request, as it would be sent. */
  readonly size: PromptSignal;
  /** Over what the model can take, unless more than giants is cut, and not over it whatever is covered. */
  readonly over: boolean;
  readonly decision: TailDecision;
}

/** What takes more of the limit than this is a giant: showing it cut is right, whatever else could be covered. */
const GIANT_SHARE = 1 / 8;

/** Measures a request and decides. Pure. */
export function momentOf(facts: MomentFacts, counter: TokenCounter, policy: CheckedPolicy): Moment {
  const { view, reader, attempts, cacheIsCold } = facts;
  const { seen, ...shown } = shownIn(facts, counter, policy);
  const { tail, inputLimit, minimumTokens } = policy;
  if (tail === null) return { ...facts, ...shown, decision: shown.over ? 'act' : 'below_trigger' };
  const decision = tailTrigger(thresholdOf(tail, seen, shown.size, inputLimit), {
    signal: shown.size,
    inputLimit: shown.over ? inputLimit : null,
    coverableTokens: coverableTail(view, tail.keep),
    minimumTokens,
    afterLast: promptAfterLast(view, reader.agent, shown.size, attempts),
    cacheIsCold,
  });
  return { ...facts, ...shown, decision };
}

/** The prompt as it would be sent, its size, and the view with what is cut as large as it is shown. */
function shownIn(
  facts: MomentFacts,
  counter: TokenCounter,
  { inputLimit, overheadTokens, rollUp }: CheckedPolicy,
): Pick<Moment, 'prompt' | 'size' | 'over'> & { readonly seen: View } {
  const { view, reader, attempts } = facts;
  const sizeOf = (of: View, { accounting }: Prompt): PromptSignal =>
    promptSignal({
      view: of,
      agent: reader.agent,
      storedTokens: accounting.promptTokens,
      overheadTokens,
      inputLimit,
      learned: newestMeasured(view, reader.agent, attempts),
    });
  const whole = assemblePrompt(view, reader, counter);
  const size = sizeOf(view, whole);
  if (inputLimit === null || !isOverLimit(size.promptTokens, inputLimit))
    return { prompt: whole, size, over: false, seen: view };
  const room = size.storedTokens - Math.ceil((size.promptTokens - inputLimit) / size.ratio);
  const prompt = assemblePrompt(view, reader, counter, Math.max(0, room));
  const cut = new Map<Seq, EventEntry>();
  for (const entry of prompt.entries)
    if (entry.kind === 'event' && entry.cut !== null) cut.set(entry.event.seq, entry);
  // What came after a report is measured as it is shown, too.
  const seen: View = {
    ...view,
    raw: view.raw.map((row) => ({ ...row, event: cut.get(row.event.seq)?.event ?? row.event })),
    recovered: view.recovered.map((row) => ({ ...row, event: cut.get(row.event.seq)?.event ?? row.event })),
  };
  const asShown = sizeOf(seen, prompt);
  // Cutting does not help, and only what usage taught says that it is over: sent as it is, so that a report of it counts.
  if (
    isOverLimit(asShown.promptTokens, inputLimit) &&
    !isOverLimit(size.storedTokens + overheadTokens, inputLimit)
  )
    return { prompt: whole, size, over: true, seen: view };
  const canFit = (): boolean => {
    const held = assemblePrompt({ ...heldBackView(view), records: [] }, reader, counter, 0);
    const least = held.accounting.promptTokens + leastSummaries(view, rollUp);
    return !isOverLimit(Math.min(least * size.ratio + size.overhead, least + overheadTokens), inputLimit);
  };
  const giant = ((inputLimit - size.overhead) / size.ratio) * GIANT_SHARE;
  const onlyGiants = [...cut.values()].every(
    ({ event, cut: not }) => event.tokens + (not?.tokens ?? 0) > giant,
  );
  const over = !onlyGiants || isOverLimit(asShown.promptTokens, inputLimit);
  return { prompt, size: asShown, over: over && canFit(), seen };
}

/** Of a summary of little: its text, and its frame. */
const LEAST_SUMMARY = 220;

/** What summaries take once one more is made and they are rolled up. */
function leastSummaries({ records }: View, rollUp: CheckedPolicy['rollUp']): number {
  const now = records.reduce((sum, { record }) => sum + record.tokens.summary, 0);
  return Math.min(now, rollUp?.maxSummariesTokens ?? now) + LEAST_SUMMARY;
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
