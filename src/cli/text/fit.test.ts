import { expect, it } from 'vitest';
import { displayWidth } from './display-width.ts';
import { cut, padEnd, padStart, wrap } from './fit.ts';

it('cuts to cells and says so', () => {
  expect(cut('abcdef', 6)).toBe('abcdef');
  expect(cut('abcdefg', 6)).toBe('abcde…');
  expect(cut('abcdefg', 6, '...')).toBe('abc...');
  expect(cut('日本語日本語', 7)).toBe('日本語…');
  expect(cut('日本語日本語', 6)).toBe('日本…');
});

it('never splits what is seen as one character', () => {
  // Cutting by code units leaves half an emoji, a lone joiner or a bare flag letter.
  expect(cut('a👩‍👩‍👧👩‍👩‍👧', 4)).toBe('a👩‍👩‍👧…');
  expect(cut('🇯🇵🇯🇵🇯🇵', 5)).toBe('🇯🇵🇯🇵…');
});

it('gives nothing where not even the mark fits', () => {
  expect(cut('abc', 0)).toBe('');
  expect(cut('abcdef', 2, '...')).toBe('');
});

it('cuts a very long text by its beginning alone', () => {
  expect(cut('x'.repeat(2_000_000), 10)).toBe('xxxxxxxxx…');
});

it('fills up by cells, so that wide characters align', () => {
  expect(padEnd('日本', 6)).toBe('日本  ');
  expect(padStart('12', 5)).toBe('   12');
  expect(padEnd('too long', 3)).toBe('too long');
});

it('wraps at spaces, and breaks a word only where it must', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('', 8)).toEqual(['']);
  expect(wrap('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
  expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
});

it('makes no line wider than asked for, whatever the text', () => {
  for (const width of [1, 2, 7, 40]) {
    for (const line of wrap('a 👩‍👩‍👧 verylongwordwithoutspaces 日本語 x'.repeat(20), width)) {
      expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 2));
    }
  }
});
