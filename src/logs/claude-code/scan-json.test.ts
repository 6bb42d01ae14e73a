import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanFields } from './scan-json.ts';

function fieldsIn(text: string): { readonly fields: Map<string, unknown>; readonly end: number } {
  const bytes = Buffer.from(text);
  const fields = new Map<string, unknown>();
  const end = scanFields(bytes, 0, bytes.length, (nameStart, nameEnd, from, to) => {
    const name = JSON.parse(`"${bytes.toString('utf8', nameStart, nameEnd)}"`) as string;
    fields.set(name, JSON.parse(bytes.toString('utf8', from, to)));
  });
  return { fields, end };
}

describe('scanFields', () => {
  test('finds the fields a parser finds, whatever the values hold', () => {
    // Comes back when an escaped quote ends a string, or a bracket in a string counts.
    const text = fc.stringMatching(/^[a"\\{}[\]:,🎉\n]{0,120}$/u);
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(text, value), fc.constantFrom(undefined, 1), (object, indent) => {
        const json = JSON.stringify(object, null, indent);
        const { fields, end } = fieldsIn(json);
        expect(end).toBe(Buffer.byteLength(json));
        expect([...fields]).toEqual(Object.entries(JSON.parse(json) as object));
      }),
      { numRuns: 500 },
    );
  });

  test('says -1 of an object that was cut anywhere', () => {
    const json = JSON.stringify({ a: 'x"\\', b: [1, { c: '}' }], d: `${'long '.repeat(30)}"`, e: true });
    for (let cut = 0; cut < json.length; cut += 1) {
      const bytes = Buffer.from(json.slice(0, cut));
      expect(scanFields(bytes, 0, bytes.length, () => undefined)).toBe(-1);
    }
  });

  test('finds the end of long strings however many backslashes stand before a quote', () => {
    // Comes back when the search that long strings end with takes an escaped quote for their end.
    for (let length = 40; length < 60; length += 1) {
      for (let backslashes = 0; backslashes < 5; backslashes += 1) {
        const text = `${'x'.repeat(length)}${'\\'.repeat(backslashes)}"${'\\'.repeat(backslashes)}`;
        expect([...fieldsIn(JSON.stringify({ text, next: 1 })).fields]).toEqual([
          ['text', text],
          ['next', 1],
        ]);
      }
    }
  });

  test('keeps to its bounds: a string that ends only beyond them does not end', () => {
    const bytes = Buffer.from(`{"a":"${'x'.repeat(100)}"}`);
    let heard = 0;
    expect(scanFields(bytes, 0, 60, () => (heard += 1))).toBe(-1);
    expect(heard).toBe(0);
  });

  test.each(['', '[1]', '42', '"text"', '{"a" 1}', '{"a":}', '{a:1}', '{"a":1,}', '{"a":1 "b":2}'])(
    '%j is no object',
    (text) => {
      const bytes = Buffer.from(text);
      expect(scanFields(bytes, 0, bytes.length, () => undefined)).toBe(-1);
    },
  );
});
