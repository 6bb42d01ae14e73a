import type { TokenCounter } from '../../tokens/token-counter.ts';
import { graphemeBoundary, head, tail } from './sentences.ts';
import { itemLine, SECTIONS, type Section, summaryDocument } from './xml-document.ts';

/** Items of one kind, in the order they are worth their tokens. */
export interface Bucket {
  readonly section: Section;
  readonly label: string;
  readonly items: readonly BucketItem[];
  /** Its share of the budget, relative to the others'; what it does not need goes to them. */
  readonly weight: number;
  /** Whether an item that does not fit is shortened (its end dropped, or its middle) or left out. */
  readonly shorten: 'end' | 'middle' | 'never';
  /** All items stand behind one label, parted by commas. */
  readonly inline?: boolean;
}

/** An item and its place among those shown. */
export interface BucketItem {
  readonly text: string;
  readonly order: number;
}

interface Filled {
  readonly shown: readonly BucketItem[];
  readonly cost: number;
}

const NOTHING_SHOWN: Filled = { shown: [], cost: 0 };
/** Fewer tokens than this say nothing when cut to. */
const LEAST_CUT = 8;
/** Items that did not fit and are passed over for smaller ones behind them. */
const PASSED_OVER = 6;
/** Text no counter takes for less than a token per so many code units is worth trying to fit. */
const DENSEST = 12;

/**
 * The document that says the most within `max` tokens by the counter. Buckets are in order of importance, and share the
 * budget by weight; what one leaves over goes to the others. When not even the empty document fits, that is the answer.
 */
export function fitDocument(buckets: readonly Bucket[], fallback: { readonly goal: string; readonly state: string }, max: number, counter: TokenCounter): string {
  const empty = render([], [], fallback);
  const base = counter.count(empty);
  let room = max - base;
  // Tokens of parts need not add up to tokens of the whole: measure the whole, and give back what it is over.
  for (let attempt = 0; attempt < 8 && room > 0; attempt += 1) {
    const filled = fillAll(buckets, room, counter);
    const document = render(buckets, filled, fallback);
    const over = counter.count(document) - max;
    if (over <= 0) return document;
    room = Math.min(room - over - 1, Math.floor(room * 0.9));
  }
  return empty;
}

function fillAll(buckets: readonly Bucket[], room: number, counter: TokenCounter): Filled[] {
  const price = pricer(counter);
  const demands = buckets.map((bucket) => demand(bucket, room, price));
  const shares = shareOut(demands, buckets.map((bucket) => bucket.weight), room);
  const filled = buckets.map((bucket, at) => fill(bucket, shares[at] ?? 0, price));
  let spare = room - filled.reduce((sum, each) => sum + each.cost, 0);
  for (const [at, bucket] of buckets.entries()) {
    const before = filled[at] ?? NOTHING_SHOWN;
    if (spare < LEAST_CUT || before.cost >= (demands[at] ?? 0)) continue;
    const again = fill(bucket, before.cost + spare, price);
    if (again.cost <= before.cost) continue;
    spare -= again.cost - before.cost;
    filled[at] = again;
  }
  return filled;
}

/** Shares by weight; nobody gets more than it asks for while another asks for more. Whole tokens. */
export function shareOut(demands: readonly number[], weights: readonly number[], total: number): number[] {
  const shares = demands.map(() => 0);
  let left = total;
  let open = demands.map((_, at) => at).filter((at) => (demands[at] ?? 0) > 0);
  while (open.length > 0 && left > 0) {
    const weight = open.reduce((sum, at) => sum + (weights[at] ?? 0), 0);
    const level = left / weight;
    const content = open.filter((at) => (demands[at] ?? 0) <= level * (weights[at] ?? 0));
    if (content.length === 0) {
      for (const at of open) shares[at] = Math.floor(level * (weights[at] ?? 0));
      return shares;
    }
    for (const at of content) {
      shares[at] = demands[at] ?? 0;
      left -= shares[at] ?? 0;
    }
    open = open.filter((at) => !content.includes(at));
  }
  return shares;
}

interface Price {
  /** Tokens of an item as it will stand. */
  item(bucket: Bucket, text: string, first: boolean): number;
}

function pricer(counter: TokenCounter): Price {
  const known = new Map<string, number>();
  return {
    item(bucket, text, first): number {
      const line = bucket.inline === true ? (first ? `\n${itemLine(bucket.label + text)}` : `, ${itemLine(text).slice(2)}`) : `\n${itemLine(bucket.label + text)}`;
      let tokens = known.get(line);
      if (tokens === undefined) {
        tokens = counter.count(line);
        known.set(line, tokens);
      }
      return tokens;
    },
  };
}

function demand(bucket: Bucket, room: number, price: Price): number {
  let sum = 0;
  for (const [at, item] of bucket.items.entries()) {
    sum += price.item(bucket, item.text, at === 0);
    if (sum >= room) return room;
  }
  return sum;
}

function fill(bucket: Bucket, limit: number, price: Price): Filled {
  const shown: BucketItem[] = [];
  let cost = 0;
  let passed = 0;
  for (const item of bucket.items) {
    const left = limit - cost;
    if (left <= 0 || passed > PASSED_OVER) break;
    const tokens = price.item(bucket, item.text, shown.length === 0);
    if (tokens <= left) {
      shown.push(item);
      cost += tokens;
      continue;
    }
    passed += 1;
    if (bucket.shorten === 'never' || left < LEAST_CUT) continue;
    const text = shortened(item.text, bucket.shorten, (cut) => price.item(bucket, cut, shown.length === 0) <= left, left);
    if (text === '') continue;
    cost += price.item(bucket, text, shown.length === 0);
    shown.push({ text, order: item.order });
    break;
  }
  return { shown, cost };
}

/** The longest shortening of a text that fits, found by bisection; empty when none does. */
function shortened(text: string, how: 'end' | 'middle', fits: (text: string) => boolean, tokens: number): string {
  let best = '';
  let low = 1;
  let high = Math.min(text.length - 1, tokens * DENSEST + 40);
  while (low <= high) {
    const length = (low + high) >> 1;
    const cut = how === 'end' ? withoutEnd(text, length) : withoutMiddle(text, length);
    if (cut === '') low = length + 1;
    else if (fits(cut)) {
      best = cut;
      low = length + 1;
    } else high = length - 1;
  }
  return best;
}

function withoutEnd(text: string, length: number): string {
  const kept = head(text, length);
  return kept === '' ? '' : `${kept}…`;
}

/** What a long request begins with, and what it comes to at its end. */
function withoutMiddle(text: string, length: number): string {
  if (length < 60) return withoutEnd(text, length);
  const before = head(text, graphemeBoundary(text, Math.ceil(length * 0.6)));
  const after = tail(text, Math.floor(length * 0.4));
  return before === '' ? '' : `${before} … ${after}`;
}

function render(buckets: readonly Bucket[], filled: readonly Filled[], fallback: { readonly goal: string; readonly state: string }): string {
  const sections: Record<Section, string[]> = { goal: [], constraints: [], decisions: [], state: [], open_items: [] };
  for (const section of SECTIONS) {
    for (const [at, bucket] of buckets.entries()) {
      if (bucket.section !== section) continue;
      const texts = (filled[at]?.shown ?? []).toSorted((a, b) => a.order - b.order).map((item) => item.text);
      if (texts.length === 0) continue;
      if (bucket.inline === true) sections[section].push(bucket.label + texts.join(', '));
      else for (const text of texts) sections[section].push(bucket.label + text);
    }
  }
  if (!sections.goal.some(hasInk)) sections.goal = [fallback.goal];
  if (!sections.state.some(hasInk)) sections.state = [fallback.state];
  return summaryDocument(sections);
}

function hasInk(text: string): boolean {
  return /[^\p{White_Space}]/u.test(text);
}
