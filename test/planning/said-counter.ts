import type { TokenCounter } from '../../src/tokens/token-counter.ts';

/** Counts a text `~1234 …` as 1,234 tokens: events of any size, and nothing to count. Any other by its length. */
export const saidCounter: TokenCounter = Object.freeze({
  name: 'said',
  quality: 'exact',
  count: (text: string): number => Number(/^~(\d+)/.exec(text)?.[1] ?? Math.ceil(text.length / 4)),
});

/** A text of so many tokens by {@link saidCounter}, marked so that no two are alike. */
export function sized(tokens: number, mark = ''): string {
  return `~${tokens} ${mark}`;
}
