import type { View } from '../coverage/view.ts';
import { laneOf } from '../event/lane.ts';
import { chooseWindow, coverableTokens, type Reach, type WindowKey } from './choose-window.ts';
import { type KeptTail, keptTail, NEWEST_ONLY } from './kept-tail.ts';
import type { Plan } from './plan.ts';
import { backOffYields, type ProgressIn } from './progress.ts';

/** Tail retention's settings as planning needs them. Stored tokens throughout. */
export interface TailPolicy {
  readonly keep: KeptTail;
  /** Under this a window is not worth a summary. */
  readonly minimumTokens: number;
  /** The most a window takes; a larger backlog is drained oldest first. One exchange is never cut. */
  readonly maxWindowTokens: number;
}

/** How things stand when a tail is planned. */
export interface TailSituation {
  /** The request is over the hard limit: what is spared otherwise is covered, rather than the turn lost. */
  readonly pressure: boolean;
}

/**
 * The next window of tail retention: everything but the kept tail, a window at a time; whether to act is `tailTrigger`'s
 * question. Under pressure, what is spared is given up in this order: what was undone and what is still waited for, then
 * the kept tail but its newest exchange. `view` is of scope `reader`.
 */
export function planTail(
  view: View,
  policy: TailPolicy,
  progress: ProgressIn,
  situation: TailSituation,
): Plan {
  const { keep, minimumTokens, maxWindowTokens } = policy;
  const least = (key: WindowKey | null): number | null => {
    const lane = key === null ? { branch: '', isolation: view.lane.isolation } : laneOf(key.lane);
    const done = progress(lane, key === null);
    if (situation.pressure && backOffYields(done, view.invocationCount)) return minimumTokens;
    if (view.invocationCount < done.waitForInvocation) return null;
    return Math.max(minimumTokens, done.leastTokens);
  };
  const within = (reach: Reach): Plan =>
    chooseWindow(view, {
      strategy: 'token_threshold',
      reach,
      least,
      most: maxWindowTokens,
    });
  const usual = within(usualReach(view, keep));
  if (usual.kind === 'window' || !situation.pressure) return usual;
  const all = { undone: true, parked: true };
  const spared = within({ kept: keptTail(view.raw, keep), ...all });
  if (spared.kind === 'window') return spared;
  return within({ kept: keptTail(view.raw, NEWEST_ONLY), ...all });
}

/** Stored tokens beyond the kept tail that could be covered now without pressure: what growth is measured by. */
export function coverableTail(view: View, keep: KeptTail): number {
  return coverableTokens(view, usualReach(view, keep));
}

function usualReach(view: View, keep: KeptTail): Reach {
  return { kept: keptTail(view.raw, keep), undone: false, parked: false };
}
