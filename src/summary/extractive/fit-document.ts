import type { TokenCounter } from '../../tokens/token-counter.ts';
import { SECTION_NAMES, type SectionName } from '../grammar/check-sections.ts';
import { isBlank } from '../white-space.ts';
import type { Bucket } from './bucket.ts';
import { type Filled, fillAll } from './fill-buckets.ts';
import { summaryDocument } from './xml-document.ts';

/**
 * The document that says the most within `max` tokens by the counter. Buckets are in order of importance, and share the
 * budget by weight; what one leaves over goes to the others. When not even the empty document fits, that is the answer.
 */
export function fitDocument(
  buckets: readonly Bucket[],
  fallback: { readonly goal: string; readonly state: string },
  max: number,
  counter: TokenCounter,
): string {
  const empty = render([], [], fallback);
  const base = counter.count(empty);
  let room = max - base;
  // Tokens of parts need not add up to tokens of the whole: measure the whole, and give back what it is over.
  for (let attempt = 0; attempt < 12 && room > 0; attempt += 1) {
    const filled = fillAll(buckets, room, counter);
    const document = render(buckets, filled, fallback);
    const over = counter.count(document) - max;
    if (over <= 0) return document;
    room = Math.min(room - over, attempt < 4 ? room - 1 : Math.floor(room * 0.8));
  }
  return empty;
}

function render(
  buckets: readonly Bucket[],
  filled: readonly Filled[],
  fallback: { readonly goal: string; readonly state: string },
): string {
  const sections: Record<SectionName, string[]> = {
    goal: [],
    constraints: [],
    decisions: [],
    state: [],
    open_items: [],
  };
  for (const section of SECTION_NAMES) {
    for (const [at, bucket] of buckets.entries()) {
      if (bucket.section !== section) continue;
      const texts = (filled[at]?.shown ?? []).toSorted((a, b) => a.order - b.order).map((item) => item.text);
      if (texts.length === 0) continue;
      if (bucket.inline === true) sections[section].push(bucket.label + texts.join(', '));
      else for (const text of texts) sections[section].push(bucket.label + text);
    }
  }
  if (sections.goal.every(isBlank)) sections.goal = [fallback.goal];
  if (sections.state.every(isBlank)) sections.state = [fallback.state];
  return summaryDocument(sections);
}
