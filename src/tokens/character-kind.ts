/**
 * What a UTF-16 code unit is to a tokenizer, coarsely. The three letter kinds come first so that "is a letter" is one
 * comparison.
 */
export const Kind = {
  lower: 0,
  upper: 1,
  latin: 2,
  space: 3,
  newline: 4,
  digit: 5,
  punctuation: 6,
  widePunctuation: 7,
  han: 8,
  kana: 9,
  hangul: 10,
  cyrillic: 11,
  greek: 12,
  arabic: 13,
  hebrew: 14,
  indic: 15,
  southeastAsian: 16,
  highSurrogate: 17,
  lowSurrogate: 18,
  symbol: 19,
  /** Before the first character. */
  start: 20,
} as const;

/** How many kinds there are. */
export const KIND_COUNT: number = Object.keys(Kind).length;

/** First code unit of each range, up to the next range's first. Scripts that cost about the same share a kind. */
const RANGES: readonly (readonly [first: number, kind: number])[] = [
  [0x00, Kind.punctuation],
  [0x09, Kind.space],
  [0x0a, Kind.newline],
  [0x0b, Kind.punctuation],
  [0x0d, Kind.newline],
  [0x0e, Kind.punctuation],
  [0x20, Kind.space],
  [0x21, Kind.punctuation],
  [0x30, Kind.digit],
  [0x3a, Kind.punctuation],
  [0x41, Kind.upper],
  [0x5b, Kind.punctuation],
  [0x61, Kind.lower],
  [0x7b, Kind.punctuation],
  [0x80, Kind.symbol],
  [0xa0, Kind.space],
  [0xa1, Kind.symbol],
  [0xc0, Kind.latin],
  [0xd7, Kind.symbol],
  [0xd8, Kind.latin],
  [0xf7, Kind.symbol],
  [0xf8, Kind.latin],
  [0x250, Kind.symbol],
  [0x300, Kind.latin],
  [0x370, Kind.greek],
  [0x400, Kind.cyrillic],
  [0x530, Kind.greek],
  [0x590, Kind.hebrew],
  [0x600, Kind.arabic],
  [0x900, Kind.indic],
  [0xe00, Kind.southeastAsian],
  [0x1100, Kind.hangul],
  [0x1200, Kind.southeastAsian],
  [0x1e00, Kind.latin],
  [0x1f00, Kind.greek],
  [0x2000, Kind.symbol],
  [0x2010, Kind.punctuation],
  [0x2030, Kind.symbol],
  [0x2e80, Kind.han],
  [0x3000, Kind.widePunctuation],
  [0x3030, Kind.kana],
  [0x3100, Kind.symbol],
  [0x3400, Kind.han],
  [0xa000, Kind.symbol],
  [0xac00, Kind.hangul],
  [0xd7b0, Kind.symbol],
  [0xd800, Kind.highSurrogate],
  [0xdc00, Kind.lowSurrogate],
  [0xe000, Kind.symbol],
  [0xf900, Kind.han],
  [0xfb00, Kind.symbol],
  [0xfb50, Kind.arabic],
  [0xfe00, Kind.symbol],
  [0xff00, Kind.widePunctuation],
  [0xff66, Kind.kana],
  [0xffa0, Kind.symbol],
];

/** The kind of every UTF-16 code unit, by code unit. */
export const KIND_OF: Uint8Array = kindsByCodeUnit();

function kindsByCodeUnit(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const [first, kind] of RANGES) kinds.fill(kind, first);
  return kinds;
}
