// Text of a log must not steer the terminal it is shown in: what a terminal would obey is shown as an escape instead.

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
const CONTROL_BUT_LAYOUT = /(?![\n\t])[\p{Cc}\u2028\u2029]/gu;
/** Marks that reorder or hide what follows them. The joiners U+200C and U+200D stay: scripts and emoji need them. */
const REORDERING =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** A text on one line, with nothing in it a terminal would obey. */
export function visible(text: string): string {
  return text.toWellFormed().replace(CONTROL, escaped).replace(REORDERING, escaped);
}

/** The same, but its own line breaks and tabs stay. */
export function visibleLines(text: string): string {
  return text.toWellFormed().replace(CONTROL_BUT_LAYOUT, escaped).replace(REORDERING, escaped);
}

/** One line of prose: runs of white space become one space, the rest as {@link visible}. */
export function visibleProse(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
