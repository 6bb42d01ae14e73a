import type { ReasoningPart } from '../event/part.ts';
import { isBlank } from './one-line.ts';
import { anthropicThinking, geminiSignature, openAIItem } from './provider-state.ts';
import type { ReplyBlock } from './turn.ts';

/** Who can be given reasoning back. */
export type ReasoningProvider = 'anthropic' | 'openai' | 'gemini';

/** The provider that gave the reasoning and will take it back, or null. */
export function reasoningProvider(part: ReasoningPart): ReasoningProvider | null {
  if (anthropicThinking(part) !== null) return 'anthropic';
  if (openAIItem(part.providerState, 'reasoning') !== null) return 'openai';
  return geminiSignature(part.providerState) === null ? null : 'gemini';
}

/**
 * A reply's blocks for one provider: blank text and other providers' reasoning left out, and what of its own the
 * provider would refuse. Reasoning goes before something it led to, so none ends a reply. Anthropic wants a reply with
 * thinking to begin with thinking, and signed blocks whole: where one stands elsewhere, none is sent.
 *
 * @param providers Whose reasoning may be sent.
 */
export function replyBlocks(
  blocks: readonly ReplyBlock[],
  providers: ReadonlySet<ReasoningProvider>,
): ReplyBlock[] {
  const kept = blocks.filter((block) => {
    if (block.type === 'reasoning') {
      const provider = reasoningProvider(block);
      return provider !== null && providers.has(provider);
    }
    if (block.type === 'refusal') return !isBlank(block.text);
    if (block.type === 'text') {
      return (
        !isBlank(block.text) || (providers.has('gemini') && geminiSignature(block.providerState) !== null)
      );
    }
    return true;
  });
  while (kept.at(-1)?.type === 'reasoning') kept.pop();
  return kept[0]?.type === 'reasoning' ? kept : kept.filter((block) => !isThinking(block));
}

/** The blocks with calls last: Anthropic wants nothing between a call and its result. */
export function callsLast(blocks: readonly ReplyBlock[]): ReplyBlock[] {
  return [...blocks.filter(({ type }) => type !== 'call'), ...blocks.filter(({ type }) => type === 'call')];
}

/** Whether a block is a thinking block of Anthropic's. */
export function isThinking(block: ReplyBlock | undefined): boolean {
  return block?.type === 'reasoning' && anthropicThinking(block) !== null;
}
