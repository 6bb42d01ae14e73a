import { codePoints, endsPair } from './code-points.ts';

/** What JSON leaves as it is and may still break a line or steer a terminal: DEL, the C1 controls (U+0085), U+2028, U+2029. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]/gu;

/** Nothing in it needs an escape: so are most keys and names. */
const PLAIN = /^[ !#-[\]-~]{0,64}$/u;

/** A text as a JSON string on one line: every Unicode line break escaped, lone surrogates repaired. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text.toWellFormed()).replace(UNESCAPED, escaped);
}

/** The escapes of what {@link UNESCAPED} finds. */
const ESCAPES: ReadonlyMap<string, string> = new Map(
  [...Array.from({ length: 0xa0 - 0x7f }, (_, index) => 0x7f + index), 0x2028, 0x2029].map((code) => [
    String.fromCharCode(code),
    `\\u${code.toString(16).padStart(4, '0')}`,
  ]),
);

function escaped(char: string): string {
  return ESCAPES.get(char) ?? char;
}

/** Code points one code unit becomes inside {@link quoted}; the first half of a pair counts for both. */
function quotedWidth(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x20 && code < 0x7f) return code === 0x22 || code === 0x5c ? 2 : 1;
  if (code < 0x20)
    return code === 0x0a || code === 0x0d || code === 0x09 || code === 0x08 || code === 0x0c ? 2 : 6;
  if (code < 0xa0 || code === 0x2028 || code === 0x2029) return 6;
  return index > 0 && endsPair(text, index) ? 0 : 1;
}

/** Code points of `quoted(text)`, quotes included. */
export function quotedLength(text: string): number {
  let length = 2;
  for (let index = 0; index < text.length; index += 1) length += quotedWidth(text, index);
  return length;
}

/**
 * The text itself if, {@link quoted}, it takes at most `cap` code points; else its head half and its tail half around a
 * marker that says how many code points are missing, so that the whole, quoted, takes at most `cap`. No pair is split.
 */
export function capText(text: string, cap: number | false): string {
  if (cap === false || fits(text, cap)) return text;
  const total = codePoints(text);
  const room = Math.max(0, cap - 2 - codePoints(marker(total)));
  const headEnd = endWithin(text, 0, Math.ceil(room / 2));
  const tailStart = startWithin(text, headEnd, Math.floor(room / 2));
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  return head + marker(total - codePoints(head) - codePoints(tail)) + tail;
}

/** Whether a text, quoted, takes at most `cap` code points; measured only where its length does not say so. */
function fits(text: string, cap: number): boolean {
  if (text.length * 6 + 2 <= cap) return true;
  if (text.length > 2 * cap) return false;
  return quotedLength(text) <= cap;
}

function marker(missing: number): string {
  return `…[${missing} code points left out]…`;
}

/** The furthest end from `start` such that what lies between takes at most `room` code points when quoted. */
function endWithin(text: string, start: number, room: number): number {
  let left = room;
  let index = start;
  while (index < text.length) {
    left -= quotedWidth(text, index);
    if (left < 0) return index;
    index += 1;
  }
  return index;
}

/** The earliest start, not before `least`, such that what follows takes at most `room` code points when quoted. */
function startWithin(text: string, least: number, room: number): number {
  let left = room;
  let index = text.length;
  while (index > least) {
    let previous = index - 1;
    if (previous > 0 && endsPair(text, previous)) previous -= 1;
    left -= quotedWidth(text, previous);
    if (left < 0) return index;
    index = previous;
  }
  return index;
}

/**
 * Cuts a text into pieces that, {@link quoted}, take at most `room` code points each. The pieces joined are the text; no
 * pair is split; a piece ends after a blank where its last quarter has one, so that few values are parted.
 */
export function cutQuoted(text: string, room: number): readonly string[] {
  const pieces: string[] = [];
  // The widest code point takes 6, the quotes 2: any less would not advance.
  const inside = Math.max(6, room - 2);
  let start = 0;
  while (start < text.length) {
    const end = endWithin(text, start, inside);
    const cut = end === text.length ? end : afterBlank(text, start, end);
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  return pieces;
}

function afterBlank(text: string, start: number, end: number): number {
  const least = end - Math.floor((end - start) / 4);
  for (let index = end; index > least; index -= 1) {
    const code = text.charCodeAt(index - 1);
    if (code === 0x0a || code === 0x20 || code === 0x09 || code === 0x3000) return index;
  }
  return end;
}
