import type { Seq } from '../event/ids.ts';

/** An inclusive run of seqs. Events of other lanes neither end it nor are holes in it. */
export interface Span {
  readonly first: Seq;
  readonly last: Seq;
}

/** Sorted by `first`, disjoint. */
export type Spans = readonly Span[];
