import type { Seq } from '../event/ids.ts';
import { forkOf, forksAround } from './fork.ts';
import type { Span } from './span.ts';

interface Entry<Item> {
  readonly item: Item;
  readonly extent: Span;
}

/** Things that reach from one seq to another, found by where they reach: what a search costs follows what it finds. */
export class ExtentIndex<Item> {
  /** Sorted; those of `#atFork`. */
  readonly #forks: Seq[] = [];
  readonly #atFork = new Map<Seq, Entry<Item>[]>();

  add(item: Item, extent: Span): void {
    const fork = forkOf(extent);
    const entries = this.#atFork.get(fork);
    if (entries !== undefined) {
      entries.push({ item, extent });
      return;
    }
    this.#atFork.set(fork, [{ item, extent }]);
    this.#forks.splice(this.#indexOf(fork), 0, fork);
  }

  remove(item: Item, extent: Span): void {
    const fork = forkOf(extent);
    const left = this.#atFork.get(fork)?.filter((entry) => entry.item !== item) ?? [];
    if (left.length > 0) {
      this.#atFork.set(fork, left);
    } else if (this.#atFork.delete(fork)) {
      this.#forks.splice(this.#indexOf(fork), 1);
    }
  }

  /** Those that reach into a span, in no order. */
  *reachingInto(span: Span): Iterable<Item> {
    const most = this.#forks.at(-1);
    if (most === undefined) return;
    const { below, above } = forksAround(span, most);
    for (const fork of [...below, ...above]) yield* this.#reachingFrom(fork, span);
    for (let at = this.#indexOf(span.first); at < this.#forks.length; at += 1) {
      const fork = this.#forks[at] as Seq;
      if (fork > span.last) return;
      yield* this.#reachingFrom(fork, span);
    }
  }

  *#reachingFrom(fork: Seq, span: Span): Iterable<Item> {
    for (const { item, extent } of this.#atFork.get(fork) ?? []) {
      if (extent.first <= span.last && extent.last >= span.first) yield item;
    }
  }

  /** Where the first fork stands that is not below a seq. */
  #indexOf(seq: Seq): number {
    let low = 0;
    let high = this.#forks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#forks[middle] as Seq) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
