import { describe, expect, it } from 'vitest';
import type { View } from '../../src/coverage/view.ts';
import type { RecordId } from '../../src/event/ids.ts';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import type { Attempt } from '../../src/plan/attempt.ts';
import type { Plan, Window } from '../../src/plan/plan.ts';
import { planRollUp, type RollUpPolicy, withRollUp } from '../../src/plan/roll-up.ts';
import { RollUpModel } from './roll-up-model.ts';

const LEFT: Lane = { branch: 'left', isolation: '' };
const RIGHT: Lane = { branch: 'right', isolation: '' };

function most(maxLive: number, maxSummariesTokens: number | null = null): RollUpPolicy {
  return { maxLive, maxSummariesTokens };
}

function windowOf(plan: Plan): Window {
  if (plan.kind === 'nothing') throw new Error(plan.reason);
  return plan.window;
}

/** What a plan merges, by the first seqs of the summaries it shows. */
function merged(plan: Plan): readonly number[] | string {
  return plan.kind === 'nothing' ? plan.reason : plan.window.summaries.map(({ firstSeq }) => firstSeq);
}

/** A model in which each lane of the list had the window of the seq that is its place, from 1. */
function modelOf(...lanes: readonly Lane[]): RollUpModel {
  const model = new RollUpModel();
  for (const [at, lane] of lanes.entries()) model.commit(model.window([{ seq: at + 1, lane }]));
  return model;
}

/** An attempt as the ledger tells of it. */
function attempt(plan: Plan, more: Partial<Attempt>): Attempt {
  const { lane, rootView, summaries, tokens } = windowOf(plan);
  return {
    lane,
    rootView,
    trigger: plan.kind === 'window' ? plan.strategy : 'roll_up',
    window: {
      spans: [],
      events: 0,
      tokens: summaries.reduce((sum, { record }) => sum + record.tokens.summary, tokens),
      invocations: 0,
    },
    state: 'failed',
    startedAt: '',
    invocationCount: 1,
    ...more,
  } as Attempt;
}

function atRoot(model: RollUpModel): Plan {
  return planRollUp(model.view(ROOT_LANE, 'reader'), most(1), []);
}

describe('planRollUp', () => {
  it('does nothing while no more are live than may be', () => {
    const model = modelOf(ROOT_LANE, ROOT_LANE, ROOT_LANE);
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []))).toBe('below_trigger');
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(2), []))).toEqual([1, 2, 3]);
  });

  it('merges a run of one lane into a record of that lane, planned from its revision and made of no event', () => {
    const model = modelOf(LEFT, LEFT, LEFT);
    const view = model.view(ROOT_LANE, 'reader');
    const lanes = new Map([...view.lanes].map(([key, facts]) => [key, { ...facts, revision: 23 }]));
    const plan = planRollUp({ ...view, lanes }, most(2), []);
    expect(plan).toMatchObject({
      strategy: 'roll_up',
      basis: { revision: 23 },
      window: { lane: LEFT, rootView: false, over: [], spans: [], events: [], tokens: 0 },
    });
    expect(windowOf(plan).supersedes).toEqual(view.records.map(({ record }) => record.id));
  });

  it('makes a root view of a run of several lanes: it lies over their records and replaces root views', () => {
    const model = modelOf(ROOT_LANE, LEFT, LEFT);
    const first = model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(2), []));
    expect(first.record).toMatchObject({ rootView: true, lane: ROOT_LANE, supersedes: [], level: 2 });
    expect(first.record.over).toEqual(['r1', 'r2', 'r3']);
    // All three are live for their lanes still.
    expect(model.seen(LEFT, 'lane')).toHaveLength(2);
    model.commit(model.window([{ seq: 4, lane: RIGHT }]));
    const second = model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(1), []));
    expect(second.record).toMatchObject({ rootView: true, supersedes: ['r4'], over: ['r5'], level: 3 });
  });

  it('takes the lowest level at which two neighbours are, and there the newest run, whole', () => {
    const model = modelOf(ROOT_LANE, ROOT_LANE, ROOT_LANE);
    // Levels 2, 1, 1, 1.
    model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(2), []));
    for (const seq of [4, 5, 6]) model.commit(model.window([{ seq, lane: ROOT_LANE }]));
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []))).toEqual([4, 5, 6]);
    model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []));
    // Levels 2, 2, 1, 1.
    for (const seq of [7, 8]) model.commit(model.window([{ seq, lane: ROOT_LANE }]));
    model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []));
    // Levels 2, 2, 2, 1: now all of them.
    model.commit(model.window([{ seq: 9, lane: ROOT_LANE }]));
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []))).toEqual([1, 4, 7, 9]);
  });

  it('merges what grew while it was off piece by piece', () => {
    const model = modelOf(...Array.from({ length: 500 }, () => ROOT_LANE));
    for (;;) {
      const plan = planRollUp(model.view(ROOT_LANE, 'reader'), most(12), []);
      if (plan.kind === 'nothing') break;
      expect(windowOf(plan).summaries.length).toBeLessThanOrEqual(16);
      model.commit(plan);
    }
    expect(model.live().length).toBeLessThanOrEqual(12);
    // 500 summaries of one level go into 12 in three steps at most.
    expect(Math.max(...model.live().map(({ record }) => record.level))).toBeLessThanOrEqual(4);
  });

  it('counts the tokens of summaries too, while there are two', () => {
    const model = modelOf(ROOT_LANE, ROOT_LANE);
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(12, 200), []))).toBe('below_trigger');
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(12, 199), []))).toEqual([1, 2]);
    model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(12, 199), []));
    expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(12, 10), []))).toBe('below_trigger');
  });

  describe('for the readers of a lane', () => {
    /** Root views over 1 to 3 and 4 to 6, each with two records of the left lane inside; 7 and 8 outside. */
    function twoViews(): RollUpModel {
      const model = modelOf(LEFT, LEFT, RIGHT);
      model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(2), []));
      for (const [seq, lane] of [
        [4, RIGHT],
        [5, LEFT],
        [6, LEFT],
      ] as const)
        model.commit(model.window([{ seq, lane }]));
      model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []));
      for (const seq of [7, 8]) model.commit(model.window([{ seq, lane: LEFT }]));
      return model;
    }

    it('merges first what lies in one root view, the newest first, and never what lies in two', () => {
      const model = twoViews();
      expect(merged(planRollUp(model.view(LEFT, 'lane'), most(6), []))).toBe('below_trigger');
      expect(merged(planRollUp(model.view(LEFT, 'lane'), most(5), []))).toEqual([5, 6]);
      model.commit(planRollUp(model.view(LEFT, 'lane'), most(5), []));
      expect(merged(planRollUp(model.view(LEFT, 'lane'), most(4), []))).toEqual([1, 2]);
      model.commit(planRollUp(model.view(LEFT, 'lane'), most(4), []));
      // Only then what no root view holds; and what is left in two is the root's to merge.
      expect(merged(planRollUp(model.view(LEFT, 'lane'), most(3), []))).toEqual([7, 8]);
      model.commit(planRollUp(model.view(LEFT, 'lane'), most(3), []));
      expect(merged(planRollUp(model.view(LEFT, 'lane'), most(2), []))).toBe('not_enough');
    });

    it('merges all that lies in one root view at once, whatever its levels', () => {
      const model = twoViews();
      model.commit(planRollUp(model.view(LEFT, 'lane'), most(5), []));
      model.commit(model.window([{ seq: 9, lane: RIGHT }]));
      for (let plan = atRoot(model); plan.kind === 'window'; plan = atRoot(model)) model.commit(plan);
      expect(merged(planRollUp(model.view(LEFT, 'lane'), most(1), []))).toEqual([1, 2, 5, 7, 8]);
    });
  });

  describe('after an undo', () => {
    it('leaves what the undo brought back, and counts it as the one summary it was', () => {
      const model = modelOf(ROOT_LANE, ROOT_LANE, ROOT_LANE, ROOT_LANE);
      model.undo(model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(3), [])).record.id);
      const reader = (): Plan => planRollUp(model.view(ROOT_LANE, 'reader'), most(3), []);
      expect(model.live()).toHaveLength(4);
      expect(merged(reader())).toBe('below_trigger');
      for (const seq of [5, 6]) model.commit(model.window([{ seq, lane: ROOT_LANE }]));
      expect(merged(reader())).toBe('below_trigger');
      model.commit(model.window([{ seq: 7, lane: ROOT_LANE }]));
      expect(merged(reader())).toEqual([5, 6, 7]);
    });

    it('says so where that is all there is', () => {
      const model = modelOf(ROOT_LANE, ROOT_LANE);
      model.undo(model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(1), [])).record.id);
      model.commit(model.window([{ seq: 3, lane: ROOT_LANE }]));
      expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), most(1), []))).toBe('undone');
      const tokens = most(12, 10);
      expect(merged(planRollUp(model.view(ROOT_LANE, 'reader'), tokens, []))).toBe('undone');
    });
  });

  describe('after attempts that came to nothing', () => {
    it('waits for later invocations, twice as many after each failure', () => {
      const model = modelOf(ROOT_LANE, ROOT_LANE);
      const plan = (attempts: readonly Attempt[]): Plan =>
        planRollUp(model.view(ROOT_LANE, 'reader'), most(1), attempts);
      const failed = (invocationCount: number): Attempt => attempt(plan([]), { invocationCount });
      model.invocations = 10;
      expect(merged(plan([failed(10)]))).toBe('backing_off');
      expect(merged(plan([failed(9)]))).toEqual([1, 2]);
      expect(merged(plan([failed(8), failed(9)]))).toBe('backing_off');
      expect(merged(plan([failed(7), failed(8)]))).toEqual([1, 2]);
      // What became of windows is another story.
      expect(merged(plan([attempt(plan([]), { trigger: 'sliding_window', invocationCount: 10 })]))).toEqual([
        1, 2,
      ]);
    });

    it('goes on with another lane, and with root views', () => {
      const model = new RollUpModel();
      for (const seqs of [
        [3, 4],
        [5, 6],
      ]) {
        const facts = seqs.map((seq, at) => ({ seq, lane: at === 0 ? LEFT : RIGHT }));
        const view = model.view(ROOT_LANE, 'reader');
        model.commit(withRollUp(model.rootWindow(facts), view, most(1), []));
      }
      // Two of one lane, a root view of level 2, two of another lane.
      for (const seq of [1, 2]) model.commit(model.window([{ seq, lane: RIGHT }]));
      for (const seq of [7, 8]) model.commit(model.window([{ seq, lane: LEFT }]));
      const attempts: Attempt[] = [];
      const told: (readonly number[] | string)[] = [];
      for (let plan = atRoot(model); plan.kind === 'window'; ) {
        told.push(merged(plan));
        attempts.push(attempt(plan, {}));
        plan = planRollUp(model.view(ROOT_LANE, 'reader'), most(1), attempts);
        if (plan.kind === 'nothing') told.push(plan.reason);
      }
      expect(told).toEqual([[7, 8], [1, 2], [1, 2, 3, 7, 8], 'backing_off']);
    });

    it('merges at least twice as much after a merge was refused as not smaller', () => {
      const model = modelOf(...Array.from({ length: 5 }, () => ROOT_LANE));
      model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(1), []));
      for (const seq of [6, 7]) model.commit(model.window([{ seq, lane: ROOT_LANE }]));
      const first = atRoot(model);
      expect(merged(first)).toEqual([6, 7]);
      const refused = attempt(first, { state: 'declined', reason: 'not_smaller' });
      const plan = (): Plan => planRollUp(model.view(ROOT_LANE, 'reader'), most(1), [refused]);
      // 100 tokens each: three are not twice two.
      expect(merged(plan())).toBe('not_enough');
      model.commit(model.window([{ seq: 8, lane: ROOT_LANE }]));
      expect(merged(plan())).toEqual([1, 6, 7, 8]);
      model.commit(model.window([{ seq: 9, lane: ROOT_LANE }]));
      expect(merged(plan())).toEqual([6, 7, 8, 9]);
    });

    it('never asks without end, whatever is refused', () => {
      for (let live = 2; live <= 40; live += 1) {
        const model = modelOf(...Array.from({ length: live }, (_, at) => (at % 3 === 0 ? LEFT : RIGHT)));
        const attempts: Attempt[] = [];
        for (;;) {
          const plan = planRollUp(model.view(ROOT_LANE, 'reader'), most(1), attempts);
          if (plan.kind === 'nothing') break;
          attempts.push(attempt(plan, { state: 'declined', reason: 'not_smaller' }));
        }
        // Each asks for twice the tokens of the one before, of root views and of two lanes apart.
        expect(attempts.length).toBeLessThanOrEqual(3 * Math.ceil(Math.log2(live)));
      }
    });
  });
});

describe('withRollUp', () => {
  const next = (model: RollUpModel, lane: Lane, seq: number): Plan => model.window([{ seq, lane }]);

  it('leaves a window alone while its record fits', () => {
    const model = modelOf(ROOT_LANE, ROOT_LANE);
    const plan = next(model, ROOT_LANE, 3);
    expect(withRollUp(plan, model.view(ROOT_LANE, 'reader'), most(3), [])).toBe(plan);
    const nothing: Plan = { kind: 'nothing', reason: 'not_enough' };
    expect(withRollUp(nothing, model.view(ROOT_LANE, 'reader'), most(1), [])).toBe(nothing);
  });

  it('is the rolling summary where one may live', () => {
    const model = modelOf(ROOT_LANE);
    const plan = withRollUp(next(model, ROOT_LANE, 2), model.view(ROOT_LANE, 'reader'), most(1), []);
    expect(windowOf(plan)).toMatchObject({
      supersedes: ['r1'],
      rootView: false,
      spans: [{ first: 2, last: 2 }],
    });
    expect(model.commit(plan).record.level).toBe(2);
  });

  it('replaces the run its record would at once be merged with', () => {
    const model = modelOf(ROOT_LANE, ROOT_LANE, ROOT_LANE);
    model.commit(planRollUp(model.view(ROOT_LANE, 'reader'), most(2), []));
    for (const seq of [4, 5]) model.commit(next(model, ROOT_LANE, seq));
    // Levels 2, 1, 1, and the window: the two and the window are of level 1.
    const plan = withRollUp(next(model, ROOT_LANE, 6), model.view(ROOT_LANE, 'reader'), most(3), []);
    expect(merged(plan)).toEqual([4, 5]);
    // One that fills an old hole is not in the newest run; one beside it is.
    const late = new RollUpModel();
    for (const seq of [1, 9, 10, 11]) late.commit(next(late, ROOT_LANE, seq));
    late.commit(planRollUp(late.view(ROOT_LANE, 'reader'), most(3), []));
    for (const seq of [20, 21]) late.commit(next(late, ROOT_LANE, seq));
    const hole = next(late, ROOT_LANE, 0.5);
    expect(withRollUp(hole, late.view(ROOT_LANE, 'reader'), most(3), [])).toBe(hole);
  });

  it('does so for a branch by its own records, and for the root lane by what the root sees', () => {
    const model = modelOf(LEFT, RIGHT, LEFT);
    const left = next(model, LEFT, 4);
    expect(merged(withRollUp(left, model.view(LEFT, 'lane'), most(2), []))).toEqual([1, 3]);
    // Neighbours of another lane: the record comes first, a root view over both after it.
    const root = next(model, ROOT_LANE, 4);
    expect(withRollUp(root, model.view(ROOT_LANE, 'reader'), most(2), [])).toBe(root);
  });

  it('counts the records of the window’s lane where a view shows more', () => {
    const model = modelOf(ROOT_LANE, LEFT, LEFT);
    model.undo(model.commit(atRoot(model)).record.id);
    const own = model.view(LEFT, 'lane');
    const ancestors = model.view(ROOT_LANE, 'lane');
    // What a reader in the branch sees, an undone merge of all three with it.
    const reader: View = {
      ...own,
      scope: 'reader',
      records: [...ancestors.records, ...own.records],
      parted: [['r1', 'r2'] as RecordId[]],
    };
    const plan = next(model, LEFT, 4);
    expect(withRollUp(plan, reader, most(3), [])).toBe(plan);
    expect(merged(withRollUp(plan, reader, most(2), []))).toEqual([2, 3]);
    expect(merged(planRollUp(reader, most(2), []))).toBe('below_trigger');
    expect(merged(planRollUp(reader, most(1), []))).toEqual([2, 3]);
  });

  it('keeps to the root view a window lies in', () => {
    const model = new RollUpModel();
    const facts = [1, 2, 3].map((seq) => ({ seq, lane: LEFT }));
    model.commit(model.rootWindow([...facts, { seq: 4, lane: RIGHT }]));
    model.commit(model.window(facts.slice(0, 1)));
    model.commit(next(model, LEFT, 5));
    const inside = model.window(facts.slice(1));
    expect(merged(withRollUp(inside, model.view(LEFT, 'lane'), most(2), []))).toEqual([1]);
    // The root does not see it, and what lies outside is not merged with what lies inside.
    expect(withRollUp(inside, model.view(ROOT_LANE, 'reader'), most(1), [])).toBe(inside);
    const outside = next(model, LEFT, 6);
    expect(merged(withRollUp(outside, model.view(LEFT, 'lane'), most(1), []))).toEqual([5]);
    expect(withRollUp(outside, model.view(LEFT, 'lane'), most(2), [])).toBe(outside);
  });

  it('lets a root view replace root views', () => {
    const model = new RollUpModel();
    model.commit(
      model.rootWindow([
        { seq: 1, lane: LEFT },
        { seq: 2, lane: RIGHT },
      ]),
    );
    const plan = model.rootWindow([
      { seq: 3, lane: LEFT },
      { seq: 4, lane: RIGHT },
    ]);
    const rolled = withRollUp(plan, model.view(ROOT_LANE, 'reader'), most(1), []);
    expect(windowOf(rolled)).toMatchObject({ rootView: true, supersedes: ['r1'], over: [] });
    model.commit(next(model, LEFT, 5));
    const third = model.rootWindow([
      { seq: 6, lane: LEFT },
      { seq: 7, lane: RIGHT },
    ]);
    expect(withRollUp(third, model.view(ROOT_LANE, 'reader'), most(1), [])).toBe(third);
  });

  // Fails when a summary nobody can merge keeps windows from being covered.
  it('asks for the window alone once both together, or a merge, came to nothing', () => {
    const model = modelOf(ROOT_LANE);
    const plan = next(model, ROOT_LANE, 2);
    const view = model.view(ROOT_LANE, 'reader');
    const failed = attempt(plan, {});
    expect(withRollUp(plan, view, most(1), [failed])).toBe(plan);
    expect(withRollUp(plan, view, most(1), [{ ...failed, trigger: 'roll_up' }])).toBe(plan);
    expect(withRollUp(plan, view, most(1), [{ ...failed, trigger: 'roll_up', lane: LEFT }])).not.toBe(plan);
    const committed = { ...failed, state: 'committed' as const };
    expect(withRollUp(plan, view, most(1), [failed, committed])).not.toBe(plan);
  });
});
