import { describe, expect, it } from 'vitest';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { type GrowthRoom, learnedGrowth } from '../../src/plan/growth.ts';
import { planManual } from '../../src/plan/manual.ts';
import { carryOut } from './carry-out.ts';
import { saidCounter, sized } from './said-counter.ts';
import { Scene } from './scene.ts';

/** A session of model calls of so many tokens each, a summary of the first ones and the newest raw. */
async function session(calls: number, each: number, summary: number): Promise<Scene> {
  const scene = new Scene(saidCounter);
  for (let call = 0; call < calls; call += 1) {
    const invocation = `t${call}`;
    await scene.add({ invocation, role: 'user', content: sized(Math.floor(each / 2) - 6, `q${call}`) });
    await scene.add({ invocation, role: 'assistant', content: sized(Math.ceil(each / 2) - 6, `a${call}`) });
  }
  if (summary > 0) {
    const view = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    const plan = planManual(
      view,
      { keep: { events: calls, tokens: 0 }, minimumTokens: 1 },
      { lanes: new Set(), rootView: false },
    );
    await carryOut(scene, plan, { kind: 'summary', tokens: summary });
  }
  return scene;
}

async function growth(scene: Scene, tokens: number, roomTokens: number | null = null): Promise<number> {
  const room: GrowthRoom = { keep: { events: 0, tokens }, roomTokens };
  return learnedGrowth(await scene.store.view(scene.key, ROOT_LANE, 'reader'), room);
}

describe('learnedGrowth', () => {
  // measurements.md, "Cost of a session": predicted 5.5k and 15.6k, swept minima 5.5k and 15k.
  it('is what the price model says of the two workloads measured', async () => {
    expect(await growth(await session(20, 226, 500), 2_000)).toBe(5_537);
    expect(await growth(await session(40, 728, 1_000), 8_000)).toBe(15_562);
  });

  it('takes what is usual until a session has said enough', async () => {
    const few = await growth(await session(5, 4_000, 0), 2_000);
    expect(few).toBe(await growth(await session(1, 20, 0), 2_000));
    expect(few).toBeGreaterThan(8_000);
    expect(few).toBeLessThan(10_000);
  });

  it('stays between 4,000 and 32,000', async () => {
    expect(await growth(await session(20, 40, 100), 400)).toBe(4_000);
    expect(await growth(await session(20, 20_000, 2_000), 8_000)).toBe(32_000);
  });

  it('and inside what the request has room for, with some calls to spare', async () => {
    const scene = await session(40, 728, 1_000);
    expect(await growth(scene, 8_000, 100_000)).toBe(15_562);
    expect(await growth(scene, 8_000, 20_000)).toBe(Math.floor(20_000 - 1_000 - 8_000 - 4 * 728));
    // Where a few calls are most of the room, half of it.
    expect(await growth(scene, 8_000, 13_000)).toBe(2_000);
    expect(await growth(scene, 8_000, 5_000)).toBe(1);
  });

  it('takes what is held back out of the room', async () => {
    const scene = await session(40, 728, 1_000);
    const room = 30_000;
    const before = await growth(scene, 8_000, room);
    const [seq] = await scene.add({ invocation: 'p', role: 'user', content: sized(10_000) });
    await scene.store.pin(scene.key, seq as number, true);
    for (let at = 0; at < 20; at += 1)
      await scene.add({ invocation: `l${at}`, role: 'user', content: sized(500) });
    expect(before).toBe(15_562);
    expect(await growth(scene, 8_000, room)).toBeLessThan(room - 1_000 - 8_000 - 10_000);
  });
});
