/**
 * A list that keeps its two ends: the first and the newest items, when more come than it may hold. What was said first
 * and what was said last outlive what lay between.
 */
export interface Ends<T> {
  add(item: T): void;
  readonly size: number;
  /** All kept, in the order they came. */
  all(): T[];
  /** All kept: newest, oldest, second newest, second oldest … */
  outsideIn(): T[];
}

/** An empty list that keeps the first `first` and the newest `last` items. */
export function ends<T>(first: number, last: number): Ends<T> {
  const early: T[] = [];
  let late: T[] = [];
  return {
    add(item: T): void {
      if (early.length < first) early.push(item);
      else late.push(item);
      if (late.length >= last * 2) late = late.slice(-last);
    },
    get size(): number {
      return early.length + Math.min(late.length, last);
    },
    all: () => [...early, ...late.slice(-last)],
    outsideIn(): T[] {
      const items = [...early, ...late.slice(-last)];
      const out: T[] = [];
      for (let left = 0, right = items.length - 1; left <= right; left += 1, right -= 1) {
        const newest = items[right];
        const oldest = items[left];
        if (newest !== undefined) out.push(newest);
        if (left < right && oldest !== undefined) out.push(oldest);
      }
      return out;
    },
  };
}
