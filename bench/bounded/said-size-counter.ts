import type { TokenCounter } from '../../src/tokens/token-counter.ts';

/** A text that stands for one of so many tokens. */
export function sized(tokens: number): string {
  return `@${Math.max(0, Math.round(tokens))}`;
}

/** Counts a text as many tokens as it says it stands for, so that long sessions can be simulated without their texts. */
export const saidSizeCounter: TokenCounter = Object.freeze({
  name: 'said-size',
  quality: 'exact',
  count: (text: string): number => {
    const at = text.indexOf('@');
    return at === -1 ? Math.ceil(text.length / 4) : Number.parseInt(text.slice(at + 1), 10) || 0;
  },
});
