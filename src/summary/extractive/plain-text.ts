import { endsPair } from '../code-points.ts';
import { redactSecrets } from '../secret-shapes.ts';

/** Text is read in pieces of about this many code units, so that one pasted megabyte never blocks. */
const PIECE = 16 * 1024;

/** An unbroken run of ASCII this long is data (base64, minified code), not words. */
const DATA_RUN = /[!-~]{300,}/g;

const TERMINAL = /\u001b(?:\[[0-9;?]{0,32}[@-~]?|\][^\u0007\u001b\n]{0,200}(?:\u0007|\u001b\\)?|[@-Z\\-_]?)/g;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;
const NEWLINE = /\r\n?|[\u0085\u2028\u2029]/g;

/** Text fit to be quoted: well-formed, one kind of newline, no terminal escapes or control characters, no secrets, no runs of data. */
export function plain(text: string): string {
  const clean = text.toWellFormed().replace(TERMINAL, '').replace(NEWLINE, '\n').replace(FORBIDDEN, '');
  return redactSecrets(clean).replace(DATA_RUN, '[…]');
}

/** Consecutive pieces of a text, parted at a newline or a blank where there is one near. */
export function* pieces(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PIECE * 1.25) {
    const to = pieceEnd(text, from + PIECE);
    yield text.slice(from, to);
    from = to;
  }
  if (from < text.length) yield text.slice(from);
}

function pieceEnd(text: string, wanted: number): number {
  const newline = text.lastIndexOf('\n', wanted);
  if (newline > wanted - PIECE / 2) return newline + 1;
  const blank = text.lastIndexOf(' ', wanted);
  if (blank > wanted - PIECE / 2) return blank + 1;
  return onBoundary(text, wanted);
}

function onBoundary(text: string, at: number): number {
  return endsPair(text, at) ? at - 1 : at;
}

/** Head and tail of a long text; the middle is skimmed over. */
export function skim(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  return `${text.slice(0, onBoundary(text, head))}\n…\n${text.slice(onBoundary(text, text.length - tail))}`;
}

/** One line, blanks squeezed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What two texts that say the same have in common: letters and digits alone, in one case. */
export function sameness(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
