import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../event/json.ts';
import type { Part } from '../event/part.ts';
import { sourceEvents } from './snapshot.ts';
import { loggedEvent, reachable } from './source.fixture.ts';

const state = { provider: 'anthropic', json: { signature: 'SIGNATURE', list: ['SIGNATURE'] } };
const ONE_MEGABYTE = 'AAAA'.repeat(262_144);

const media: Part = {
  type: 'media',
  kind: 'image',
  mimeType: 'image/png',
  data: ONE_MEGABYTE,
  name: 'plan.png',
};
const everyPart: readonly Part[] = [
  { type: 'text', text: 'look', providerState: state },
  { type: 'reasoning', text: 'thinking', providerState: state },
  media,
  { type: 'media', kind: 'document', mimeType: 'application/pdf', url: 'https://example.com/a.pdf' },
  { type: 'refusal', text: 'no' },
  { type: 'code', language: 'python', code: 'print(1)\n'.repeat(1_000), id: 'x1' },
  { type: 'code', language: 'python', code: 'print(2)' },
  { type: 'codeResult', outcome: 'ok', output: '1\n'.repeat(1_000), id: 'x1' },
  {
    type: 'toolCall',
    id: 'c1',
    name: 'read',
    input: { json: { deep: [{ deeper: [1, { deepest: null }] }] } },
    providerState: state,
  },
  { type: 'toolCall', id: 'c2', name: 'run', input: { raw: '{"not json' } },
  { type: 'toolResult', id: 'c1', name: 'read', output: { json: [[{ a: ['b'] }]] }, isError: false },
  {
    type: 'toolResult',
    id: 'c2',
    name: 'run',
    isError: true,
    output: {
      parts: [
        media,
        { type: 'reasoning', text: 'inner', providerState: state },
        {
          type: 'toolResult',
          id: 'n1',
          name: 'inner',
          isError: false,
          output: { parts: [{ type: 'text', text: 'innermost', providerState: state }] },
        },
      ],
    },
  },
  { type: 'opaque', provider: 'openai', kind: 'web_search_call', json: { query: { text: 'weather' } } },
];

const stored = [
  loggedEvent(7, everyPart, {
    role: 'assistant',
    author: 'coder',
    metadata: { secret: 'METADATA' },
    usage: { inputTokens: 5 },
    asks: [{ kind: 'confirmation', id: 'a1', call: 'c1' }],
  }),
  loggedEvent(9, [{ type: 'text', text: 'next' }]),
];

function withoutState(part: Part): JsonValue {
  return JSON.parse(
    JSON.stringify(part, (key, value: unknown) => (key === 'providerState' ? undefined : value)),
  ) as JsonValue;
}

describe('sourceEvents', () => {
  const shown = sourceEvents(stored, new Map([[stored[0]?.event.seq ?? 0, ['c2']]]));

  // Fails when an event, a part or a payload is passed on instead of copied.
  it('shares no object with what is stored, at any depth', () => {
    const ours = reachable(stored);
    for (const object of reachable(shown)) expect(ours.has(object)).toBe(false);
  });

  // Fails when one of the freezes is left out.
  it('is frozen at any depth', () => {
    for (const object of reachable(shown)) expect(Object.isFrozen(object)).toBe(true);
  });

  it('has the fields of a source event and nothing else', () => {
    expect(Object.keys(shown[0] ?? {}).sort()).toEqual([
      'author',
      'invocation',
      'parts',
      'role',
      'seq',
      'unanswered',
    ]);
    expect(shown.map(({ seq, role, author }) => [seq, role, author])).toEqual([
      [7, 'assistant', 'coder'],
      [9, 'user', 'user'],
    ]);
    expect(JSON.stringify(shown)).not.toContain('METADATA');
  });

  // Fails when a part is copied whole and its state cut off only where it stands on top.
  it('leaves provider state out inside results of results too', () => {
    expect(JSON.stringify(shown)).not.toContain('SIGNATURE');
    for (const object of reachable(shown)) expect(object).not.toHaveProperty('providerState');
  });

  it('brings every part whole: attachments, executed code, payloads', () => {
    expect(shown[0]?.parts).toEqual(everyPart.map(withoutState));
  });

  it('names the calls that nothing will answer, by event', () => {
    expect(shown.map(({ unanswered }) => unanswered)).toEqual([['c2'], []]);
  });

  // Fails when payloads are copied by assignment: `__proto__` then sets a prototype and is lost.
  it('takes __proto__ in a payload for an ordinary key', () => {
    const json = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as JsonValue;
    const [event] = sourceEvents(
      [loggedEvent(1, [{ type: 'toolCall', id: 'c', name: 't', input: { json } }])],
      new Map(),
    );
    expect(JSON.stringify(event?.parts[0])).toContain('"__proto__":{"polluted":true}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('cannot be written to, and a summarizer that tries changes nothing', () => {
    const before = JSON.stringify(stored);
    for (const object of reachable(shown)) {
      for (const key of Reflect.ownKeys(object)) expect(Reflect.set(object, key, 'changed')).toBe(false);
      expect(Reflect.set(object, 'added', 1)).toBe(false);
      expect(Reflect.setPrototypeOf(object, { polluted: true })).toBe(false);
    }
    expect(JSON.stringify(stored)).toBe(before);
  });
});
