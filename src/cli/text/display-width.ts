const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const STYLE = /\u001b\[[\d;]*m/g;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const NO_WIDTH = /^[\p{Mark}\p{Cc}\p{Cf}]+$/u;
/** East Asian wide and full width. Half-width kana (U+FF61 to U+FFDC) are not. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d8f}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

const graphemes: Intl.Segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What a person sees as one character, and how many cells of a terminal it takes: 0, 1 or 2. */
export interface Cell {
  readonly text: string;
  readonly width: number;
}

/** The cells of a text without styles. */
export function* cellsOf(text: string): Generator<Cell> {
  if (PRINTABLE_ASCII.test(text)) {
    for (const char of text) yield { text: char, width: 1 };
    return;
  }
  for (const { segment } of graphemes.segment(text)) yield { text: segment, width: widthOf(segment) };
}

/** How many cells of a terminal a text takes; styles take none. */
export function displayWidth(text: string): number {
  const plain = text.includes('\u001b') ? text.replace(STYLE, '') : text;
  if (PRINTABLE_ASCII.test(plain)) return plain.length;
  let width = 0;
  for (const cell of cellsOf(plain)) width += cell.width;
  return width;
}

function widthOf(grapheme: string): number {
  if (EMOJI.test(grapheme) || WIDE.test(grapheme)) return 2;
  return NO_WIDTH.test(grapheme) ? 0 : 1;
}
