import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoints } from '../code-points.ts';
import { redactSecrets } from '../secret-shapes.ts';
import { deepFreeze, shownEvent, text } from '../source.fixture.ts';
import type { SourceEvent } from '../summarizer.ts';
import { extractLiterals, literalSteps } from './extract-literals.ts';
import { isKept } from './is-kept.ts';
import { LONGEST_LITERAL } from './literal-kind.ts';

/** Pieces that values, and what breaks them, are made of. */
const word = fc.oneof(
  fc.constantFrom(
    '/srv/a.ts',
    'src/b/',
    'https://x.io/',
    'ORD-1',
    '12',
    '.5',
    ' km',
    ' ',
    '\n',
    '`',
    '"',
    '「',
    '」',
  ),
  fc.constantFrom(
    'Never',
    ' push',
    ' to ',
    'Anna ',
    'Lee',
    'の',
    '東京',
    '😀',
    '\ud83d',
    '&lt;',
    '```\n',
    '$ ',
    '=',
    ':',
  ),
  fc.constantFrom(
    '2026-03-05',
    'March 5',
    '10:30',
    '$',
    '%',
    'a@b.io',
    '__proto__',
    'sk-',
    '<',
    '>',
    '\u0000',
    '\u2028',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const said = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));
const event = fc
  .tuple(said, fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const), said)
  .map(([words, role, input]): Omit<SourceEvent, 'seq'> => {
    if (role === 'tool') {
      const output = { parts: [text(words)] };
      return shownEvent(1, [{ type: 'toolResult', id: 'c', name: 't', output, isError: false }], { role });
    }
    const call = {
      type: 'toolCall',
      id: 'c',
      name: 't',
      input: { json: { path: input, q: words } },
    } as const;
    return shownEvent(1, role === 'user' ? [text(words)] : [text(words), call], { role });
  });
const events = fc
  .array(event, { maxLength: 8 })
  .map((all) => deepFreeze(all.map((each, index) => ({ ...each, seq: index + 1 }))));

describe('extractLiterals', () => {
  it('gives bounded, well-formed, distinct lines, the same every time', () => {
    fc.assert(
      fc.property(events, said, (shown, prose) => {
        const previous = [{ text: prose, literals: [{ text: 'ORD-9', from: 'user' as const }] }];
        const all = extractLiterals(shown, previous);
        expect(all.length).toBeLessThanOrEqual(200);
        expect(new Set(all.map((each) => each.text)).size).toBe(all.length);
        for (const { text: value } of all) {
          expect(codePoints(value)).toBeLessThanOrEqual(LONGEST_LITERAL);
          expect(value).toMatch(/\S/u);
          expect(value.isWellFormed()).toBe(true);
          expect(value).not.toMatch(/[\n\r\u0085\u2028\u2029]/u);
        }
        expect(extractLiterals(shown, previous)).toEqual(all);
      }),
      { numRuns: 500 },
    );
  });

  // Fails when a value is trimmed to something that does not stand in the text, by the definition that measures it.
  it('finds what the text it was found in keeps', () => {
    fc.assert(
      fc.property(said, (words) => {
        const clean = words.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f&]/gu, '');
        const all = extractLiterals([shownEvent(1, [text(clean)])], []);
        // A rule may speak of a secret: it is carried without it.
        const plain = all.filter((literal) => !literal.text.includes('[secret]'));
        expect(plain.filter((literal) => !isKept(literal, redactSecrets(clean)))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  // Fails when a value of a tool's output counts by itself: every value here is only in one.
  it('takes nothing from a tool’s output alone', () => {
    fc.assert(
      fc.property(said, (words) => {
        const output = { parts: [text(`${words} ORD-77123 /only/in/output.ts "quoted words"`)] };
        const result = { type: 'toolResult', id: 'c', name: 't', output, isError: false } as const;
        expect(extractLiterals([shownEvent(1, [result], { role: 'tool' })], [])).toEqual([]);
      }),
    );
  });
});

describe('the time it takes', () => {
  it.each([
    ['one letter', 'a'.repeat(400_000)],
    ['capitals', 'A'.repeat(400_000)],
    ['digits', '1'.repeat(400_000)],
    ['digits and dots', '1.'.repeat(200_000)],
    ['slashes', '/a'.repeat(200_000)],
    ['quotation marks', '"'.repeat(400_000)],
    ['open quotations', '"a '.repeat(130_000)],
    ['backticks', '` '.repeat(200_000)],
    ['addresses', 'a://'.repeat(100_000)],
    ['brackets in addresses', `https://${')'.repeat(400_000)}`],
    ['at signs', 'a@'.repeat(200_000)],
    ['underscores', '_a'.repeat(200_000)],
    ['ideographs', '東'.repeat(400_000)],
    ['surrogates', '😀'.repeat(200_000)],
    ['blanks', ' '.repeat(400_000)],
    ['names', 'Anna Lee '.repeat(45_000)],
    ['months', 'March '.repeat(65_000)],
    ['lines', 'Never push to main.\n'.repeat(20_000)],
    ['distinct ids', Array.from({ length: 40_000 }, (_, at) => `ORD-${at}`).join(' ')],
  ])('is bounded by the length: %s', (_name, value) => {
    const started = performance.now();
    let slowest = 0;
    let last = started;
    const steps = literalSteps([shownEvent(1, [text(value)])], []);
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      const now = performance.now();
      slowest = Math.max(slowest, now - last);
      last = now;
    }
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(slowest).toBeLessThan(1_000);
  });
});
