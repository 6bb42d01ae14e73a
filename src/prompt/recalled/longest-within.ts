/** Characters of a token, to begin with. */
const GUESS = 4;

/**
 * The most of `length` characters that cost no more than `share`: all of them where they do. Texts are counted no further
 * than about twice what fits, however long they are.
 */
export function longestWithin(length: number, share: number, cost: (length: number) => number): number {
  let within = 0;
  let beyond = Math.max(1, Math.floor(share * GUESS));
  while (beyond < length && cost(beyond) <= share) {
    within = beyond;
    beyond *= 2;
  }
  if (beyond >= length) {
    if (share >= 0 && cost(length) <= share) return length;
    beyond = length;
  }
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    if (cost(middle) <= share) within = middle;
    else beyond = middle;
  }
  return within;
}
