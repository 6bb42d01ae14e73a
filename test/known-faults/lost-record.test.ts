import { expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Policy } from '../../src/engine/policy.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import { quarterCounter } from '../world/characters.ts';
import { ScriptedSummarizer } from '../world/scripted-summarizer.ts';

/** A backend that drops what it does not know: a commit succeeds, and no later read shows it. */
function strippingStore(store: SessionStore): SessionStore {
  return new Proxy(store, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'commit') return (...values: readonly unknown[]) => Reflect.apply(member, target, values);
      return async (...values: Parameters<SessionStore['commit']>) => {
        const record = await target.commit(...values);
        await target.undo(values[0], record.id);
        return record;
      };
    },
  });
}

/** …with nothing left to say that it was undone. */
function forgettingStore(store: SessionStore): SessionStore {
  return new Proxy(strippingStore(store), {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || name !== 'view') return member;
      return async (...values: Parameters<SessionStore['view']>) => {
        const view = await target.view(...values);
        return { ...view, raw: view.raw.map((row) => ({ ...row, undone: null, undoneView: null })) };
      };
    },
  });
}

// `plan/record-lost.ts`: return every plan as it is.
it.for<[string, Policy]>([
  ['after turns', { sliding: { interval: 2 } }],
  [
    'before model calls',
    { tail: { trigger: { tokens: 400 }, keep: { tokens: 100 } }, maxSummaryTokens: 160 },
  ],
])('row 31: a backend that drops records is not paid for again and again %s', async ([, policy]) => {
  const summarizer = new ScriptedSummarizer();
  const store = forgettingStore(new MemoryStore({ counter: quarterCounter }));
  const palimpsest = new Palimpsest({ store, summarizer, minimumTokens: 1, ...policy });
  const session = palimpsest.session({ app: 'app', user: 'user', session: 's' });
  const reasons = new Set<string>();
  for (let number = 0; number < 40; number += 1) {
    const turn = await session.begin();
    await turn.append({ role: 'user', content: `k${number}k ${'lorem '.repeat(60)}` });
    for (const outcome of (await session.prepare()).outcomes)
      if (outcome.kind === 'nothing') reasons.add(outcome.reason);
    await turn.end();
    for (const outcome of await session.idle()) if (outcome.kind === 'nothing') reasons.add(outcome.reason);
  }
  expect(summarizer.requests.length).toBe(1);
  expect(reasons).toContain('record_lost');
  expect((await session.prompt()).accounting.raw.events).toBe(40);
});
