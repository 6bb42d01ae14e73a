import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterEnd, clusterStart } from './cluster.ts';

const FAMILY = '👩‍👩‍👧‍👦';

/** Where Unicode lets a text be cut, as the runtime has it. */
function edges(text: string): ReadonlySet<number> {
  const segments = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text);
  return new Set([...segments].map(({ index }) => index).concat(text.length));
}

describe('the edge of a cluster', () => {
  it.each([
    ['a family', FAMILY],
    ['a flag', '🇫🇷'],
    ['a skin tone', '👍🏽'],
    ['a keycap', '1️⃣'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a letter with marks', 'e\u0301\u0323'],
    ['a vowel sign', '\u0915\u093f'],
    ['a non-joiner', '\u06cc\u200c'],
    ['CR LF', '\r\n'],
  ])('is not within %s', (_name, cluster) => {
    const text = `x${cluster}y`;
    for (let index = 2; index <= cluster.length; index += 1) {
      expect(clusterEnd(text, index)).toBe(1);
      expect(clusterStart(text, index)).toBe(1 + cluster.length);
    }
    expect(clusterEnd(text, 1)).toBe(1);
    expect(clusterStart(text, 1 + cluster.length)).toBe(1 + cluster.length);
  });

  // Fails where every two regional indicators are held for one flag: a cut within a row of flags would part them.
  it('is between two flags', () => {
    const text = '🇫🇷🇩🇪🇯🇵';
    expect([2, 4, 6, 8, 10].map((index) => clusterEnd(text, index))).toEqual([0, 4, 4, 8, 8]);
    expect([2, 4, 6, 8, 10].map((index) => clusterStart(text, index))).toEqual([4, 4, 8, 8, 12]);
  });

  it('is an edge by Unicode, and the nearest', () => {
    const piece = fc.constantFrom(
      'a',
      'é',
      ' ',
      '\n',
      '\r\n',
      FAMILY,
      '🇫🇷',
      '👍🏽',
      '漢',
      'e\u0301',
      '❤️',
      '𝒳',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(), (pieces, at) => {
        const text = pieces.join('');
        const index = at % (text.length + 1);
        const all = [...edges(text)];
        expect(clusterEnd(text, index)).toBe(Math.max(...all.filter((edge) => edge <= index)));
        expect(clusterStart(text, index)).toBe(Math.min(...all.filter((edge) => edge >= index)));
      }),
      { numRuns: 500 },
    );
  });

  it('parts no pair where a cluster has no end, and looks no further than it must', () => {
    const marks = `e${'\u0301'.repeat(1_000)}`;
    expect(clusterEnd(marks, 500)).toBe(500);
    expect(clusterStart(marks, 500)).toBe(500);
    const pairs = `e${'\u{1d167}'.repeat(1_000)}`;
    expect(clusterEnd(pairs, 500)).toBe(499);
    expect(clusterStart(pairs, 500)).toBe(501);
  });
});
