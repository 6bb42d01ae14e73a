import { nameForMessage } from '../event/errors.ts';

const BREAKS = /[\p{Cc}\u2028\u2029]/gu;
const BLANK = /^[\s\p{White_Space}\p{Cc}]*$/u;

/** A text on one line: control characters and every Unicode line break as `\uXXXX`, lone surrogates repaired. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(BREAKS, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** A name as labels hold it: quoted, on one line, cut, and no quote in it ends it. */
export function quoteName(name: string): string {
  return `"${nameForMessage(name).replaceAll('"', () => '\\"')}"`;
}

/** Whether a text has nothing to read: white space of any script and control characters only. Providers refuse such. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
