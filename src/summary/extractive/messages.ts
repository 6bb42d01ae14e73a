import type { Pacer } from './pacer.ts';
import { pieces, plain, skim } from './plain-text.ts';

/** Of one message so much is kept to be quoted; it is more than any budget quotes. */
export const KEPT_HEAD: number = 16 * 1024;
export const KEPT_TAIL: number = 8 * 1024;

/** A line that was pasted rather than written: stack frames, timestamps, prompts, diffs. */
const PASTED =
  /^\s*(?:at\s+\S+\s*\(|File "|\d{4}-\d\d-\d\d[T ]\d\d:|\[\d\d:\d\d|\$ |>>> |[+-]{3} |@@ |\{"|\|)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Whether a line opens or closes a block of code. */
export function isFence(line: string): boolean {
  return FENCE.test(line);
}

/**
 * Calls `line` with each written line of a text, and `pasted` with code and pasted output; with blank lines neither.
 * Answers whether code was left open.
 */
export function eachLine(
  text: string,
  line: (text: string) => void,
  inCode = false,
  pasted?: (text: string) => void,
): boolean {
  let fenced = inCode;
  for (const each of text.split('\n')) {
    if (FENCE.test(each)) fenced = !fenced;
    else if (each.trim() !== '') {
      if (!fenced && !PASTED.test(each)) line(each);
      else pasted?.(each);
    }
  }
  return fenced;
}

/**
 * Reads a message piece by piece, calling `line` with each written line. Gives back the message in plain text, its
 * middle skimmed when it is very long.
 */
export async function readLines(text: string, pace: Pacer, line: (text: string) => void): Promise<string> {
  let kept = '';
  let fenced = false;
  for (const piece of pieces(text)) {
    await pace.spend(piece.length);
    const clean = plain(piece);
    kept = skim(kept + clean, KEPT_HEAD, KEPT_TAIL);
    fenced = eachLine(clean, line, fenced);
  }
  return kept;
}
