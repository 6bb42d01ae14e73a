import type { TokenCounter } from '../../tokens/token-counter.ts';
import type { Bucket, BucketItem } from './bucket.ts';
import { sameness } from './plain-text.ts';
import { LEAST_HELD } from './rank.ts';
import { shareOut } from './share-out.ts';
import { shortened } from './shorten.ts';
import { itemLine } from './xml-document.ts';

/** What of a bucket stands in the document, and its tokens. */
export interface Filled {
  readonly shown: readonly BucketItem[];
  readonly cost: number;
}

const NOTHING_SHOWN: Filled = { shown: [], cost: 0 };
/** Fewer tokens than this say nothing when cut to; in a very small budget they have to. */
const LEAST_CUT = 16;
const LEAST_CUT_SMALL = 6;
/** Items that did not fit and are passed over for smaller ones behind them. */
const PASSED_OVER = 6;
/** A small budget, where even a few words have to do. */
const SMALL = 120;

/** Fills buckets within so many tokens, counted item by item. What one leaves over goes to the others, the first first. */
export function fillAll(buckets: readonly Bucket[], room: number, counter: TokenCounter): Filled[] {
  const price = pricer(counter);
  const least = room < SMALL ? LEAST_CUT_SMALL : LEAST_CUT;
  const demands = buckets.map((bucket) => demand(bucket, room, price));
  const shares = shareOut(
    demands,
    buckets.map((bucket) => bucket.weight),
    room,
  );
  const said: string[] = [];
  const filled = buckets.map((bucket, at) => {
    const each = fill(bucket, shares[at] ?? 0, price, said, least);
    if (bucket.quotes === true) for (const item of each.shown) said.push(sameness(item.text));
    return each;
  });
  let spare = room - filled.reduce((sum, each) => sum + each.cost, 0);
  for (const [at, bucket] of buckets.entries()) {
    const before = filled[at] ?? NOTHING_SHOWN;
    if (spare < least || before.cost >= (demands[at] ?? 0)) continue;
    const own = new Set(before.shown.map((item) => sameness(item.text)));
    const again = fill(
      bucket,
      before.cost + spare,
      price,
      said.filter((text) => !own.has(text)),
      least,
    );
    if (again.cost <= before.cost) continue;
    spare -= again.cost - before.cost;
    filled[at] = again;
  }
  return withoutRepeats(buckets, filled);
}

interface Price {
  /** Tokens of an item as it will stand. */
  item(bucket: Bucket, text: string, first: boolean): number;
}

function pricer(counter: TokenCounter): Price {
  const known = new Map<string, number>();
  return {
    item(bucket, text, first): number {
      const line =
        bucket.inline === true
          ? first
            ? `\n${itemLine(bucket.label + text)}`
            : `, ${itemLine(text).slice(2)}`
          : `\n${itemLine(bucket.label + text)}`;
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

function fill(bucket: Bucket, limit: number, price: Price, said: readonly string[], least: number): Filled {
  const shown: BucketItem[] = [];
  let cost = 0;
  let passed = 0;
  for (const item of bucket.items) {
    const left = limit - cost;
    if (left <= 0 || passed > PASSED_OVER) break;
    if (item.unlessSaid === true && isSaid(item.text, said)) continue;
    const tokens = price.item(bucket, item.text, shown.length === 0);
    if (tokens <= left) {
      shown.push(item);
      cost += tokens;
      continue;
    }
    passed += 1;
    if (bucket.shorten === 'never' || left < least) continue;
    const text = shortened(
      item.text,
      bucket.shorten,
      (cut) => price.item(bucket, cut, shown.length === 0) <= left,
      left,
    );
    if (text === '') continue;
    cost += price.item(bucket, text, shown.length === 0);
    shown.push({ ...item, text });
    break;
  }
  return { shown, cost };
}

/** What a bucket that grew afterwards says too is left out of those behind it. */
function withoutRepeats(buckets: readonly Bucket[], filled: readonly Filled[]): Filled[] {
  const quoted = filled.flatMap((each, at) => (buckets[at]?.quotes === true ? each.shown : []));
  const said = quoted.map((item) => sameness(item.text));
  return filled.map(({ shown, cost }) => ({
    shown: shown.filter((item) => item.unlessSaid !== true || !isSaid(item.text, said)),
    cost,
  }));
}

function isSaid(text: string, said: readonly string[]): boolean {
  const key = sameness(text);
  return key.length >= LEAST_HELD && said.some((each) => each.includes(key));
}
