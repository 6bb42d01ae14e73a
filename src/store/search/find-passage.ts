import { queryTermsOf, termsOf } from './terms.ts';

/** Characters looked at as one, and how far the next ones begin. */
const WINDOW = 400;
const STEP = 300;
/** A longer text is looked through so far. */
const MOST_READ = 250_000;
/** A passage begins with its line, where that begins no further before it. */
const LINE = 200;

/** Where in a text most of the words stand together; 0 where none does. An offset in UTF-16 code units. */
export function findPassage(text: string, words: string): number {
  const wanted = queryTermsOf(words);
  let best = 0;
  let most = 0;
  for (let at = 0; at < Math.min(text.length, MOST_READ) && most < wanted.length; at += STEP) {
    const terms = termsOf([text.slice(at, at + WINDOW)]);
    const held = wanted.reduce((sum, term) => sum + (terms.has(term) ? 1 : 0), 0);
    if (held > most) [best, most] = [at, held];
  }
  const line = text.lastIndexOf('\n', best) + 1;
  return best - line <= LINE ? line : best;
}
