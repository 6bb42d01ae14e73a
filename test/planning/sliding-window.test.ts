import { describe, expect, it } from 'vitest';
import type { Lane } from '../../src/event/lane.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { FRESH, type Progress } from '../../src/plan/progress.ts';
import { planRootView, planSlidingWindow, type SlidingPolicy } from '../../src/plan/sliding-window.ts';
import { carryOut } from './carry-out.ts';
import { Scene, words } from './scene.ts';

const policy: SlidingPolicy = { interval: 2, overlap: 0, minimumTokens: 50 };

function seqs(plan: Plan): readonly number[] | string {
  return plan.kind === 'window' ? plan.window.events.map((row) => row.event.seq) : plan.reason;
}

async function plan(scene: Scene, more: Partial<SlidingPolicy> = {}, lane: Lane = ROOT_LANE): Promise<Plan> {
  return planSlidingWindow(await scene.store.view(scene.key, lane, 'lane'), { ...policy, ...more }, FRESH);
}

describe('planSlidingWindow', () => {
  it('waits for enough invocations, then takes the oldest of them and no more', async () => {
    const scene = new Scene();
    expect(seqs(await plan(scene, {}).catch(() => ({ kind: 'nothing', reason: 'nothing_new' })))).toBe(
      'nothing_new',
    );
    await scene.turn('one');
    expect(seqs(await plan(scene))).toBe('not_enough');
    await scene.turn('two');
    await scene.turn('three');
    expect(seqs(await plan(scene))).toEqual([1, 2, 3, 4]);
  });

  // F21: fails when invocations whose calls stay open count towards the interval.
  it('goes around abandoned confirmations instead of waiting behind them', async () => {
    const scene = new Scene();
    for (const id of ['one', 'two', 'three']) {
      await scene.add({ invocation: id, role: 'user', content: words('do it', 60) });
      await scene.add(
        scene.call(id, ['c'], { asks: [{ kind: 'confirmation', id: `ask-${id}`, call: 'c' }] }),
      );
    }
    await scene.turn('four');
    await scene.turn('five');
    // The questions are coverable, the asks are not: each is a hole.
    expect(seqs(await plan(scene))).toEqual([1, 3]);
    expect(seqs(await plan(scene, { interval: 5 }))).toEqual([1, 3, 5, 7, 8, 9, 10]);
  });

  it('does not cover what a running invocation is at', async () => {
    const scene = new Scene();
    await scene.store.beginInvocation(scene.key, { id: 'one', leaseMilliseconds: 1_000 });
    await scene.turn('one');
    await scene.turn('two');
    await scene.turn('three');
    expect(seqs(await plan(scene))).toEqual([3, 4, 5, 6]);
    // Lost, not running for ever: its process was killed.
    scene.now += 3_600_000;
    expect(seqs(await plan(scene))).toEqual([1, 2, 3, 4]);
  });

  it('covers a dead call and says so, and keeps one that may still be answered', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'one', role: 'user', content: 'a' });
    await scene.add(scene.call('one', ['dead']), scene.call('one', ['slow'], { longRunning: ['slow'] }));
    await scene.turn('two');
    await scene.turn('three');
    const planned = await plan(scene);
    expect(seqs(planned)).toEqual([1, 2, 4, 5]);
    expect(planned.kind === 'window' && [...planned.window.unanswered]).toEqual([[2, ['dead']]]);
  });

  it('parks a long-running call after eight later invocations', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'first', role: 'user', content: 'a' });
    await scene.add(scene.call('first', ['slow'], { longRunning: ['slow'] }));
    for (let later = 1; later <= 7; later += 1) await scene.turn(`later-${later}`);
    expect(seqs(await plan(scene))).toEqual([1, 3, 4]);
    await scene.turn('later-8');
    expect(seqs(await plan(scene))).toEqual([1, 2, 3, 4]);
  });

  it('lets following invocations join a window that is too small to be worth a summary', async () => {
    const scene = new Scene();
    for (let turn = 1; turn <= 6; turn += 1) await scene.turn(`t${turn}`, ROOT_LANE, 20);
    expect(seqs(await plan(scene, { minimumTokens: 1_000 }))).toBe('not_enough');
    const planned = await plan(scene, { minimumTokens: 90 });
    expect(planned.kind === 'window' && planned.window.invocations).toBeGreaterThan(2);
    expect(seqs(planned)).toContain(1);
  });

  it('takes more invocations after a window was refused as not smaller, and waits after failures', async () => {
    const scene = new Scene();
    for (let turn = 1; turn <= 6; turn += 1) await scene.turn(`t${turn}`);
    const view = await scene.store.view(scene.key, ROOT_LANE, 'lane');
    const joined = planSlidingWindow(view, policy, { ...FRESH, joinAtLeast: 4 });
    expect(joined.kind === 'window' && joined.window.invocations).toBe(4);
    expect(seqs(planSlidingWindow(view, policy, { ...FRESH, waitForInvocation: 7 }))).toBe('backing_off');
    expect(seqs(planSlidingWindow(view, policy, { ...FRESH, waitForInvocation: 6 }))).toEqual([1, 2, 3, 4]);
  });

  // F23: fails when a window ends at the first event of another lane.
  it('covers one lane of two interleaved ones whole', async () => {
    const scene = new Scene();
    const left = { branch: 'left', isolation: '' };
    const right = { branch: 'right', isolation: '' };
    for (const id of ['one', 'two']) {
      for (let step = 0; step < 3; step += 1) {
        await scene.add({
          invocation: id,
          lane: left,
          role: 'assistant',
          content: `left ${'word '.repeat(50)}`,
        });
        await scene.add({
          invocation: id,
          lane: right,
          role: 'assistant',
          content: `right ${'word '.repeat(50)}`,
        });
      }
    }
    const planned = await plan(scene, {}, left);
    expect(seqs(planned)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(planned.kind === 'window' && planned.window.spans).toEqual([{ first: 1, last: 11 }]);
  });

  it('holds back instructions: all before the first question, and the newest of equal texts after it', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'one', role: 'system', content: 'be brief' });
    await scene.turn('one');
    await scene.add({ invocation: 'one', role: 'system', content: 'mode: plan' });
    await scene.turn('two');
    await scene.add({ invocation: 'two', role: 'system', content: 'mode: plan' });
    expect(seqs(await plan(scene))).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('planRootView', () => {
  const lane = (branch: string): Lane => ({ branch, isolation: '' });

  it('covers fresh branches across lanes once they have twice the interval together', async () => {
    const scene = new Scene();
    const root = async (): Promise<Plan> =>
      planRootView(await scene.store.view(scene.key, ROOT_LANE, 'reader'), policy, FRESH);
    for (let turn = 1; turn <= 3; turn += 1) await scene.turn(`t${turn}`, lane(`b${turn}`));
    expect(seqs(await root())).toBe('not_enough');
    await scene.turn('t4', lane('b4'));
    const planned = await root();
    expect(seqs(planned)).toEqual([1, 2, 3, 4]);
    expect(planned.kind === 'window' && planned.window.rootView).toBe(true);
  });

  it('leaves a lane that has enough alone to the lane itself, and does not wait for it for ever', async () => {
    const scene = new Scene();
    const root = async (): Promise<Plan> =>
      planRootView(await scene.store.view(scene.key, ROOT_LANE, 'reader'), policy, FRESH);
    for (let turn = 1; turn <= 4; turn += 1) await scene.turn(`t${turn}`, lane('one'));
    for (let turn = 5; turn <= 7; turn += 1) await scene.turn(`t${turn}`, lane(`b${turn}`));
    expect(seqs(await root())).toBe('not_enough');
    await scene.turn('t8', lane('b8'));
    expect(seqs(await root())).toEqual([1, 2, 3, 4]);
  });
});

describe('a lane inside a root view', () => {
  const lane = (branch: string): Lane => ({ branch, isolation: '' });

  /** One root view over the first turn of two of four branches; the first has two turns more. */
  async function underOne(): Promise<Scene> {
    const scene = new Scene();
    for (const branch of ['b1', 'b2', 'b3', 'b4']) await scene.turn(branch, lane(branch));
    const root = planRootView(await scene.store.view(scene.key, ROOT_LANE, 'reader'), policy, FRESH);
    expect(seqs(root)).toEqual([1, 2, 3, 4]);
    await carryOut(scene, root, { kind: 'summary', tokens: 10 });
    for (const more of ['five', 'six']) await scene.turn(more, lane('b1'));
    return scene;
  }

  // Comes back when such a window waits for `interval` turns, which can never be: the lane stays raw for its readers.
  it('is covered as soon as it is worth a summary', async () => {
    const scene = await underOne();
    // Its first turn lies in the root view; two more do not, and wait for a third.
    expect(seqs(await plan(scene, { interval: 3 }, lane('b1')))).toEqual([1, 2]);
    const { raw } = await scene.store.view(scene.key, lane('b1'), 'lane');
    const turn = raw.slice(0, 2).reduce((sum, { event }) => sum + event.tokens, 0);
    const large = { minimumTokens: turn + 1 };
    expect(seqs(await plan(scene, { interval: 3, ...large }, lane('b1')))).toBe('not_enough');
    expect(seqs(await plan(scene, { interval: 2, ...large }, lane('b1')))).toEqual([9, 10, 11, 12]);
    expect(seqs(await plan(scene, { interval: 3 }, lane('b3')))).toBe('not_enough');
  });

  it('waits after failures, and for more where it was refused as not smaller', async () => {
    const scene = await underOne();
    const view = await scene.store.view(scene.key, lane('b1'), 'lane');
    const planned = (told: Partial<Progress>): readonly number[] | string =>
      seqs(planSlidingWindow(view, { ...policy, interval: 3 }, { ...FRESH, ...told }));
    expect(planned({ waitForInvocation: 100 })).toBe('backing_off');
    expect(planned({ joinAtLeast: 2 })).toBe('not_enough');
  });
});
