import { KIND_COUNT, Kind } from './character-kind.ts';

// All costs are hundredths of a token, fitted against o200k: docs/decisions/0001-token-estimate.md says on what, and
// how far off they are. Whole numbers, so that a count is the same on every machine.

/** Letters of one word beyond this many are in no vocabulary together. */
export const LONG_WORD = 12;
const LONG_WORD_LETTER = 72;

/** What a character costs by its own kind, where nothing below says otherwise. */
const BASE: Readonly<Record<number, number>> = {
  [Kind.lower]: 7,
  [Kind.upper]: 7,
  [Kind.latin]: 28,
  [Kind.space]: 0,
  [Kind.newline]: 52,
  [Kind.digit]: 89,
  [Kind.punctuation]: 88,
  [Kind.widePunctuation]: 83,
  [Kind.han]: 84,
  [Kind.kana]: 63,
  [Kind.hangul]: 51,
  [Kind.cyrillic]: 16,
  [Kind.greek]: 33,
  [Kind.arabic]: 20,
  [Kind.hebrew]: 33,
  [Kind.indic]: 36,
  [Kind.southeastAsian]: 43,
  [Kind.highSurrogate]: 184,
  [Kind.lowSurrogate]: 50,
  [Kind.symbol]: 122,
};

/** What the first of a run of a script costs more. */
const FIRST_OF_RUN: Readonly<Record<number, number>> = {
  [Kind.han]: 15,
  [Kind.hangul]: 28,
  [Kind.cyrillic]: 50,
  [Kind.greek]: 47,
  [Kind.arabic]: 57,
  [Kind.hebrew]: 59,
};

/** What a character costs after one of another kind, or of its own, where that differs from the base. */
const AFTER: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  [Kind.upper]: { [Kind.upper]: 46, [Kind.lower]: 141, [Kind.latin]: 141 },
  [Kind.space]: { [Kind.space]: 84 },
  [Kind.newline]: { [Kind.newline]: 6, [Kind.punctuation]: 1, [Kind.widePunctuation]: 1 },
  // A space joins the word or sign after it, but no number.
  [Kind.digit]: { [Kind.space]: 203 },
  [Kind.punctuation]: {
    [Kind.space]: 119,
    [Kind.digit]: 113,
    [Kind.newline]: 60,
    [Kind.punctuation]: 39,
    [Kind.widePunctuation]: 39,
  },
  // The second half of a pair is paid with the first.
  [Kind.lowSurrogate]: { [Kind.highSurrogate]: 0 },
  [Kind.symbol]: { [Kind.symbol]: 118 },
};

/** What a word's first letter costs, by what is before it: words take the space along, and often the sign. */
const WORD_AFTER: Readonly<Record<number, number>> = {
  [Kind.start]: 78,
  [Kind.space]: 78,
  [Kind.digit]: 126,
  [Kind.newline]: 116,
};
const WORD_AFTER_OTHERS = 14;

/** Whether a kind is a letter of words that are written with spaces and capitals. */
export function isLetter(kind: number): boolean {
  return kind <= Kind.latin;
}

/**
 * What a character costs after another.
 *
 * @param count - of a letter: its place in its word, from 1; of a digit: its place in its group of three, from 0
 */
export function costAfter(previous: number, kind: number, count: number): number {
  if (kind === Kind.digit && count > 0) return 0;
  if (isLetter(kind) && !isLetter(previous)) {
    const start = WORD_AFTER[previous] ?? WORD_AFTER_OTHERS;
    return kind === Kind.latin ? start + (BASE[kind] ?? 0) : start;
  }
  if (kind === Kind.lower && count > LONG_WORD) return LONG_WORD_LETTER;
  const after = AFTER[kind]?.[previous];
  if (after !== undefined) return after;
  return (BASE[kind] ?? 0) + (previous === kind ? 0 : (FIRST_OF_RUN[kind] ?? 0));
}

const NEVER = 0xffff_ffff;

/** From how many repetitions of one character on a repetition is cheap, by kind. */
export const CHEAP_FROM: Uint32Array = byKind(NEVER, {
  [Kind.lower]: 2,
  [Kind.upper]: 2,
  [Kind.space]: 2,
  [Kind.newline]: 1,
  [Kind.punctuation]: 1,
  [Kind.symbol]: 1,
});

/** What a cheap repetition costs, by kind. */
export const REPETITION: Uint32Array = byKind(0, {
  [Kind.lower]: 12,
  [Kind.upper]: 12,
  [Kind.space]: 2,
  [Kind.newline]: 6,
  [Kind.punctuation]: 2,
  [Kind.symbol]: 10,
});

function byKind(otherwise: number, values: Readonly<Record<number, number>>): Uint32Array {
  return new Uint32Array(KIND_COUNT).map((_, kind) => values[kind] ?? otherwise);
}
