/** Something that can be read: neither white space, nor a control, nor what shows nothing (U+200B, U+FEFF, joiners, fillers). */
const READABLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether there is nothing to read. Characters that show nothing by themselves are part of real scripts (a joiner between
 * letters): they are blank only where nothing else is.
 */
export function isBlank(text: string): boolean {
  return !READABLE.test(text);
}

/** Whether a code point is Unicode `White_Space`. */
export function isWhiteSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  if (code < 0x2000) return code === 0x1680;
  if (code <= 0x205f) {
    return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f;
  }
  return code === 0x3000;
}

/** A text without the blanks around it. */
export function trimBlank(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
