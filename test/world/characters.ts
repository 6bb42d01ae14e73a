import type { TokenCounter } from '../../src/tokens/token-counter.ts';

/** A token for every four code units: fast, and the same everywhere. */
export const quarterCounter: TokenCounter = Object.freeze({
  name: 'quarter',
  quality: 'estimate',
  count: (text: string): number => Math.ceil(text.length / 4),
});
