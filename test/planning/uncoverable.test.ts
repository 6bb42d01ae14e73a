import { describe, expect, it } from 'vitest';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import { uncoverableOf } from '../../src/plan/uncoverable.ts';
import { saidCounter, sized } from './said-counter.ts';
import { Scene } from './scene.ts';

const MINIMUM = 300;

async function named(scene: Scene, lane: Lane = ROOT_LANE): Promise<readonly string[]> {
  const found = uncoverableOf(await scene.store.view(scene.key, lane, 'reader'), MINIMUM);
  return found.map(({ seq, tokens, why }) => `${seq} ${tokens} ${why}`);
}

describe('uncoverableOf', () => {
  it('says of each event why it stays, the largest first', async () => {
    const scene = new Scene(saidCounter);
    await scene.add({ invocation: 's', role: 'system', content: sized(94) });
    const [pinned] = await scene.add({ invocation: 'one', role: 'user', content: sized(194) });
    await scene.store.pin(scene.key, pinned as number, true);
    await scene.store.beginInvocation(scene.key, { id: 'two', leaseMilliseconds: 1e9 });
    await scene.add({ invocation: 'two', role: 'user', content: sized(294) });
    await scene.add({ ...scene.call('two', ['c']), author: 'a' });
    await scene.add({ invocation: 'one', role: 'assistant', content: sized(44) });
    await scene.add({ invocation: 'two', role: 'assistant', content: sized(494) });
    expect(await named(scene)).toEqual([
      '6 500 newest',
      '3 300 question',
      '2 200 pinned',
      '1 100 system',
      '5 50 too_small',
      '4 8 open',
    ]);
  });

  it('says of what could be covered and was not that it failed', async () => {
    const scene = new Scene(saidCounter);
    await scene.add({ invocation: 'one', role: 'user', content: sized(394) });
    await scene.add({ invocation: 'two', role: 'user', content: sized(94) });
    expect(await named(scene)).toEqual(['1 400 failed', '2 100 newest']);
  });

  it('puts together what a root view would', async () => {
    const scene = new Scene(saidCounter);
    for (const branch of ['b', 'c', '']) {
      const lane = { branch, isolation: '' };
      await scene.add({ invocation: `i${branch}`, lane, role: 'user', content: sized(194) });
    }
    expect(await named(scene)).toEqual(['1 200 failed', '2 200 failed', '3 200 newest']);
    // A reader on a branch has no root view to put them into.
    expect(await named(scene, { branch: 'b', isolation: '' })).toEqual(['1 200 too_small', '3 200 newest']);
  });

  it('does not name asks and long-running calls: under pressure they are covered', async () => {
    const scene = new Scene(saidCounter);
    await scene.add({ invocation: 'one', role: 'user', content: sized(10) });
    await scene.add({
      ...scene.call('one', ['c']),
      asks: [{ kind: 'confirmation', id: 'ask', call: 'c' }],
    });
    await scene.add({ ...scene.call('one', ['slow']), longRunning: ['slow'] });
    await scene.add({ invocation: 'two', role: 'user', content: sized(10) });
    expect((await named(scene)).filter((line) => line.endsWith('open'))).toEqual([]);
  });

  it('names at most 20', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 1; at <= 30; at += 1)
      await scene.add({ invocation: `${at}`, role: 'user', content: sized(at) });
    const lines = await named(scene);
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe('30 36 newest');
  });
});
