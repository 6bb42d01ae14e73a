import type { Seq } from '../event/ids.ts';

/** An inclusive run of seqs. Events of other lanes neither end it nor are holes in it. */
export interface Span {
  readonly first: Seq;
  readonly last: Seq;
}

/** Sorted by `first`, disjoint. */
export type Spans = readonly Span[];

/** Index of the last span that begins at or before `seq`, or -1. */
function floorIndex(spans: Spans, seq: Seq): number {
  let low = 0;
  let high = spans.length - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle] as Span).first <= seq) {
      found = middle;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}

/** Whether a seq lies in one of the spans. */
export function inSpans(spans: Spans, seq: Seq): boolean {
  const at = floorIndex(spans, seq);
  return at !== -1 && seq <= (spans[at] as Span).last;
}

/** The seqs that lie in both. */
export function intersectSpans(a: Spans, b: Spans): Spans {
  const out: Span[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const left = a[i] as Span;
    const right = b[j] as Span;
    const first = Math.max(left.first, right.first);
    const last = Math.min(left.last, right.last);
    if (first <= last) out.push({ first, last });
    if (left.last < right.last) i += 1;
    else j += 1;
  }
  return out;
}

/** Whether a seq lies in both. */
export function spansMeet(a: Spans, b: Spans): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  return few.some(({ first, last }) => {
    const at = floorIndex(many, last);
    return at !== -1 && first <= (many[at] as Span).last;
  });
}

/** The seqs of the first that lie in none of the second. */
export function subtractSpans(from: Spans, taken: Spans): Spans {
  const out: Span[] = [];
  let at = 0;
  for (const span of from) {
    let first = span.first;
    while (at < taken.length && (taken[at] as Span).last < first) at += 1;
    for (let next = at; next < taken.length && (taken[next] as Span).first <= span.last; next += 1) {
      const hole = taken[next] as Span;
      if (hole.first > first) out.push({ first, last: hole.first - 1 });
      first = Math.max(first, hole.last + 1);
    }
    if (first <= span.last) out.push({ first, last: span.last });
  }
  return out;
}

/** Makes one of neighbouring spans with nothing between them that counts. */
export function closeGaps(spans: Spans, isEmpty: (gap: Span) => boolean): Spans {
  const out: Span[] = [];
  for (const span of spans) {
    const before = out.at(-1);
    const closes =
      before !== undefined &&
      (span.first === before.last + 1 || isEmpty({ first: before.last + 1, last: span.first - 1 }));
    if (closes) out[out.length - 1] = { first: before.first, last: span.last };
    else out.push(span);
  }
  return out;
}

/** The seqs that lie in any; neighbouring spans stay apart, overlapping ones become one. */
export function uniteSpans(lists: readonly Spans[]): Spans {
  const all = lists.flat().sort((x, y) => x.first - y.first);
  const out: Span[] = [];
  for (const span of all) {
    const before = out.at(-1);
    if (before !== undefined && span.first <= before.last) {
      if (span.last > before.last) out[out.length - 1] = { first: before.first, last: span.last };
    } else {
      out.push({ first: span.first, last: span.last });
    }
  }
  return out;
}

/** An event's seq and its place among the events that count (its lane's, or its isolation's). */
export interface Placed {
  readonly seq: Seq;
  readonly ordinal: number;
}

/** The fewest spans that hold exactly these events, given in seq order: a span ends where the next ordinal is not in the list. */
export function spansOf(events: Iterable<Placed>): Spans {
  const out: { first: Seq; last: Seq }[] = [];
  let before: Placed | undefined;
  for (const event of events) {
    const open = out.at(-1);
    if (open !== undefined && before !== undefined && event.ordinal === before.ordinal + 1)
      open.last = event.seq;
    else out.push({ first: event.seq, last: event.seq });
    before = event;
  }
  return out.map((span) => Object.freeze(span));
}

/** Whether the spans are sorted, disjoint, whole and above 0. */
export function areSpans(spans: Spans): boolean {
  let last = 0;
  for (const span of spans) {
    if (!Number.isSafeInteger(span.first) || !Number.isSafeInteger(span.last)) return false;
    if (span.first <= last || span.last < span.first) return false;
    last = span.last;
  }
  return true;
}
