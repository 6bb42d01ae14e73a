// What test/properties/session.test.ts found, shrunk, and why it was wrong.
import { describe, expect, it } from 'vitest';
import type { Operation } from '../world/operations.ts';
import { play } from '../world/play.ts';
import { World, type WorldSettings } from '../world/world.ts';

const settings: WorldSettings = { interval: 1, overlap: 0, minimumTokens: 1, callLimit: null };
const root = { kind: 'begin', lane: 0, resume: null, asks: false, size: 0 } as const;
const call = { kind: 'call', turn: 0, lane: null, count: 1, longRunning: false, reply: null } as const;
const result = {
  kind: 'result',
  turn: 0,
  owed: 0,
  elsewhere: null,
  size: 0,
  twice: false,
  and: null,
} as const;

const cases: readonly (readonly [why: string, operations: readonly Operation[]])[] = [
  [
    'two results of one id answer two calls from another lane too',
    [root, { ...call, ids: 'reused' }, { ...result, ids: 'given', elsewhere: 1, twice: true }],
  ],
  [
    // The result took the id of the oldest open call, and by that id it would belong to the newest.
    'a result without an id answers the call that verify finds by the id it was given',
    [root, { ...call, ids: 'reused' }, { ...result, ids: 'reused' }],
  ],
];

describe('what was wrong once', () => {
  it.each(cases)('%s', async (_why, operations) => {
    expect(await play(settings, operations)).toBeInstanceOf(World);
  });

  // The oracle's fault: it asked for the exchange whole, of which the view holds one side.
  it('a second result after a root view took its call is not covered with it', async () => {
    const turn = { kind: 'turn', size: 30, calls: 0, results: 0 } as const;
    const operations: readonly Operation[] = [
      { ...turn, lane: 0 },
      { ...turn, lane: 2, calls: 1 },
      { ...turn, lane: 1 },
      { ...turn, lane: 3 },
      root,
      { ...result, ids: 'given' },
      { kind: 'end', turn: 0, state: 'ended', race: [] },
    ];
    expect(await play({ ...settings, interval: 2 }, operations)).toBeInstanceOf(World);
  });
});
