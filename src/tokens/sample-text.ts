import { wholeCharacterEnd } from './cut-text.ts';
import type { TokenCounter } from './token-counter.ts';

const BLOCK = 1_024;
/** Of a huge text no more blocks than this are looked at. */
const MOST_LOOKED_AT = 2_000;

/** Blocks that stand for a whole text. */
export interface TextSample {
  readonly blocks: readonly string[];
  /** What the estimate says of the blocks, and of the whole text; equal when the blocks are the whole text. */
  readonly estimatedTokens: number;
  readonly estimatedTotal: number;
}

/** How much of a text may be handed to a tokenizer in one go. */
export interface SampleBounds {
  readonly tokens: number;
  readonly characters: number;
}

/**
 * The whole text when it is within both bounds; else blocks of it spread evenly over its estimated tokens, within the
 * bounds and one block. Both are needed: in one script a character costs a tokenizer ten times as much as in another,
 * and nonsense words cost far more than an estimate made for words can tell.
 */
export function sampleText(text: string, bounds: SampleBounds, estimate: TokenCounter): TextSample {
  const estimatedTotal = estimate.count(text);
  const share = Math.min(bounds.tokens / estimatedTotal, bounds.characters / text.length);
  if (estimatedTotal === 0 || share >= 1) {
    return { blocks: [text], estimatedTokens: estimatedTotal, estimatedTotal };
  }
  const stride = Math.max(BLOCK, Math.ceil(text.length / MOST_LOOKED_AT));
  const blocks: string[] = [];
  let estimatedTokens = 0;
  let characters = 0;
  let seenTokens = 0;
  for (let start = 0; start < text.length; start += stride) {
    if (estimatedTokens >= bounds.tokens || characters >= bounds.characters) break;
    const from = wholeCharacterEnd(text, start);
    const block = text.slice(from, wholeCharacterEnd(text, Math.min(text.length, from + BLOCK)));
    const tokens = estimate.count(block);
    seenTokens += (tokens * stride) / BLOCK;
    if (estimatedTokens >= seenTokens * share) continue;
    blocks.push(block);
    estimatedTokens += tokens;
    characters += block.length;
  }
  return { blocks, estimatedTokens, estimatedTotal };
}
