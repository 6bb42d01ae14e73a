import type { View } from '../coverage/view.ts';
import { sees } from '../event/lane.ts';
import type { Attempt } from './attempt.ts';
import { OVER_ALLOWANCE } from './progress.ts';
import type { PromptSignal } from './signal.ts';

/** When tail retention acts, as checked: by the size of the request, or by how much has gathered beyond the kept tail. */
export type TailThreshold =
  | {
      readonly kind: 'size';
      /** Acts from this many tokens on, in the provider's. */
      readonly triggerTokens: number;
      /** A compaction that leaves the request at this or more is not followed by the next until as much has gathered as lies between the two. */
      readonly rearmBelowTokens: number;
    }
  | {
      readonly kind: 'growth';
      /** Acts from this many stored tokens beyond the kept tail on. */
      readonly growthTokens: number;
    };

/** How things stand before a model call. */
export interface TailMoment {
  readonly signal: Pick<PromptSignal, 'promptTokens' | 'ratio'>;
  /** Most tokens the request may take; null where nobody said. */
  readonly inputLimit: number | null;
  /** Stored tokens that could be covered now; `coverableTail`. */
  readonly coverableTokens: number;
  /** Stored tokens under which a window is not worth a summary. */
  readonly minimumTokens: number;
  /** The request's size right after the newest attempt; {@link promptAfterLast}. Null where there is none to judge by. */
  readonly afterLast: number | null;
  /** Whether the provider's cache of this prompt has gone cold: a compaction breaks nothing then. */
  readonly cacheIsCold: boolean;
}

/** What to do before a model call. */
export type TailDecision = 'act' | 'below_trigger' | 'not_enough';

/** Of what is waited for while re-reading it is cheap, the part that is worth covering when nothing is cached. */
const COLD_PART = 1 / 5;

/** Whether a request is over its hard limit, where compacting is the alternative to losing the turn. */
export function isOverLimit(promptTokens: number, inputLimit: number | null): boolean {
  return inputLimit !== null && promptTokens > inputLimit;
}

/**
 * Whether tail retention acts now. Over the hard limit it always does. By size it never acts under the trigger, and
 * while the newest attempt left the request at `rearmBelowTokens` or more, only once as much as lies between the two
 * could be covered: a prefix that is over the trigger by itself does not set off a compaction a call.
 */
export function tailTrigger(threshold: TailThreshold, moment: TailMoment): TailDecision {
  const { signal, coverableTokens, minimumTokens } = moment;
  if (isOverLimit(signal.promptTokens, moment.inputLimit)) return 'act';
  switch (threshold.kind) {
    case 'size': {
      const { triggerTokens, rearmBelowTokens } = threshold;
      if (!(signal.promptTokens >= triggerTokens)) return 'below_trigger';
      if (coverableTokens < minimumTokens) return 'not_enough';
      const latched = moment.afterLast !== null && moment.afterLast >= rearmBelowTokens;
      const enough = coverableTokens * signal.ratio >= triggerTokens - rearmBelowTokens;
      return latched && !enough ? 'not_enough' : 'act';
    }
    case 'growth': {
      const { growthTokens } = threshold;
      if (coverableTokens < (moment.cacheIsCold ? growthTokens * COLD_PART : growthTokens))
        return 'below_trigger';
      return coverableTokens < minimumTokens ? 'not_enough' : 'act';
    }
    default:
      return threshold satisfies never;
  }
}

/**
 * How large this reader's request was right after the newest attempt of tail retention, in the provider's tokens: of
 * one that failed or was declined, as large as before; of one that committed, what the request is now without what came
 * since. What was declined for want of allowance was not tried. Null where there is none, or its record has been replaced
 * since: the request is another one.
 */
export function promptAfterLast(
  view: View,
  agent: string,
  signal: PromptSignal,
  attempts: readonly Attempt[],
): number | null {
  const last = attempts.findLast(
    (attempt) =>
      attempt.trigger === 'token_threshold' &&
      attempt.reason !== OVER_ALLOWANCE &&
      (attempt.state === 'committed' || attempt.state === 'failed' || attempt.state === 'declined') &&
      (agent === '' || attempt.measured === undefined || attempt.measured.agent === agent) &&
      sees(view.lane, attempt.lane),
  );
  if (last === undefined) return null;
  if (last.state !== 'committed') return last.measured?.promptTokens ?? null;
  const live = view.records.find(({ record }) => record.id === last.record);
  if (live === undefined) return null;
  let since = 0;
  for (const { event } of view.raw) if (event.seq > live.record.basis.throughSeq) since += event.tokens;
  return Math.max(0, signal.storedTokens - since) * signal.ratio + signal.overhead;
}
