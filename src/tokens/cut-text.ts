/** Longest run the tokenizer is handed whole: merging is worse than linear in a run's length. */
const LONGEST_RUN = 256;

const Group = { any: 0, letter: 1, digit: 2, blank: 3, sign: 4 } as const;

/**
 * Cuts a text so that the tokenizer takes no more than about 500 characters of a piece as one word, run of signs or
 * run of blanks, whatever the text: a run is cut every 256. Nearly every text is one piece. The pieces joined are the
 * text; no surrogate pair is cut.
 *
 * A run ends only where two characters meet that are surely never taken together: ASCII letters, digits, blanks and
 * signs of different groups. Line breaks and all that is not ASCII may go with either side, so they end nothing.
 */
export function cutUnbroken(text: string): readonly string[] {
  const pieces: string[] = [];
  let pieceStart = 0;
  let runStart = 0;
  let group: number = Group.any;
  for (let index = 0; index < text.length; index += 1) {
    const next = groupOf(text.charCodeAt(index));
    if (next !== Group.any && next !== group) {
      if (group !== Group.any) runStart = index;
      group = next;
    }
    if (index - runStart >= LONGEST_RUN) {
      const end = wholeCharacterEnd(text, index);
      pieces.push(text.slice(pieceStart, end));
      pieceStart = end;
      runStart = end;
    }
  }
  pieces.push(text.slice(pieceStart));
  return pieces;
}

/** The index itself, or the one before where a cut at it would part a surrogate pair. */
export function wholeCharacterEnd(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0xdc00 || code > 0xdfff || index === 0) return index;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff ? index - 1 : index;
}

function groupOf(code: number): number {
  if (code >= 0x80 || code === 0x0a || code === 0x0d) return Group.any;
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return Group.letter;
  if (code >= 0x30 && code <= 0x39) return Group.digit;
  if (code === 0x20 || (code >= 0x09 && code <= 0x0c)) return Group.blank;
  return Group.sign;
}
