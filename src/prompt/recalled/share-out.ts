/**
 * The largest share under which texts fit together, in tokens: one that is over its share by more than `cut`, what it
 * costs to say that a text is cut, takes its share and that; the others take what they are. -1 where not even markers fit.
 */
export function shareOut(tokens: readonly number[], room: number, cut: number): number {
  const taken = (share: number): number => tokens.reduce((sum, own) => sum + Math.min(own, share + cut), 0);
  let within = -1;
  let beyond = Math.max(0, ...tokens) + 1;
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    if (taken(middle) <= room) within = middle;
    else beyond = middle;
  }
  return within;
}
