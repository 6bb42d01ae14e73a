/** What a UTF-16 code unit is to a search, as bits: those of a run's characters are put together. */
export const Class = {
  /** Parts words, and names. */
  none: 0,
  /** One of the signs that may stand between the parts of one name. */
  connects: 1,
  lower: 2,
  upper: 4,
  digit: 8,
  /** Of a word, and not ASCII: a letter, a digit, a mark, or half of a pair that may be one. */
  wide: 16,
} as const;

/** All that words are of. */
export const OF_A_WORD: number = Class.lower | Class.upper | Class.digit | Class.wide;

const CONNECTING = "-_./\\:@#+~'=>&?%";
const WIDE = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;

let classes: Uint8Array | undefined;

/** The class of every code unit, by code unit; made when it is first needed. */
export function classesByCodeUnit(): Uint8Array {
  if (classes !== undefined) return classes;
  const made = new Uint8Array(0x1_0000);
  for (const sign of CONNECTING) made[sign.charCodeAt(0)] = Class.connects;
  made.fill(Class.digit, 0x30, 0x3a);
  made.fill(Class.upper, 0x41, 0x5b);
  made.fill(Class.lower, 0x61, 0x7b);
  for (let code = 0x80; code <= 0xffff; code += 1) {
    if (WIDE.test(String.fromCharCode(code))) made[code] = Class.wide;
  }
  classes = made;
  return made;
}
