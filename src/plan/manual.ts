import type { View } from '../coverage/view.ts';
import { chooseWindow, windowKey } from './choose-window.ts';
import { type KeptTail, keptTail } from './kept-tail.ts';
import type { Plan } from './plan.ts';

/** What a manual compaction covers. */
export interface ManualPolicy {
  readonly keep: KeptTail;
  /** Stored tokens under which a window is not worth a summary. */
  readonly minimumTokens: number;
}

/** Windows that were tried in this run and are not tried again: lanes by `windowKey`, and root views. */
export interface Tried {
  readonly lanes: ReadonlySet<string>;
  readonly rootView: boolean;
}

/**
 * The next window of "cover all that can be covered now": of the lane with the most to cover, until none has enough;
 * then, at the root branch, one root view over what is left in small pieces across lanes. `view` is of scope `reader`.
 */
export function planManual(view: View, policy: ManualPolicy, tried: Tried): Plan {
  return chooseWindow(view, {
    strategy: 'manual',
    // A person asks for it: what was undone is covered again.
    reach: { kept: keptTail(view.raw, policy.keep), undone: true, parked: false },
    least: (key) => {
      const isTried = key === null ? tried.rootView : tried.lanes.has(windowKey(key));
      return isTried ? Number.POSITIVE_INFINITY : policy.minimumTokens;
    },
    most: Number.POSITIVE_INFINITY,
  });
}
