// G6, G10: a store that fails at any one of the engine's calls, before it does what it was asked or after, costs a larger
// prompt for a while and nothing else; what is reported is what is stored.
import { describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import { StoreError } from '../../src/event/errors.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import { Plain } from '../world/plain-session.ts';

/** The store, but that the n-th of its calls from now on fails: without having been made, or after. */
class FailingStore {
  readonly store: SessionStore;
  /** Methods called since the count began. */
  calls: string[] = [];
  #failing = 0;
  #after = false;

  constructor(store: SessionStore) {
    this.store = new Proxy(store, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return async (...values: readonly unknown[]): Promise<unknown> => {
          this.calls.push(String(name));
          const fails = this.calls.length === this.#failing;
          if (fails && !this.#after) throw new StoreError(String(name));
          const result: unknown = await Reflect.apply(member, target, values);
          if (fails) throw new StoreError(String(name));
          return result;
        };
      },
    });
  }

  failAt(call: number, after: boolean): void {
    this.calls = [];
    this.#failing = call;
    this.#after = after;
  }
}

/** Plays a turn in which the n-th call of the store fails once the turn is over; the methods called. */
async function play(call: number, after: boolean): Promise<readonly string[]> {
  const plain = new Plain();
  const failing = new FailingStore(plain.store);
  const palimpsest = new Palimpsest({
    store: failing.store,
    summarizer: plain.summarizer,
    minimumTokens: 1,
    sliding: { interval: 1, overlap: 1 },
    setTimer: plain.timers.set,
  });
  const session = palimpsest.session(plain.session.key);
  const turn = async (fails: boolean): Promise<void> => {
    const open = await session.begin();
    await open.append({ role: 'user', content: plain.text() }, { role: 'assistant', content: plain.text() });
    // Ending the turn is the first call.
    if (fails) failing.failAt(call + 1, after);
    expect((await open.end()).state).toBe('ended');
    await session.idle();
  };
  await turn(false);
  const open = await session.begin();
  await open.append({ role: 'user', content: plain.text() }, { role: 'assistant', content: plain.text() });
  failing.failAt(call + 1, after);
  expect((await open.end()).state).toBe('ended');
  const outcomes = await session.idle();
  const { calls } = failing;
  failing.failAt(0, false);
  const committed = outcomes.flatMap((outcome) => (outcome.kind === 'committed' ? [outcome.record.id] : []));
  const stored = (await plain.session.records()).map(({ record }) => record.id);
  const ledger = await plain.session.attempts();
  // The answer to a commit may be lost on its way: then the ledger knows, and nobody says otherwise for good.
  const lost = after && calls[call] === 'commit';
  expect(stored.slice(1)).toEqual(lost ? stored.slice(1, 2) : committed);
  expect(lost && stored.length < 2).toBe(false);
  expect(ledger.filter(({ state }) => state === 'committed').map(({ record }) => record)).toEqual(stored);
  for (const outcome of outcomes) {
    if (!('attempt' in outcome)) continue;
    const stands = ledger.find(({ id }) => id === outcome.attempt.id);
    const record = outcome.kind === 'committed' ? outcome.record.id : stands?.record;
    expect([stands?.record, stands?.state]).toEqual([record, outcome.attempt.state]);
  }
  expect((await plain.session.verify()).problems).toEqual([]);
  expect((await plain.store.page(session.key, 0, 100)).map(({ event }) => event.seq)).toEqual([1, 2, 3, 4]);
  // A lease that was not given back runs out, and after it all is as ever.
  plain.now += 3_600_000;
  await turn(false);
  await turn(false);
  expect((await plain.raw()).events).toBe(0);
  expect((await plain.session.attempts()).filter(({ state }) => state === 'started')).toEqual([]);
  expect((await plain.session.verify()).problems).toEqual([]);
  return calls;
}

describe('a store that fails', () => {
  it.each([
    ['before', false],
    ['after', true],
  ] as const)('%s any one of its calls', async (_when, after) => {
    const seen = new Set<string>();
    for (let call = 1; ; call += 1) {
      const calls = await play(call, after);
      for (const name of calls) seen.add(name);
      if (calls.length <= call) break;
      expect(call).toBeLessThan(100);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'view',
        'attempts',
        'takeLease',
        'preceding',
        'renewLease',
        'commit',
        'endInvocation',
      ]),
    );
  });
});
