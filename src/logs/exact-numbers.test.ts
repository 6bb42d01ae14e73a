import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../event/json.ts';
import { parseWithSources, toolInputOf } from './exact-numbers.ts';
import { fieldsOf } from './json-fields.ts';

/** What is kept of `{"call":{"input":…}}`. */
function kept(input: string): unknown {
  const text = `{"call":{"input":${input}}}`;
  const exact = parseWithSources(text);
  const call = fieldsOf(fieldsOf(exact?.revived ?? (JSON.parse(text) as JsonValue))?.['call']);
  return toolInputOf(call?.['input'], exact?.numbers ?? null);
}

describe('arguments whose numbers JavaScript cannot carry', () => {
  // Each comes back when arguments are kept as parsed values only.
  test.each([
    ['{"id":9007199254740993}'],
    ['{"list":[1,{"deep":123456789012345678901}]}'],
    ['{"price":1.0}'],
    ['{"price":[1.50]}'],
    ['{"big":1e400}'],
    ['{"small":1E-7}'],
    ['{"zero":-0}'],
    ['{"__proto__":{"id":9007199254740993}}'],
  ])('%s is kept as its text', (input) => {
    expect(kept(input)).toEqual({ raw: input });
  });

  test.each([
    ['{"id":9007199254740991,"name":"1.0, 1e5 and 12345678901234567890"}'],
    ['{"n":[0,1,-5,0.5,1.25],"text":": 1.0,"}'],
    ['{"at":"2026-01-01T00:00:00.000Z"}'],
  ])('%s survives as a value', (input) => {
    expect(kept(input)).toEqual({ json: JSON.parse(input) });
  });

  test('elsewhere in the line, they change nothing', () => {
    const exact = parseWithSources('{"usage":{"cost":1.0},"input":{"a":1}}');
    expect(exact).not.toBeNull();
    expect(toolInputOf(fieldsOf(exact?.revived)?.['input'], exact?.numbers ?? null)).toEqual({
      json: { a: 1 },
    });
  });

  test('any JSON is kept so that reading it back gives the same text or the same value', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (input) => {
        const result = kept(input) as { raw?: string; json?: unknown };
        const value: unknown = result.raw === undefined ? result.json : JSON.parse(result.raw);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(input)));
      }),
    );
  });

  test('nesting that no reviver can walk is left to the check that refuses it', () => {
    const deep = `{"a":${'['.repeat(200_000)}1.0${']'.repeat(200_000)}}`;
    expect(parseWithSources(deep)).toBeNull();
  });

  // Quadratic looking does not come to an end before the runner's limit.
  test('looking for them comes to an end on long runs of digits', () => {
    const texts = ['1'.repeat(200_000), ': 1.'.repeat(50_000), `:${'0'.repeat(200_000)}`];
    for (const text of texts) expect(parseWithSources(JSON.stringify({ text: `:${text}` }))).toBeDefined();
  });
});
