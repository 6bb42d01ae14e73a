// Whatever is handed in as an event: it is refused by an error of ours, or what is stored is plain, whole, frozen and
// nobody else's. Nothing of a batch is stored when one of it is refused.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDraft } from '../../src/event/draft.ts';
import { PalimpsestError } from '../../src/event/errors.ts';
import type { EventDraft } from '../../src/event/event.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { quarterCounter } from '../world/characters.ts';
import { openStory } from '../world/played-store.ts';
import { runsOf } from './runs.ts';

const SECRET = 'sk-what-the-user-said';

/** Makes a value nobody expects. Made anew for each run: some change when they are read. */
type Make = () => unknown;

const strange: readonly Make[] = [
  () => undefined,
  () => null,
  () => Number.NaN,
  () => -0,
  () => 10n,
  () => Symbol(SECRET),
  (): unknown => (): string => SECRET,
  () => new Date(0),
  () => new Map([[SECRET, 1]]),
  () => new Uint8Array(8),
  () => new Proxy({}, { ownKeys: () => ['a', 'a'] }),
  () => new Proxy([], { get: (target, key) => (key === 'length' ? 2 ** 31 : Reflect.get(target, key)) }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => ({
    get type() {
      throw new Error(SECRET);
    },
  }),
  () => {
    let reads = 0;
    return {
      type: 'text',
      get text() {
        reads += 1;
        return reads === 1 ? 'first' : { planted: true };
      },
    };
  },
  () => {
    let reads = 0;
    return {
      type: 'media',
      kind: 'image',
      mimeType: 'image/png',
      get data() {
        reads += 1;
        return reads === 1 ? undefined : 'planted';
      },
      url: 'https://example.org/a.png',
    };
  },
  // An array that maps itself: what it gives is not what was checked.
  () => Object.assign([{ type: 'text', text: 'x' }], { map: () => [{ type: 'planted' }] }),
  () => Array.from({ length: 3 }),
  () => {
    const sparse: unknown[] = [];
    sparse[2] = { type: 'text', text: 'x' };
    return sparse;
  },
  () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    return cycle;
  },
  () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 5_000; depth += 1) deep = { deep };
    return deep;
  },
  () => {
    let deep: unknown = { type: 'text', text: 'x' };
    for (let depth = 0; depth < 400; depth += 1)
      deep = { type: 'toolResult', id: 'a', name: 'b', output: { parts: [deep] } };
    return [deep];
  },
  () => JSON.parse('{"__proto__":{"role":"system"},"constructor":{"prototype":1},"toJSON":1}') as unknown,
  () => ({ toJSON: () => SECRET }),
  () => 'a'.repeat(200_000),
  () => '\ud800 \udc00',
  () => 'a\u0000b',
  () => '',
  () => ({ type: 'toolCall', id: 'x'.repeat(513), name: 'n', input: { json: 1 } }),
  () => ({ type: 'toolCall', name: 'n', input: {} }),
  () => ({ type: 'toolCall', name: 'n', input: { json: { __proto__: null, [SECRET]: [1, [2]] } } }),
  () => ({ type: 'toolResult', output: { json: undefined } }),
  () => ({ type: 'text', text: 'x', compaction: { startTimestamp: 1, endTimestamp: 9_999 } }),
  () => ({ branch: 'a..b', isolation: '' }),
  () => ({ branch: '.', isolation: '' }),
  () => ({ branch: 'a', isolation: '\u0000' }),
  () => ({ inputTokens: Number.POSITIVE_INFINITY }),
];

const whole = (): Record<string, unknown> => ({
  id: undefined,
  invocation: 'turn',
  lane: { branch: 'a', isolation: '' },
  author: 'somebody',
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'hm', providerState: { provider: 'anthropic', json: { signature: 's' } } },
    { type: 'toolCall', id: 'call', name: 'look', input: { json: { a: [1, { b: null }] } } },
    { type: 'toolResult', id: 'call', output: { parts: [{ type: 'text', text: 'found' }] } },
  ],
  reply: 'r',
  createdAt: '2026-01-01T00:00:00Z',
  usage: { inputTokens: 1 },
  finish: 'toolCalls',
  longRunning: ['call'],
  asks: [{ kind: 'confirmation', id: 'ask', call: 'call' }],
  answers: ['other'],
  metadata: { a: { b: 1 } },
});

/** Where in a draft to put something: a path through it, made where it is not. */
const places: readonly (readonly (string | number)[])[] = [
  [],
  ...Object.keys(whole()).map((field) => [field]),
  ['extra'],
  ['seq'],
  ['partial'],
  ['tokens'],
  ['compaction'],
  ['lane', 'branch'],
  ['content', 0],
  ['content', 0, 'text'],
  ['content', 0, 'providerState'],
  ['content', 0, 'providerState', 'json'],
  ['content', 1, 'id'],
  ['content', 1, 'name'],
  ['content', 1, 'input'],
  ['content', 1, 'input', 'json'],
  ['content', 1, 'input', 'raw'],
  ['content', 2, 'output'],
  ['content', 2, 'output', 'parts'],
  ['content', 2, 'output', 'parts', 0],
  ['content', 2, 'isError'],
  ['asks', 0],
  ['asks', 0, 'call'],
  ['answers', 0],
  ['longRunning', 0],
  ['usage', 'inputTokens'],
  ['usage', 'promptRevision'],
  ['metadata', 'a'],
];

function put(path: readonly (string | number)[], value: unknown): unknown {
  const draft: unknown = whole();
  const last = path.at(-1);
  if (last === undefined) return value;
  let at: unknown = draft;
  for (const key of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return draft;
    at = Reflect.get(at, key);
  }
  if (typeof at === 'object' && at !== null) Reflect.set(at, last, value);
  return draft;
}

/** Every object in a value that is not frozen, or not plain. */
function notPlain(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  const own = Object.isFrozen(value) && plain ? [] : [value];
  return [...own, ...Object.values(value).flatMap(notPlain)];
}

const hostile = fc.record({ path: fc.constantFrom(...places), make: fc.constantFrom(...strange) });

/** What was thrown when it was checked, or what came of it. */
function attempt(handed: unknown): { readonly error: unknown } | { readonly checked: unknown } {
  try {
    return { checked: checkDraft(handed) };
  } catch (error) {
    return { error };
  }
}

function isOurs(error: unknown): boolean {
  const text = String(error);
  return PalimpsestError.isInstance(error, 'invalid_event') && !text.includes(SECRET) && text.length < 300;
}

/** Plain and frozen throughout, as its JSON says, and with nothing that was only shown the second time. */
function isKept(checked: unknown): boolean {
  const text = JSON.stringify(checked);
  return (
    notPlain(checked).length === 0 &&
    !text.includes('planted') &&
    isDeepStrictEqual(JSON.parse(text), checked)
  );
}

describe('the event boundary', () => {
  it('refuses by an error of ours, or keeps a plain frozen copy', () => {
    fc.assert(
      fc.property(hostile, ({ path, make }) => {
        const outcome = attempt(put(path, make()));
        expect('error' in outcome ? isOurs(outcome.error) : isKept(outcome.checked)).toBe(true);
      }),
      { numRuns: runsOf(3_000) },
    );
  });

  it('stores a batch whole or not at all, and what it stored verifies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 3 }), async (changes) => {
        const store = new MemoryStore({ counter: quarterCounter });
        const session = openStory(store);
        await session.append([{ role: 'user', content: 'first' }]);
        const drafts = [
          { role: 'user', content: 'second' },
          ...changes.map(({ path, make }) => put(path, make())),
        ] as EventDraft[];
        const appended = await session.append(drafts).catch((error: unknown) => {
          if (!PalimpsestError.isInstance(error)) throw error;
          return [];
        });
        const stored = appended.length;
        expect([0, drafts.length]).toContain(stored);
        expect((await store.page(session.key, 0, 100)).length).toBe(1 + stored);
        expect((await session.verify()).problems).toEqual([]);
        const prompt = await session.prompt();
        expect(prompt.accounting.raw.events).toBe(1 + stored);
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});
