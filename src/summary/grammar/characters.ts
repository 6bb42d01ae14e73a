/** What text may hold, by XML 1.0: a lone surrogate half is none. */
export function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** White space inside markup: four characters, fewer than Unicode has. */
export function isMarkupSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

type Ranges = readonly (readonly [first: number, last: number])[];

const NAME_START: Ranges = [
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x10000, 0xeffff],
];

const NAME_MORE: Ranges = [
  [0xb7, 0xb7],
  [0x300, 0x36f],
  [0x203f, 0x2040],
];

/** Whether a name of XML 1.0 may begin with it. */
export function startsName(code: number): boolean {
  if (code < 0x80) return isLetter(code) || code === 0x5f || code === 0x3a;
  return isWithin(code, NAME_START);
}

/** Whether a name of XML 1.0 may go on with it. */
export function continuesName(code: number): boolean {
  if (code < 0x80) return startsName(code) || isDigit(code) || code === 0x2d || code === 0x2e;
  return isWithin(code, NAME_START) || isWithin(code, NAME_MORE);
}

/** A decimal digit of ASCII. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The value of a hexadecimal digit of ASCII, or -1. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isWithin(code: number, ranges: Ranges): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}
