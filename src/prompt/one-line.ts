const BREAKS = /[\p{Cc}\u2028\u2029]/gu;

/** A text on one line: control characters and every Unicode line break as `\uXXXX`, lone surrogates repaired. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(BREAKS, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
