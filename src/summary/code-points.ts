/** How many code points a text has; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (endsPair(text, index)) count -= 1;
  }
  return count;
}

/** Whether the code unit at `index` is the second half of a surrogate pair: no cut may come before it. */
export function endsPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 0xdc00 || code > 0xdfff) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
