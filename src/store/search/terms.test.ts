import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_QUERY_TERMS, queryTermsOf, termsOf } from './terms.ts';

const terms = (text: string): readonly string[] => [...termsOf([text])];

describe('the terms of a text', () => {
  it.each([
    ['The End', ['the', 'end']],
    ['getUserName', ['getusername', 'get', 'user', 'name']],
    ['HTTPServer2', ['httpserver2', 'httpser', 'http', 'server']],
    ['src/foo_bar.ts', ['src', 'foo', 'src·foo', 'bar', 'foo·bar', 'ts', 'bar·ts']],
    ['a://b', ['a', 'b', 'a·b']],
    ['a - b, c', ['a', 'b', 'c']],
    ['a/////b', ['a', 'b']],
    ['東京', ['東', '京', '東京']],
    ['第3章', ['第', '3', '章']],
    ['naïve Ａ', ['naive', 'a']],
    ['\\nnext', ['nnext', 'next']],
    ['n\u0303o', ['no']],
    [`${'x'.repeat(63)}\u{10000}y`, ['x'.repeat(63), '\u{10000}y']],
    ['a1bcde\u{10000}g', ['a1bcde\u{10000}g', 'a1bcde', 'bcde\u{10000}g']],
    ['', []],
    ['…—!', []],
  ])('%j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('are some of an unbroken run, and not its parts', () => {
    const run = 'aB3'.repeat(100_000);
    const pieces = terms(run);
    expect(pieces).toHaveLength(3);
    for (const piece of pieces) expect(piece).toHaveLength(64);
    expect(queryTermsOf(run.slice(0, 64))[0]).toBe(pieces[0]);
  });

  // Putting so many marks in order would take minutes: brought back, this runs into its time.
  it('are made of heaped marks in time', () => {
    expect(terms(`a${'\u3099\u094d'.repeat(200_000)} end`)).toEqual(['a', 'end']);
  });

  // What stands in a query is a term in quotes: none may end it, and none may look like a mark of a lane.
  it('are of letters, digits and marks, and one sign', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(text, (said) => {
        for (const term of [...termsOf([said]), ...queryTermsOf(said)]) {
          expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+(?:·[\p{L}\p{N}\p{M}]+)?$/u);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('are found by any run of words of their text', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9]{1,12}$/);
    const sign = fc.constantFrom(' ', '/', '_', '.', ', ', '::', '\n', '-');
    const piece = fc.tuple(word, sign);
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (pieces, from, to) => {
        const said = pieces.flat().join('');
        const first = from % pieces.length;
        const asked = pieces.slice(first, first + 1 + (to % (pieces.length - first)));
        const known = termsOf([said]);
        for (const term of queryTermsOf(asked.flat().slice(0, -1).join(''))) expect(known).toContain(term);
      }),
    );
  });
});

describe('the terms of a question', () => {
  it('are pairs where characters stand in pairs', () => {
    expect(queryTermsOf('東京都')).toEqual(['東京', '京都']);
    expect(queryTermsOf('都')).toEqual(['都']);
  });

  it('are so many and no more', () => {
    const many = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ');
    expect(queryTermsOf(many)).toHaveLength(MOST_QUERY_TERMS);
    expect(queryTermsOf('a '.repeat(1_000_000))).toEqual(['a']);
  });
});
