import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/event/event.ts';
import type { RecordId } from '../../src/event/ids.ts';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { FRESH, type ProgressIn } from '../../src/plan/progress.ts';
import { coverableTail, planTail, type TailPolicy } from '../../src/plan/tail.ts';
import { runsOf } from '../properties/runs.ts';
import { carryOut } from './carry-out.ts';
import { saidCounter, sized } from './said-counter.ts';
import { Scene } from './scene.ts';
import { breachesOf } from './tail-model.ts';

const POLICY: TailPolicy = { keep: { events: 2, tokens: 0 }, minimumTokens: 100, maxWindowTokens: 10_000 };
const fresh: ProgressIn = () => FRESH;

function seqs(plan: Plan): readonly number[] | string {
  return plan.kind === 'window' ? plan.window.events.map(({ event }) => event.seq) : plan.reason;
}

async function plan(
  scene: Scene,
  more: Partial<TailPolicy> & {
    readonly pressure?: boolean;
    readonly lane?: Lane;
    readonly progress?: ProgressIn;
  } = {},
): Promise<Plan> {
  const { pressure = false, lane = ROOT_LANE, progress = fresh, ...policy } = more;
  const view = await scene.store.view(scene.key, lane, 'reader');
  return planTail(view, { ...POLICY, ...policy }, progress, { pressure });
}

function say(
  scene: Scene,
  invocation: string,
  tokens: number,
  more: Partial<EventDraft> = {},
): Promise<number[]> {
  return scene.add({ invocation, role: 'user', content: sized(tokens - 6, invocation), ...more });
}

const on = (branch: string): { readonly lane: Lane } => ({ lane: { branch, isolation: '' } });

describe('planTail', () => {
  it('covers all but the kept tail of a turn under way, but never its question', async () => {
    const scene = new Scene(saidCounter);
    await say(scene, 'one', 100);
    await scene.store.beginInvocation(scene.key, { id: 'two', leaseMilliseconds: 1e9 });
    await say(scene, 'two', 100);
    for (const id of ['a', 'b', 'c']) {
      await scene.add({ ...scene.call('two', [id]) }, scene.result('two', [id]));
      await say(scene, 'two', 100, { role: 'assistant' });
    }
    expect(seqs(await plan(scene, { keep: { events: 3, tokens: 0 } }))).toEqual([1, 3, 4, 5, 6, 7, 8]);
  });

  it('holds a live question back in whatever lane it was asked', async () => {
    const scene = new Scene(saidCounter);
    await scene.store.beginInvocation(scene.key, { id: 'b', ...on('b'), leaseMilliseconds: 1e9 });
    await say(scene, 'b', 500, on('b'));
    await say(scene, 'b', 100, { ...on('b'), role: 'assistant' });
    await say(scene, 'one', 50);
    await say(scene, 'two', 50);
    expect(seqs(await plan(scene))).toEqual([2]);
    await scene.store.endInvocation(scene.key, 'b' as never, 'ended');
    expect(seqs(await plan(scene))).toEqual([1, 2]);
  });

  it('takes the lane with the most, oldest first and at most so much', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 0; at < 6; at += 1) await say(scene, `r${at}`, 100);
    for (let at = 0; at < 5; at += 1) await say(scene, `b${at}`, 200, on('b'));
    await say(scene, 'last', 10);
    expect(seqs(await plan(scene, { keep: { events: 1, tokens: 0 } }))).toEqual([7, 8, 9, 10, 11]);
    expect(seqs(await plan(scene, { keep: { events: 1, tokens: 0 }, maxWindowTokens: 399 }))).toEqual([7]);
    expect(seqs(await plan(scene, { keep: { events: 1, tokens: 0 }, maxWindowTokens: 400 }))).toEqual([7, 8]);
    // One over the cap is taken whole, and what is too small goes with it.
    expect(seqs(await plan(scene, { keep: { events: 1, tokens: 0 }, maxWindowTokens: 10 }))).toEqual([7]);
    expect(
      seqs(await plan(scene, { keep: { events: 1, tokens: 0 }, maxWindowTokens: 10, minimumTokens: 201 })),
    ).toEqual([7, 8]);
  });

  it('makes a root view of what is scattered, at the root only', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 0; at < 6; at += 1) await say(scene, `t${at}`, 90, on(`b${at}`));
    const scattered = await plan(scene);
    expect(scattered).toMatchObject({ window: { rootView: true } });
    expect(seqs(scattered)).toEqual([1, 2, 3, 4]);
    expect(seqs(await plan(scene, { maxWindowTokens: 200 }))).toEqual([1, 2]);
    expect(seqs(await plan(scene, { lane: on('b1').lane, keep: { events: 1, tokens: 0 } }))).toBe(
      'nothing_new',
    );
  });

  // Two branches a turn cost two calls a turn, and a summary for each.
  it('takes lanes with less than four times what is worth it together, and alone where a root view waits', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 0; at < 4; at += 1) {
      await say(scene, `t${at}`, 399);
      await say(scene, `b${at}`, 399, on(`b${at}`));
    }
    const settings = { keep: { events: 1, tokens: 0 }, minimumTokens: 300 };
    expect(seqs(await plan(scene, settings))).toEqual([1, 3, 5, 7]);
    expect(await plan(scene, { ...settings, minimumTokens: 400 })).toMatchObject({
      window: { rootView: true },
    });
    const waits = (_lane: Lane, rootView: boolean) => ({ ...FRESH, waitForInvocation: rootView ? 99 : 0 });
    expect(seqs(await plan(scene, { ...settings, minimumTokens: 400, progress: waits }))).toEqual([
      1, 3, 5, 7,
    ]);
  });

  it('leaves what was undone alone, but for pressure', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 0; at < 4; at += 1) await say(scene, `t${at}`, 100);
    const made = await carryOut(scene, await plan(scene), { kind: 'summary', tokens: 10 });
    await scene.store.undo(scene.key, made.id as RecordId);
    expect(seqs(await plan(scene))).toBe('undone');
    expect(seqs(await plan(scene, { pressure: true }))).toEqual([1, 2]);
  });

  it('makes no root view again of what one was undone of, but for pressure; lanes go on by themselves', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 0; at < 6; at += 1) await say(scene, `t${at}`, 90, on(`b${at}`));
    const made = await carryOut(scene, await plan(scene), { kind: 'summary', tokens: 10 });
    await scene.store.undo(scene.key, made.id as RecordId);
    expect(seqs(await plan(scene))).toBe('not_enough');
    expect(await plan(scene, { pressure: true })).toMatchObject({ window: { rootView: true } });
    expect(seqs(await plan(scene, { minimumTokens: 90 }))).toEqual([1]);
  });

  it('parks what is waited for under pressure only', async () => {
    const scene = new Scene(saidCounter);
    await scene.add({
      invocation: 'one',
      role: 'assistant',
      content: [
        { type: 'text', text: sized(200) },
        { type: 'toolCall', id: 'slow', name: 'run', input: { json: {} } },
      ],
      longRunning: ['slow'],
    });
    for (const id of ['two', 'three']) await say(scene, id, 50);
    expect(seqs(await plan(scene))).toBe('blocked');
    expect(seqs(await plan(scene, { pressure: true }))).toEqual([1]);
  });

  it('gives up the kept tail last, and its newest exchange never', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 0; at < 4; at += 1) await say(scene, `t${at}`, 100);
    const keep = { events: 3, tokens: 0 };
    expect(seqs(await plan(scene, { keep, pressure: true }))).toEqual([1]);
    await carryOut(scene, await plan(scene, { keep }), { kind: 'summary', tokens: 10 });
    expect(seqs(await plan(scene, { keep }))).toBe('nothing_new');
    expect(seqs(await plan(scene, { keep, pressure: true }))).toEqual([2, 3]);
  });

  it('waits where a lane backs off, and under pressure only if it was tried in this very turn', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 1; at <= 4; at += 1) await say(scene, `t${at}`, 100);
    const waits: ProgressIn = () => ({ ...FRESH, waitForInvocation: 5, triedAt: 3 });
    expect(seqs(await plan(scene, { progress: waits }))).toBe('backing_off');
    expect(seqs(await plan(scene, { progress: waits, pressure: true }))).toEqual([1, 2]);
    const tried: ProgressIn = () => ({ ...FRESH, waitForInvocation: 5, triedAt: 4 });
    expect(seqs(await plan(scene, { progress: tried, pressure: true }))).toBe('backing_off');
    const over: ProgressIn = () => ({ ...FRESH, waitForInvocation: 4, triedAt: 3 });
    expect(seqs(await plan(scene, { progress: over }))).toEqual([1, 2]);
  });

  it('asks for more where a window was refused as not smaller, whatever a window takes at most', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 1; at <= 6; at += 1) await say(scene, `t${at}`, 100);
    const refused: ProgressIn = () => ({ ...FRESH, leastTokens: 400, triedAt: 6 });
    expect(seqs(await plan(scene, { progress: refused, maxWindowTokens: 200 }))).toEqual([1, 2, 3, 4]);
    const larger: ProgressIn = () => ({ ...FRESH, leastTokens: 401, triedAt: 6 });
    expect(seqs(await plan(scene, { progress: larger }))).toBe('not_enough');
  });

  it('leaves a lane that waits out of the root view', async () => {
    const scene = new Scene(saidCounter);
    await say(scene, 't0', 5_000, on('bad'));
    for (let at = 1; at <= 6; at += 1) await say(scene, `t${at}`, 60, on(`b${at}`));
    const progress: ProgressIn = (lane) =>
      lane.branch === 'bad' ? { ...FRESH, waitForInvocation: 99, triedAt: 7 } : FRESH;
    expect(seqs(await plan(scene, { progress }))).toEqual([2, 3, 4, 5]);
  });
});

describe('coverableTail', () => {
  it('counts what could be covered now, and nothing that is spared', async () => {
    const scene = new Scene(saidCounter);
    const [pinned] = await say(scene, 't0', 1_000);
    await scene.store.pin(scene.key, pinned as number, true);
    for (let at = 1; at < 6; at += 1) await say(scene, `t${at}`, 100);
    const view = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    expect(coverableTail(view, { events: 2, tokens: 0 })).toBe(300);
    expect(coverableTail(view, { events: 0, tokens: 10_000 })).toBe(0);
  });
});

describe('whatever happened', () => {
  const branches = ['', '', '', 'b', 'b.c', 'd'] as const;
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom(
        'say',
        'say',
        'call',
        'ask',
        'slow',
        'answer',
        'begin',
        'end',
        'pin',
        'cover',
        'undo',
      ),
      branch: fc.constantFrom(...branches),
      turn: fc.nat(5),
      tokens: fc.integer({ min: 10, max: 700 }),
      at: fc.nat(40),
    }),
    { minLength: 5, maxLength: 40 },
  );
  const policies = fc.record({
    keep: fc.record({ events: fc.nat(6), tokens: fc.nat(900) }),
    minimumTokens: fc.integer({ min: 1, max: 600 }),
    maxWindowTokens: fc.integer({ min: 600, max: 2_000 }),
  });
  type Step = (typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never)[number];

  async function take(scene: Scene, { kind, branch, turn, tokens, at }: Step): Promise<void> {
    const invocation = `t${turn}`;
    const id = `c${at % 4}`;
    const said: EventDraft = { invocation, ...on(branch), role: 'assistant', content: sized(tokens) };
    const called: EventDraft = {
      ...said,
      content: [
        { type: 'text', text: sized(tokens) },
        { type: 'toolCall', id, name: 'run', input: { json: {} } },
      ],
    };
    switch (kind) {
      case 'say':
        await scene.add({ ...said, role: 'user' });
        return;
      case 'call':
        await scene.add(called);
        return;
      case 'ask':
        await scene.add({ ...called, asks: [{ kind: 'confirmation', id: `ask-${at}-${turn}`, call: id }] });
        return;
      case 'slow':
        await scene.add({ ...called, longRunning: [id] });
        return;
      case 'answer':
        await scene.add({ ...scene.result(invocation, [id]), ...on(branch) });
        return;
      case 'begin':
        await scene.store.beginInvocation(scene.key, {
          id: invocation,
          ...on(branch),
          leaseMilliseconds: 1e9,
        });
        await scene.add({ ...said, role: 'user' });
        return;
      case 'end':
        for (const { id: running, state } of await scene.store.invocations(scene.key)) {
          if (state === 'running') await scene.store.endInvocation(scene.key, running, 'ended');
        }
        return;
      case 'pin': {
        const events = (await scene.store.info(scene.key))?.events ?? 0;
        if (events > 0) await scene.store.pin(scene.key, (at % events) + 1, true);
        return;
      }
      case 'cover': {
        const planned = await plan(scene, { lane: on(branch).lane, minimumTokens: 1 });
        if (planned.kind === 'window') await carryOut(scene, planned, { kind: 'summary', tokens: 5 });
        return;
      }
      case 'undo': {
        const live = (await scene.store.records(scene.key)).filter(({ undone }) => !undone);
        const record = live[at % Math.max(1, live.length)]?.record;
        if (record !== undefined) await scene.store.undo(scene.key, record.id).catch(() => undefined);
        return;
      }
      default:
        kind satisfies never;
    }
  }

  it('a window is what the design says, by a model that looks at each event alone; and drains', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        policies,
        fc.constantFrom(...branches),
        fc.boolean(),
        async (did, policy, branch, pressure) => {
          const scene = new Scene(saidCounter);
          await say(scene, 't0', 50);
          for (const step of did) await take(scene, step);
          for (let windows = 0; ; windows += 1) {
            const view = await scene.store.view(scene.key, on(branch).lane, 'reader');
            const planned = planTail(view, policy, fresh, { pressure });
            expect(breachesOf(view, planned, policy, pressure)).toEqual([]);
            if (planned.kind === 'nothing') break;
            expect(windows).toBeLessThan(100);
            await carryOut(scene, planned, { kind: 'summary', tokens: 5 });
          }
        },
      ),
      { numRuns: runsOf(200) },
    );
  });
});
