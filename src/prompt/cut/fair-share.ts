/**
 * The most each may keep, if all are to keep at most `room` together and who has less keeps all of it: the larger ones
 * keep the same. Infinity where all fit; never under 0.
 */
export function fairShare(tokens: readonly number[], room: number): number {
  let left = room;
  const ascending = tokens.toSorted((a, b) => a - b);
  for (const [index, own] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (own > share) return Math.max(0, share);
    left -= own;
  }
  return Number.POSITIVE_INFINITY;
}
