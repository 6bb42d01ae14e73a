import assert from 'node:assert/strict';
import type { DraftPart, EventDraft } from '../../event/event.ts';
import type { JsonValue } from '../../event/json.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { rejectsWith } from './story.ts';

const KEYS: JsonValue = JSON.parse('{"z":1,"a":2,"":3,"__proto__":{"x":1},"constructor":4,"10":5,"9":6}');

/** Texts and values that a careless store loses, changes or reorders. */
const VALUES: readonly (readonly [string, JsonValue])[] = [
  ['the empty text', ''],
  ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 \u{1f600}'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00b'],
  ['U+0000 and other controls', 'a\u0000b\u0001\u001f\u007f\u0085'],
  ['U+2028 and U+2029', 'a\u2028b\u2029c'],
  ['a byte order mark and U+FFFD', '\ufeffx\ufffd'],
  ['combining marks as they are, not composed', 'e\u0301 é'],
  ['quotes and statements', `'; DROP TABLE events; -- "x" \\ \\u0041 %s ?1`],
  ['line ends', 'a\r\nb\nc\r'],
  ['large and small numbers', [1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1, -(2 ** 53), 0.1]],
  ['the order and the names of keys', KEYS],
  ['empty lists and objects', [[], {}, [[]], { a: {} }]],
  ['null, true and false', [null, true, false]],
];

const CYCLE: { self?: unknown } = {};
CYCLE.self = CYCLE;
const SPARSE: unknown[] = [1];
SPARSE[2] = 3;
class Custom {
  readonly field = 1;
}

/** What JSON cannot carry, or not without loss. */
const REFUSED: readonly (readonly [string, unknown])[] = [
  ['a cycle', CYCLE],
  ['a BigInt', 1n],
  ['a class instance', new Custom()],
  ['a Date', new Date(0)],
  ['a Map', new Map()],
  ['a function', () => 1],
  ['a symbol', Symbol('s')],
  ['NaN', Number.NaN],
  ['an infinity', Number.POSITIVE_INFINITY],
  ['a sparse array', SPARSE],
  ['an accessor', Object.defineProperty({}, 'x', { get: () => 1, enumerable: true })],
  ['undefined in an array', [undefined]],
  ['nesting over 512 levels', nested(513)],
];

/** Drafts that are no events. */
const NO_EVENTS: readonly (readonly [string, unknown])[] = [
  ['a fragment', { role: 'user', content: 'a', partial: true }],
  ['a field of the store', { role: 'user', content: 'a', seq: 1 }],
  ['tokens', { role: 'user', content: 'a', tokens: 1 }],
  ['an unknown role', { role: 'robot', content: 'a' }],
  ['no content', { role: 'user' }],
  ['an unknown part', { role: 'user', content: [{ type: 'video' }] }],
  ['an empty id', { id: '', role: 'user', content: 'a' }],
  ['an id that is too long', { id: 'x'.repeat(513), role: 'user', content: 'a' }],
  ['an id with a lone surrogate', { id: '\ud800', role: 'user', content: 'a' }],
  ['a branch with an empty name', { role: 'user', content: 'a', lane: { branch: 'a..b', isolation: '' } }],
  ['a lane with U+0000', { role: 'user', content: 'a', lane: { branch: 'a\u0000', isolation: '' } }],
  ['an unknown finish', { role: 'user', content: 'a', finish: 'done' }],
  ['a negative count', { role: 'user', content: 'a', usage: { inputTokens: -1 } }],
  [
    'media with data and url',
    { role: 'user', content: [{ type: 'media', kind: 'image', mimeType: 'image/png', data: '', url: '' }] },
  ],
  ['no object', 'hello'],
  ['nothing', null],
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** One of each part, as it is stored. */
const PARTS: readonly DraftPart[] = [
  { type: 'text', text: 'a', providerState: { provider: 'openai', json: { id: 'm' } } },
  { type: 'reasoning', text: '', providerState: { provider: 'anthropic', json: { data: 'x' } } },
  { type: 'media', kind: 'image', mimeType: 'image/png', data: 'AAAA', name: 'a.png' },
  { type: 'media', kind: 'document', mimeType: 'application/pdf', url: 'https://example.test/a.pdf' },
  { type: 'refusal', text: 'no' },
  { type: 'code', language: 'python', code: 'print(1)', id: 'x' },
  { type: 'codeResult', outcome: 'ok', output: '1', id: 'x' },
  { type: 'toolCall', id: 'c', name: 'f', input: { raw: '{"unfinished": ' } },
  { type: 'toolCall', id: '\ud800\u0000', name: 'g\udfff', input: { json: { a: null } } },
  {
    type: 'toolResult',
    id: 'c',
    name: 'f',
    output: {
      parts: [
        { type: 'text', text: 'x' },
        { type: 'media', kind: 'image', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
    isError: true,
  },
  { type: 'opaque', provider: 'p', kind: 'web_search_call', json: { q: ['a'] } },
];

/** Content: kept byte for byte, or refused. */
export const contentCases: readonly ContractCase[] = [
  ...VALUES.map(([name, value]) =>
    contractCase(`keeps ${name}`, async (story) => {
      const drafts: readonly EventDraft[] = [
        { role: 'user', content: typeof value === 'string' ? value : 'x', metadata: { value } },
        { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'f', input: { json: value } }] },
        { role: 'tool', content: [{ type: 'toolResult', id: 'c', output: { json: { value } } }] },
      ];
      const appended = await story.append(...drafts);
      const stored = (await story.store.page(story.key, 0, 10)).map((row) => row.event);
      assert.deepStrictEqual(stored, appended);
      assert.equal(JSON.stringify(stored), JSON.stringify(appended));
      const [first, second] = stored;
      assert.equal(JSON.stringify(first?.metadata), JSON.stringify({ value }));
      assert.deepEqual(second?.content, drafts[1]?.content);
      if (typeof value === 'string') assert.deepEqual(first?.content, [{ type: 'text', text: value }]);
    }),
  ),

  contractCase('keeps a text of a megabyte', async (story) => {
    const text = 'line of text with ünïcödé 😀 in it\n'.repeat(30_000);
    const event = await story.add({ content: text });
    assert.deepEqual((await story.logged(event.seq)).event.content, [{ type: 'text', text }]);
  }),

  contractCase('keeps one of each part', async (story) => {
    const event = await story.add({ role: 'assistant', content: PARTS });
    assert.deepEqual(event.content, PARTS);
    assert.deepStrictEqual((await story.logged(1)).event, event);
    assert.deepEqual(
      (await story.store.obligations(story.key)).map((owed) => [owed.id, owed.name, owed.answeredBy]),
      [
        ['c', 'f', 1],
        ['\ud800\u0000', 'g\udfff', null],
      ],
    );
  }),

  contractCase('keeps every field of an event', async (story) => {
    const draft = {
      id: 'e',
      invocation: 'i',
      lane: { branch: 'a.b', isolation: 'task' },
      author: 'agent',
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'f', input: { json: 1 } }],
      reply: 'r',
      createdAt: 'some time',
      usage: { inputTokens: 5, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 2, promptRevision: 1 },
      finish: 'toolCalls',
      longRunning: ['c'],
      asks: [{ kind: 'authorization', id: 'q', call: 'c' }],
      answers: ['other'],
      metadata: { a: [1, { b: null }] },
    } as const;
    const event = await story.add(draft);
    const { seq, tokens, ...said } = (await story.logged(1)).event;
    assert.deepEqual(said, draft);
    assert.deepEqual([seq, tokens], [event.seq, event.tokens]);
  }),

  contractCase('keeps negative zero as the zero its JSON says', async (story) => {
    const event = await story.add({ metadata: { value: -0 } });
    assert.deepStrictEqual(event.metadata, { value: 0 });
    assert.deepStrictEqual((await story.logged(1)).event, event);
  }),

  ...REFUSED.map(([name, value]) =>
    contractCase(`refuses ${name}`, async (story) => {
      const good: EventDraft = { role: 'user', content: 'good' };
      const metadata = { value } as unknown as NonNullable<EventDraft['metadata']>;
      await rejectsWith('invalid_event', story.append(good, { ...good, metadata }));
      const content = [{ type: 'toolCall', name: 'f', input: { json: value as JsonValue } }] as const;
      await rejectsWith('invalid_event', story.append(good, { role: 'assistant', content }));
      assert.equal(await story.store.info(story.key), null);
    }),
  ),

  ...NO_EVENTS.map(([name, draft]) =>
    contractCase(`takes ${name} for no event`, async (story) => {
      const batch = story.append({ role: 'user', content: 'good' }, draft as EventDraft);
      await rejectsWith('invalid_event', batch);
      assert.equal(await story.store.info(story.key), null);
    }),
  ),
];
