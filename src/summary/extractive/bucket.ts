import type { SectionName } from '../grammar/check-sections.ts';

/** Items of one kind, in the order they are worth their tokens. */
export interface Bucket {
  readonly section: SectionName;
  readonly label: string;
  readonly items: readonly BucketItem[];
  /** Its share of the budget, relative to the others'; what it does not need goes to them. */
  readonly weight: number;
  /** Whether an item that does not fit is shortened (its end dropped, or its middle) or left out. */
  readonly shorten: 'end' | 'middle' | 'never';
  /** It quotes at length what other buckets pick from; picks with `unlessSaid` are left out when it shows them. */
  readonly quotes?: boolean;
  /** All items stand behind one label, parted by commas. */
  readonly inline?: boolean;
}

/** An item and its place among those shown. */
export interface BucketItem {
  readonly text: string;
  readonly order: number;
  /** Left out when a bucket that quotes shows it word for word. */
  readonly unlessSaid?: boolean;
}
