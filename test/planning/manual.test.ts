import { describe, expect, it } from 'vitest';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { keptTail } from '../../src/plan/kept-tail.ts';
import { planManual } from '../../src/plan/manual.ts';
import { Scene } from './scene.ts';

const untried = { lanes: new Set<string>(), rootView: false };
const keep = (
  events: number,
  tokens = 0,
): { keep: { events: number; tokens: number }; minimumTokens: number } => ({
  keep: { events, tokens },
  minimumTokens: 50,
});

describe('planManual', () => {
  it('covers all but the kept tail', async () => {
    const scene = new Scene();
    for (let turn = 1; turn <= 5; turn += 1) await scene.turn(`t${turn}`);
    const plan = planManual(await scene.store.view(scene.key, ROOT_LANE, 'reader'), keep(4), untried);
    expect(plan.kind === 'window' && plan.window.spans).toEqual([{ first: 1, last: 6 }]);
  });

  it('covers closed exchanges of a running turn and never its question', async () => {
    const scene = new Scene();
    await scene.turn('one');
    await scene.store.beginInvocation(scene.key, { id: 'two', leaseMilliseconds: 1_000 });
    await scene.add({ invocation: 'two', role: 'user', content: 'the question being answered' });
    for (let step = 0; step < 4; step += 1) {
      await scene.add({
        ...scene.call('two', [`c${step}`]),
        content: [
          { type: 'text', text: 'step '.repeat(100) },
          { type: 'toolCall', id: `c${step}`, name: 'run', input: { json: {} } },
        ],
      });
      await scene.add(scene.result('two', [`c${step}`]));
    }
    const plan = planManual(await scene.store.view(scene.key, ROOT_LANE, 'reader'), keep(2), untried);
    expect(plan.kind === 'window' && plan.window.spans).toEqual([
      { first: 1, last: 2 },
      { first: 4, last: 9 },
    ]);
    // The question being answered is read as context.
    expect(plan.kind === 'window' && plan.window.context.map((row) => row.event.seq)).toEqual([3]);
  });
});

describe('keptTail', () => {
  // Fails when the tail is a suffix: one late answer would keep everything since its call.
  it('keeps the exchange of a late answer whole without keeping what lies between', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'one', role: 'user', content: 'deploy' });
    await scene.add(scene.call('one', ['d'], { longRunning: ['d'] }));
    for (let turn = 2; turn <= 6; turn += 1) await scene.turn(`t${turn}`);
    await scene.add(scene.result('one', ['d']));
    const { raw } = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    expect([...keptTail(raw, { events: 1, tokens: 0 })]).toEqual([2]);
    expect([...keptTail(raw, { events: 3, tokens: 0 })]).toEqual([2, 12, 11]);
  });

  it('takes the larger of its two bounds, and always the newest exchange', async () => {
    const scene = new Scene();
    for (let turn = 1; turn <= 5; turn += 1) await scene.turn(`t${turn}`);
    const { raw } = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    const each = raw[0]?.event.tokens ?? 0;
    expect(keptTail(raw, { events: 2, tokens: 0 }).size).toBe(2);
    expect(keptTail(raw, { events: 2, tokens: each * 4 + 10 }).size).toBe(4);
    expect(keptTail(raw, { events: 0, tokens: 1 }).size).toBe(1);
    expect(keptTail(raw, { events: 1_000, tokens: 0 }).size).toBe(10);
  });
});
