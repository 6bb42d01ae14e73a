/** For character classes: scripts that set no blanks between words, or join small words to the next. */
export const UNSPACED: string = [
  'Han',
  'Hiragana',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Arabic',
  'Hebrew',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Letters and digits of the other scripts: beside one of them another goes on with the same word. */
export const JOINING: RegExp = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]`, 'u');
