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
});

// Fails when blank is white space alone: a summary of joiners would stand for the events it says nothing of.
it.each([
  '',
  ' \u00a0\u0085\u3000',
  '\ufeff',
  '\u200b\u200b \u2060',
  '\u200c\u200d\ufe0f',
  '\u3164\u115f',
  '\u{e0001}\u{e0041}',
  '\u0000\u001b',
])('is blank where there is nothing to read: %j', (text) => {
  expect(isBlank(text)).toBe(true);
});

it.each([
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', // Persian: a non-joiner within the word
  '\u0915\u094d\u200d\u0937', // Hindi: a joiner after the virama
  '\u200b\u200d\u0e01', // Thai: a break where no blank is
  '\u{1f469}\u200d\u{1f4bb}', // an emoji of two
  '\u2764\ufe0f',
  '\u0301', // a mark that shows by itself
  '\ufeff.',
  '\ud800',
])('is not blank in any script: %j', (text) => {
  expect(isBlank(text)).toBe(false);
});
