import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoints } from './code-points.ts';
import { jsonText } from './json-text.ts';
import { capText, cutQuoted, quoted, quotedLength } from './quoted.ts';
import { LINE_BREAKS } from './source.fixture.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '\n',
        '\r',
        '\v',
        '\f',
        '\u0085',
        '\u2028',
        '\u2029',
        '"',
        '\\',
        '\u0000',
        '\ud83d',
        '\ude00',
        '😀',
        'a',
        ' ',
      ),
    )
    .map((all) => all.join('')),
);

describe('quoted', () => {
  // Fails when any of the C1 controls, U+2028 or U+2029 is left to JSON.stringify, which does not escape them.
  it('is one line of JSON that says the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = quoted(text);
        expect(line.split(LINE_BREAKS)).toHaveLength(1);
        expect(line.isWellFormed()).toBe(true);
        expect(JSON.parse(line)).toBe(text.toWellFormed());
      }),
    );
  });

  it('is as long as measured', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(quotedLength(text)).toBe(codePoints(quoted(text)));
      }),
    );
  });
});

describe('jsonText', () => {
  it('says the same as JSON.stringify, on one line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const line = jsonText(value as never);
        expect(line.split(LINE_BREAKS)).toHaveLength(1);
        expect(line.isWellFormed()).toBe(true);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value).toWellFormed()));
      }),
    );
  });

  it.each(['[]', '{}', '[[],{}]', '{"a":[1,{"b":null}],"__proto__":{"c":-0.5e30},"":true}'])(
    'keeps %s as it is',
    (json) => {
      expect(JSON.parse(jsonText(JSON.parse(json)))).toEqual(JSON.parse(json));
    },
  );

  // Fails when it calls itself for what is nested.
  it('takes any nesting', () => {
    const depth = 200_000;
    const text = `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`;
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = [{ a: value }];
    expect(jsonText(value as never)).toBe(text);
  });
});

const MARKER = /…\[(\d+) code points left out\]…/u;

describe('capText', () => {
  // Fails when a cap is measured before escaping, or without the marker: each break doubles, and 2,000 become 2,024 and more.
  it('bounds the value as rendered, escapes and marker and quotes included', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 40 }), fc.integer({ min: 64, max: 300 }), (texts, cap) => {
        const text = texts.join('').replaceAll('…', '.');
        const capped = capText(text, cap);
        expect(codePoints(quoted(capped))).toBeLessThanOrEqual(cap);
        expect(capped === text).toBe(quotedLength(text) <= cap);
        const [head = '', missing = 0, tail = ''] = capped.split(MARKER);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(codePoints(head) + codePoints(tail) + Number(missing)).toBe(codePoints(text));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the head half and the tail half, and uses the room there is', () => {
    const capped = capText('abcdefghij'.repeat(1_000), 200);
    expect(codePoints(quoted(capped))).toBeGreaterThan(195);
    const [head = '', tail = ''] = capped.split(MARKER).filter((_, index) => index !== 1);
    expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(2);
    expect(capped.startsWith('abcdefghij')).toBe(true);
    expect(capped.endsWith('abcdefghij')).toBe(true);
  });

  // Fails when halves are cut by code unit.
  it('never splits a pair', () => {
    for (let cap = 64; cap < 72; cap += 1) expect(capText('😀'.repeat(500), cap).isWellFormed()).toBe(true);
    for (let cap = 64; cap < 72; cap += 1)
      expect(capText(`a${'😀'.repeat(500)}b`, cap).isWellFormed()).toBe(true);
  });

  it('leaves a text alone that fits exactly, and one whose cap is off', () => {
    expect(capText('x'.repeat(98), 100)).toBe('x'.repeat(98));
    expect(capText('x'.repeat(99), 100)).not.toBe('x'.repeat(99));
    expect(capText('x'.repeat(100_000), false)).toBe('x'.repeat(100_000));
  });
});

describe('cutQuoted', () => {
  it('cuts into pieces that fit, joined are the text, and begin inside no pair', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 40 }), fc.integer({ min: -5, max: 60 }), (texts, room) => {
        const text = texts.join('');
        const pieces = cutQuoted(text, room);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          expect(piece).not.toBe('');
          expect(codePoints(quoted(piece))).toBeLessThanOrEqual(Math.max(8, room));
        }
        // Cut at code points: the pieces have as many as the text.
        expect(pieces.reduce((sum, piece) => sum + codePoints(piece), 0)).toBe(codePoints(text));
      }),
      { numRuns: 500 },
    );
  });

  it('ends a piece after a blank rather than within a value', () => {
    expect(cutQuoted('one two three order-4711 five', 19)).toEqual(['one two three ', 'order-4711 five']);
  });
});
