import { type Emit, TAKEN } from './numbers.ts';

const SCHEME_BEFORE = /[A-Za-z][A-Za-z0-9+.-]{0,20}$/;
const URL_END = /[\s<>"'`“”‘’«»「」『』（）【】、。，\\]/u;
/** Of a longer one nothing is carried. */
const LONGEST_URL = 500;

/** Finds addresses in a line, and answers the line with `TAKEN` in their place. */
export function findUrls(line: string, emit: Emit): string {
  let out = '';
  let from = 0;
  for (let at = line.indexOf('://'); at >= 0; at = line.indexOf('://', Math.max(from, at + 3))) {
    const scheme = SCHEME_BEFORE.exec(line.slice(Math.max(from, at - 21), at))?.[0];
    if (scheme === undefined) continue;
    const start = at - scheme.length;
    const length = line.slice(at, at + LONGEST_URL).search(URL_END);
    const end = length < 0 ? Math.min(line.length, at + LONGEST_URL) : at + length;
    const url = trimmed(line.slice(start, end));
    if (/[\p{L}\p{N}]/u.test(url.slice(scheme.length + 3))) emit('url', url);
    out += line.slice(from, start) + TAKEN;
    from = end;
  }
  return out + line.slice(from);
}

/** Without the marks of the sentence around it; a closing bracket stays where its opening one is part of the address. */
function trimmed(url: string): string {
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url.charAt(end - 1);
    if (/[.,;:!?*_~|…]/.test(last)) continue;
    const opening = last === ')' ? '(' : last === ']' ? '[' : last === '}' ? '{' : undefined;
    if (opening === undefined || countOf(url, opening, end) >= countOf(url, last, end)) break;
  }
  return url.slice(0, end);
}

function countOf(text: string, char: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(char); at >= 0 && at < end; at = text.indexOf(char, at + 1)) count += 1;
  return count;
}
