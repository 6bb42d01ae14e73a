import { wholeCharacterEnd } from './cut-text.ts';

/** Clusters are looked for this far: a longer one is cut between two of its characters. */
const LONGEST = 64;

/** What is shown as one with the character before it: marks, joiners, selectors, tags, skin tones. */
const EXTENDS = /^[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200d]/u;
const REGIONAL = /^\p{Regional_Indicator}/u;
const JOINER = '\u200d';

/**
 * The nearest place at or before `index` where a cut parts no surrogate pair and nothing that is shown as one: letters
 * and their marks, emoji of several, flags, CR LF. Where nothing near is such a place, no pair is parted.
 */
export function clusterEnd(text: string, index: number): number {
  const nearest = wholeCharacterEnd(text, index);
  for (let at = nearest; at > nearest - LONGEST; at = wholeCharacterEnd(text, at - 1)) {
    if (at <= 0 || !joins(text, at)) return Math.max(0, at);
  }
  return nearest;
}

/** As {@link clusterEnd}, at or after `index`. */
export function clusterStart(text: string, index: number): number {
  const nearest = wholeCharacterStart(text, index);
  for (let at = nearest; at < nearest + LONGEST; at = wholeCharacterStart(text, at + 1)) {
    if (at >= text.length || !joins(text, at)) return at;
  }
  return nearest;
}

function wholeCharacterStart(text: string, index: number): number {
  return wholeCharacterEnd(text, index) === index ? index : index + 1;
}

/** Whether the characters on either side of a place between two characters are shown as one. */
function joins(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  if (text[at - 1] === '\r') return text[at] === '\n';
  if (text[at - 1] === JOINER) return true;
  const next = text.slice(at, at + 2);
  return EXTENDS.test(next) || (REGIONAL.test(next) && regionalsBefore(text, at) % 2 === 1);
}

/** Regional indicators right before a place: two make a flag. */
function regionalsBefore(text: string, at: number): number {
  let count = 0;
  while (count < LONGEST && REGIONAL.test(text.slice(at - 2 * (count + 1), at - 2 * count))) count += 1;
  return count;
}
