import { cellsOf, displayWidth } from './display-width.ts';

/** A text of at most `width` cells: what is cut is marked by `mark`. No character a person sees as one is split. */
export function cut(text: string, width: number, mark = '…'): string {
  // A cell is at least one code unit, bar marks without width: no need to measure all of a long text.
  if (text.length <= width * 8 && displayWidth(text) <= width) return text;
  const room = width - displayWidth(mark);
  let out = '';
  let used = 0;
  for (const cell of cellsOf(text.slice(0, width * 32 + 32))) {
    if (used + cell.width > room) break;
    out += cell.text;
    used += cell.width;
  }
  return room < 0 ? '' : out.trimEnd() + mark;
}

/** Fills up with spaces to `width` cells. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Fills up with spaces in front to `width` cells. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Breaks a text at spaces into lines of at most `width` cells; a word longer than a line is broken where it must be. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const size = displayWidth(word);
    if (line !== '' && used + 1 + size <= room) {
      line += ` ${word}`;
      used += 1 + size;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = size > room ? breakUp(word, room) : [word];
    line = pieces.pop() ?? '';
    lines.push(...pieces);
    used = displayWidth(line);
  }
  lines.push(line);
  return lines;
}

function breakUp(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const cell of cellsOf(word)) {
    if (piece !== '' && used + cell.width > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += cell.text;
    used += cell.width;
  }
  pieces.push(piece);
  return pieces;
}
