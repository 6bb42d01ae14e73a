import { expect, it } from 'vitest';
import { isBlank, isWhiteSpace, trimBlank } from './white-space.ts';

it('is white space for every code point what it is by Unicode', () => {
  const differing: number[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (isWhiteSpace(code) !== /^\p{White_Space}$/u.test(String.fromCodePoint(code))) differing.push(code);
  }
  expect(differing).toEqual([]);
});

// Fails when it is trim, which takes U+FEFF away and leaves U+0085.
it('trims what is white space by Unicode and nothing else', () => {
  expect(trimBlank('\u0085\u3000 \ufeff a b\u200b \n\u2028')).toBe('\ufeff a b\u200b');
  expect(trimBlank(' \u00a0')).toBe('');
  expect(isBlank(' \u00a0\u0085')).toBe(true);
  expect(isBlank('\ufeff')).toBe(false);
});
