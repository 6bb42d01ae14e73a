import type { BucketItem } from './bucket.ts';
import type { Noted } from './notes.ts';
import { sameness } from './plain-text.ts';

/** A shorter text is not looked for inside others: it may be there by chance. */
export const LEAST_HELD = 8;

/** Keeps what was said, so that nothing is said twice. */
export interface Unsaid {
  /** Whether a text is new; then it counts as said. Strict: said means the same words. */
  readonly strict: (text: string) => boolean;
  /** Whether a text is new: nothing longer that was said holds it. */
  readonly loose: (text: string) => boolean;
}

export function unsaid(): Unsaid {
  const exact = new Set<string>();
  const all: string[] = [];
  function add(key: string): true {
    exact.add(key);
    all.push(key);
    return true;
  }
  return {
    strict(text): boolean {
      const key = sameness(text);
      return key !== '' && !exact.has(key) && add(key);
    },
    loose(text): boolean {
      const key = sameness(text);
      if (key === '' || exact.has(key)) return false;
      return !(key.length >= LEAST_HELD && all.some((each) => each.includes(key))) && add(key);
    },
  };
}

export function numbered(texts: readonly string[]): BucketItem[] {
  return texts.map((text, order) => ({ text, order }));
}

export function newestFirst(texts: readonly string[], isNew: (text: string) => boolean): BucketItem[] {
  return numbered(texts)
    .reverse()
    .filter((item) => isNew(item.text));
}

/** Newest, oldest, second newest … so that a short budget keeps both ends of the thread. */
export function outsideIn(texts: readonly string[], isNew: (text: string) => boolean): BucketItem[] {
  const items = numbered(texts).filter((item) => isNew(item.text));
  const out: BucketItem[] = [];
  for (let left = 0, right = items.length - 1; left <= right; left += 1, right -= 1) {
    const newest = items[right];
    const oldest = items[left];
    if (newest !== undefined) out.push(newest);
    if (left < right && oldest !== undefined) out.push(oldest);
  }
  return out;
}

export function byStrength(noted: readonly Noted[], isNew: (text: string) => boolean): BucketItem[] {
  const items = noted
    .map((each, order) => ({ ...each, order, unlessSaid: each.strength === 1 }))
    .filter((item) => isNew(item.text));
  const strong = items.filter((item) => item.strength === 2);
  const weak = items.filter((item) => item.strength === 1);
  return [strong, weak].flatMap(bothEnds);
}

/** Oldest, newest, second oldest … */
function bothEnds(items: readonly BucketItem[]): BucketItem[] {
  const out: BucketItem[] = [];
  for (let left = 0, right = items.length - 1; left <= right; left += 1, right -= 1) {
    const oldest = items[left];
    const newest = items[right];
    if (oldest !== undefined) out.push(oldest);
    if (left < right && newest !== undefined) out.push(newest);
  }
  return out;
}
