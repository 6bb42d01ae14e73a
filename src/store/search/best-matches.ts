import type { Seq } from '../../event/ids.ts';
import type { Part } from '../../event/part.ts';
import { type Passage, passagesOf } from '../../prompt/passages.ts';
import { RECALL_TOOL, RECALLED } from '../../prompt/recalled/recalled-text.ts';
import { queryTermsOf, termsOf } from './terms.ts';

/**
 * Of each word so many events are looked at, the newest that hold it: a word that is in nearly all of a long session says
 * little, and must not cost what the session is long.
 */
export const MOST_PER_TERM = 1_000;

/** An event that holds a term. */
export interface Holder {
  readonly seq: Seq;
  /** Its stored tokens. */
  readonly tokens: number;
}

/** What a search reads of a store: only of events that are covered for its reader. */
export interface Searched {
  /** How many of them there are. */
  readonly covered: number;
  /** The newest of them that hold a term, newest first, at most {@link MOST_PER_TERM}. */
  readonly holding: (term: string) => readonly Holder[];
}

/** The terms by which an event is found. */
export function termsOfEvent(content: readonly Part[]): ReadonlySet<string> {
  const passages = passagesOf(content).filter((passage) => !isEcho(passage));
  return termsOf(passages.flatMap(({ name, text }) => [name, text]));
}

/** What was only asked for, or read back: it holds all the words, and found should be the events that were meant. */
function isEcho({ name, text }: Passage): boolean {
  return name === RECALL_TOOL || text.startsWith(RECALLED, 1) || text.startsWith(RECALLED, 2);
}

/** A long event holds many words by chance: one of so many tokens counts a sixth less than one of none. */
const LONG = 500;

/**
 * The events that hold any of a text's words, best first: those that hold more of them, and rarer ones, in fewer tokens;
 * of equals the newer. The one definition for every store.
 */
export function bestMatches(text: string, { covered, holding }: Searched): readonly Seq[] {
  const scores = new Map<Seq, number>();
  for (const term of queryTermsOf(text)) {
    const holders = holding(term);
    const rarity = Math.log(1 + covered / holders.length);
    for (const { seq, tokens } of holders) {
      const worth = rarity / (1 + Math.log(1 + tokens / LONG) / 4);
      scores.set(seq, (scores.get(seq) ?? 0) + worth);
    }
  }
  return [...scores].sort(([a, ofA], [b, ofB]) => ofB - ofA || b - a).map(([seq]) => seq);
}
