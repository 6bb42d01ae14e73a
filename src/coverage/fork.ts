import type { Seq } from '../event/ids.ts';
import type { Span } from './span.ts';

/** Seqs need no more binary digits than whole numbers have. */
const DIGITS = 53;

/**
 * The seq of an extent that the highest power of two divides. Of all extents that reach into a span, few have theirs
 * outside it, and {@link forksAround} names where those can be: an index by fork finds what overlaps without looking at
 * what does not.
 */
export function forkOf({ first, last }: Span): Seq {
  let fork = last;
  for (let digit = 1; digit < DIGITS; digit += 1) {
    const step = 2 ** digit;
    const multiple = Math.floor(last / step) * step;
    if (multiple < first || multiple === 0) break;
    fork = multiple;
  }
  return fork;
}

/** The forks outside a span that extents reaching into it may have: those below it, and those above it up to `most`. */
export function forksAround(
  { first, last }: Span,
  most: Seq,
): { readonly below: readonly Seq[]; readonly above: readonly Seq[] } {
  const below: Seq[] = [];
  const above: Seq[] = [];
  for (let digit = 0; digit < DIGITS && 2 ** digit <= most; digit += 1) {
    const left = oddMultipleAt(first, digit);
    const right = oddMultipleAt(last, digit);
    if (left < first) below.push(left);
    if (right > last && right <= most) above.push(right);
  }
  return { below, above };
}

/** The odd multiple of a power of two around which the extents lie that hold a seq and have it as their fork. */
function oddMultipleAt(seq: Seq, digit: number): Seq {
  const step = 2 ** digit;
  return (Math.floor(seq / (2 * step)) * 2 + 1) * step;
}
