import { ConfigError } from '../event/errors.ts';
import { cutUnbroken } from './cut-text.ts';
import { estimatingCounter } from './estimating-counter.ts';
import { type SampleBounds, sampleText } from './sample-text.ts';
import type { TokenCounter } from './token-counter.ts';

/** What one call tokenizes at most: the slowest texts known, random letters of any script, take 20 to 50 ms for it. */
const BOUNDS: SampleBounds = { tokens: 8_000, characters: 12_000 };

/** Text that looks like a special token is text: a conversation may quote one. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * A counter over o200k, the vocabulary of OpenAI's models since GPT-4o; of other providers' models it is a good estimate
 * and no more. Needs the optional package `gpt-tokenizer` and throws `ConfigError` without it; loading it takes some
 * hundred milliseconds and 30 MB, once.
 *
 * A text of up to 12,000 characters is counted as it is, but for unbroken runs over 256 characters, which are cut (error
 * under 0.5 %). Of a longer one as much, spread evenly, is counted, and the estimate of the whole is corrected by what
 * that shows (error about 1 %): no text blocks the event loop.
 */
export async function exactCounter(): Promise<TokenCounter> {
  const countTokens = await loadTokenizer();
  const countWhole = (text: string): number => {
    let tokens = 0;
    for (const piece of cutUnbroken(text)) tokens += countTokens(piece, AS_TEXT);
    return tokens;
  };
  return Object.freeze({
    name: 'o200k',
    quality: 'exact',
    count(text: string): number {
      const sample = sampleText(text, BOUNDS, estimatingCounter);
      let tokens = 0;
      for (const block of sample.blocks) tokens += countWhole(block);
      if (sample.estimatedTokens === sample.estimatedTotal) return tokens;
      return Math.round((tokens * sample.estimatedTotal) / sample.estimatedTokens);
    },
  });
}

async function loadTokenizer(): Promise<(text: string, options: typeof AS_TEXT) => number> {
  try {
    return (await import('gpt-tokenizer/encoding/o200k_base')).countTokens;
  } catch (error) {
    throw new ConfigError('counter', 'needs the optional package gpt-tokenizer: npm install gpt-tokenizer', {
      cause: error,
    });
  }
}
