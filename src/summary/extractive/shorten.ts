import { graphemeBoundary, head, tail } from './sentences.ts';

/** Text no counter takes for less than a token per so many code units is worth trying to fit. */
const DENSEST = 12;

/** The longest shortening of a text that fits, found by bisection; empty when none does. */
export function shortened(
  text: string,
  how: 'end' | 'middle',
  fits: (text: string) => boolean,
  tokens: number,
): string {
  let best = '';
  let low = 1;
  let high = Math.min(text.length - 1, tokens * DENSEST + 40);
  while (low <= high) {
    const length = (low + high) >> 1;
    const cut = how === 'end' ? withoutEnd(text, length) : withoutMiddle(text, length);
    if (cut === '') low = length + 1;
    else if (fits(cut)) {
      best = cut;
      low = length + 1;
    } else high = length - 1;
  }
  return best;
}

function withoutEnd(text: string, length: number): string {
  const kept = head(text, length);
  return kept === '' ? '' : `${kept}…`;
}

/** What a long request begins with, and what it comes to at its end. */
function withoutMiddle(text: string, length: number): string {
  if (length < 60) return withoutEnd(text, length);
  const before = head(text, graphemeBoundary(text, Math.ceil(length * 0.6)));
  const after = tail(text, Math.floor(length * 0.4));
  return before === '' ? '' : `${before} … ${after}`;
}
