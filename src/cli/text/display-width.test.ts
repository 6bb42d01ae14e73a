import { expect, it } from 'vitest';
import { displayWidth } from './display-width.ts';

it.each([
  ['', 0],
  ['plain', 5],
  ['日本語', 6],
  ['ｶﾀｶﾅ', 4],
  ['한국어', 6],
  ['ＦＵＬＬ', 8],
  ['e\u0301', 1],
  ['🚢', 2],
  ['👩‍👩‍👧', 2],
  ['🇯🇵', 2],
  ['❤️', 2],
  ['→ – …', 5],
  ['\u001b[1mbold\u001b[22m', 4],
  ['\u001b[2m日本\u001b[22m', 4],
])('%j takes %i cells', (text, cells) => {
  expect(displayWidth(text)).toBe(cells);
});
