/** Two reports of one agent under one prompt: how many tokens the provider says came between them, and how many the counter says. */
export interface Growth {
  readonly reported: number;
  readonly stored: number;
}

/** The provider's tokens for one of the counter's lie between these; a report that says otherwise is no report of this prompt. */
export const LEAST_RATIO = 0.25;
export const MOST_RATIO = 4;

/** Growth of fewer stored tokens is mostly what a message costs beside its text. */
const LEAST_GROWTH = 20;
/** With less growth in all, one odd message would be the ratio. */
const LEAST_EVIDENCE = 400;
/** What is further from the middle than this factor is left out of the pool. */
const NEAR_THE_MIDDLE = 1.5;

/**
 * The provider's tokens for one of the counter's, from how prompts grew: a plain quotient of usage and count has the
 * system prompt and the tools in it. Null where there is too little to learn from. Reports are input from outside:
 * those beyond {@link LEAST_RATIO} and {@link MOST_RATIO} are dropped, the rest pooled around their weighted median, so
 * that less than half of the evidence being wrong does not move it.
 */
export function learnRatio(growths: readonly Growth[]): number | null {
  const sane = growths
    .filter(({ reported, stored }) => stored >= LEAST_GROWTH && isSaneRatio(reported / stored))
    .sort((a, b) => a.reported / a.stored - b.reported / b.stored);
  const evidence = sum(sane, (growth) => growth.stored);
  if (evidence < LEAST_EVIDENCE) return null;
  let below = 0;
  const middle = sane.find((growth) => {
    below += growth.stored;
    return below * 2 >= evidence;
  }) as Growth;
  const ratio = middle.reported / middle.stored;
  const near = sane.filter(({ reported, stored }) => {
    const own = reported / stored;
    return own <= ratio * NEAR_THE_MIDDLE && own >= ratio / NEAR_THE_MIDDLE;
  });
  return sum(near, (growth) => growth.reported) / sum(near, (growth) => growth.stored);
}

/** Whether a ratio can be one of a tokenizer and a counter of the same text. */
export function isSaneRatio(ratio: number): boolean {
  return ratio >= LEAST_RATIO && ratio <= MOST_RATIO;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
