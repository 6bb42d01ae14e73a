import { wholeCharacterEnd } from '../../tokens/cut-text.ts';
import { Class, classesByCodeUnit, OF_A_WORD } from './character-class.ts';

/**
 * The words of a text, as a search knows them: the one definition for every store. Case and accents are folded. A text is
 * cut into runs of letters and digits, and a run gives itself and its parts: `getUserName` gives `getusername`, `get`,
 * `user` and `name`; `TS2345` gives `ts2345`, `ts` and `2345`. Runs that only signs like `/`, `_`, `.` or `:` part give
 * each pair of neighbours besides: a path or a name is found whole, by any piece of it, and ahead of texts in which its
 * parts are strewn. Of scripts that put no spaces between words every character is a word, and so is every pair of
 * neighbours. There is no syntax: what is neither letter, digit nor mark only parts words.
 */

/** Between the two of a pair: neither letter, digit nor mark, so that no single run is such a term. */
const PAIR = '\u00b7';
/** Signs between the parts of one name, at most. */
const MOST_SIGNS = 3;

/** Code units of a piece of an unbroken run, and how many of its pieces are looked at: nobody asks for the rest. */
const LONGEST = 64;
const MOST_PIECES = 4;
/** Of more parts than this no name is composed: it is a hash, say. */
const MOST_PARTS = 6;
/** Hashes and other ids are often said by so many of their first characters. */
const HEAD = 7;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const LETTER = /\p{L}/u;
const DIGIT = /\p{N}/u;
/** Characters of scripts without spaces (Korean has some, and endings that are written on), and all others, in turn. */
const SCRIPTS =
  /([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
/**
 * Accents and points that many leave out when they write; not the marks that make another kana. Signs of other scripts'
 * vowels are letters to their readers.
 */
const ACCENTS = /[[[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]&&\p{Mn}]--[\u3099\u309a]]+/gv;
/** No word has so many marks in a row, and putting them in order takes time by their square. */
const HEAPED_MARKS = /\p{M}{32,}/gu;
const VARIANTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'g');

/** Most terms of a question that are looked for; what comes after them is not read. */
export const MOST_QUERY_TERMS = 32;
/** Code units of a question that are read. */
const QUERY_LENGTH = 2_000;

/** The terms of what is to be found. */
export function termsOf(texts: Iterable<string>): ReadonlySet<string> {
  const reader = new TermReader(false);
  for (const text of texts) reader.read(text);
  return reader.terms;
}

/**
 * The terms of a question, in its order: the same as of a text, but that characters of scripts without spaces are looked
 * for in pairs where they stand in pairs.
 */
export function queryTermsOf(text: string): readonly string[] {
  const reader = new TermReader(true);
  reader.read(text.slice(0, QUERY_LENGTH));
  return [...reader.terms].slice(0, MOST_QUERY_TERMS);
}

class TermReader {
  readonly terms = new Set<string>();
  readonly #asks: boolean;

  constructor(asks: boolean) {
    this.#asks = asks;
  }

  read(text: string): void {
    const classes = classesByCodeUnit();
    let start = -1;
    let kinds = 0;
    /** Of the run before, if it and the next may be parts of one name. */
    let before = '';
    let end = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const kind = at === text.length ? Class.none : (classes[text.charCodeAt(at)] as number);
      if ((kind & OF_A_WORD) !== 0) {
        if (start === -1) start = at;
        kinds |= kind;
        continue;
      }
      if (start !== -1) {
        const run = text.slice(start, at);
        const term = this.#run(run, kinds);
        if (before !== '' && term !== '' && start - end <= MOST_SIGNS) this.terms.add(before + PAIR + term);
        if (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) this.#escaped(run, kinds);
        before = term;
        end = at;
        start = -1;
        kinds = 0;
      }
      if (kind === Class.none) before = '';
    }
  }

  /** Takes in a run and its parts. Gives the term of the whole, or '' where it is several. */
  #run(run: string, kinds: number): string {
    if ((kinds & Class.wide) !== 0) return this.#wideRun(run);
    if (run.length > LONGEST) return this.#pieces(run);
    if (kinds === Class.lower || kinds === Class.digit) return this.#add(run);
    if (kinds === Class.upper) return this.#add(run.toLowerCase());
    return this.#word(run);
  }

  #wideRun(run: string): string {
    let whole = '';
    let count = 0;
    for (const [plain] of folded(run).matchAll(RUN)) {
      for (const [segment, unspaced] of plain.matchAll(SCRIPTS)) {
        count += 1;
        if (unspaced !== undefined) this.#characters(Array.from(segment));
        else whole = segment.length > LONGEST ? this.#pieces(segment) : this.#word(segment);
      }
    }
    return count === 1 ? whole : '';
  }

  #pieces(run: string): string {
    let at = 0;
    for (let piece = 0; piece < MOST_PIECES && at < run.length; piece += 1) {
      const end = wholeCharacterEnd(run, at + LONGEST);
      this.#add(lowerCase(run.slice(at, end)));
      at = end;
    }
    return '';
  }

  #word(word: string): string {
    const whole = this.#add(lowerCase(word));
    if (whole.length > HEAD && LETTER.test(whole) && DIGIT.test(whole))
      this.#add(whole.slice(0, wholeCharacterEnd(whole, HEAD)));
    const parts = word.match(PARTS) ?? [];
    if (parts.length > 1 && parts.length <= MOST_PARTS) {
      for (const part of parts) if (part.length > 1) this.#add(lowerCase(part));
    }
    return whole;
  }

  #characters(characters: readonly string[]): void {
    if (!this.#asks || characters.length === 1) for (const character of characters) this.#add(character);
    for (let at = 1; at < characters.length; at += 1) {
      this.#add(`${characters[at - 1]}${characters[at]}`);
    }
  }

  /** In JSON a line break inside a text is `\n`: the word that follows begins after it. */
  #escaped(run: string, kinds: number): void {
    if (run.length > 1 && (run.startsWith('n') || run.startsWith('r') || run.startsWith('t'))) {
      this.#run(run.slice(1), kinds);
    }
  }

  #add(term: string): string {
    this.terms.add(term);
    return term;
  }
}

const BACKSLASH = 0x5c;

function folded(run: string): string {
  return run.replaceAll(HEAPED_MARKS, '').normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFKC');
}

function lowerCase(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) ? lower.replaceAll(VARIANT, (letter) => VARIANTS[letter] ?? letter) : lower;
}
