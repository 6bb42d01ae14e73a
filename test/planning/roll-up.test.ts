import { describe, expect, it } from 'vitest';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { planRollUp, type RollUpPolicy, withRollUp } from '../../src/plan/roll-up.ts';
import { fewestRewrites, RollUpModel, worstOf } from './roll-up-model.ts';

/** Windows of the root lane one after the other, and after each what roll-up plans until it plans nothing. */
function play(windows: number, policy: RollUpPolicy, atOnce: boolean): RollUpModel {
  const model = new RollUpModel();
  for (let seq = 1; seq <= windows; seq += 1) {
    const plan = model.window(ROOT_LANE, seq);
    model.commit(atOnce ? withRollUp(plan, model.view(ROOT_LANE, 'reader'), policy, []) : plan);
    for (;;) {
      const merge = planRollUp(model.view(ROOT_LANE, 'reader'), policy, []);
      if (merge.kind === 'nothing') break;
      model.commit(merge);
    }
    expect(model.live().length).toBeLessThanOrEqual(policy.maxLive);
  }
  return model;
}

describe('planRollUp', () => {
  it.for([1, 2, 3, 4, 8, 12, 16])(
    'keeps %i live and rewrites no window more often than that allows',
    (maxLive) => {
      const policy = { maxLive, maxSummariesTokens: null };
      const allowed = fewestRewrites(maxLive, 400);
      expect(worstOf(play(400, policy, false).live())).toBeLessThanOrEqual(allowed);
      // A window and the merge it sets off are one call.
      const atOnce = play(400, policy, true);
      expect(worstOf(atOnce.live())).toBeLessThanOrEqual(allowed);
      expect(atOnce.merges).toBe(0);
    },
  );
});
