import type { Pacer } from './pacer.ts';
import { pieces, plain, skim } from './plain-text.ts';

/** Of one message so much is kept to be quoted; it is more than any budget quotes. */
const KEPT_HEAD = 16 * 1024;
const KEPT_TAIL = 8 * 1024;

/** A line that was pasted rather than written: stack frames, timestamps, prompts, diffs. */
const PASTED =
  /^\s*(?:at\s+\S+\s*\(|File "|\d{4}-\d\d-\d\d[T ]\d\d:|\[\d\d:\d\d|\$ |>>> |[+-]{3} |@@ |\{"|\|)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Whether a line opens or closes a block of code. */
export function isFence(line: string): boolean {
  return FENCE.test(line);
}

/**
 * Reads a message piece by piece: `line` is called with each written line, not with code, pasted output or blank ones.
 * Gives back the message in plain text, its middle skimmed when it is very long.
 */
export async function readLines(text: string, pace: Pacer, line: (text: string) => void): Promise<string> {
  let kept = '';
  let fenced = false;
  for (const piece of pieces(text)) {
    await pace.spend(piece.length);
    const clean = plain(piece);
    kept = skim(kept + clean, KEPT_HEAD, KEPT_TAIL);
    for (const each of clean.split('\n')) {
      if (FENCE.test(each)) fenced = !fenced;
      else if (!fenced && each.trim() !== '' && !PASTED.test(each)) line(each);
    }
  }
  return kept;
}
