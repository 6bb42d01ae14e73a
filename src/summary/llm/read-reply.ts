import type { GenerateTextResult, ToolSet } from 'ai';
import { InvalidSummaryError } from '../../event/errors.ts';
import type { Finish, Usage } from '../../event/event.ts';
import { codePoints } from '../code-points.ts';
import type { GivenSummary } from '../summarizer.ts';
import { isBlank } from '../white-space.ts';

/** What is read of a model's reply. */
export type Reply = Pick<
  GenerateTextResult<ToolSet, Record<string, never>, never>,
  'content' | 'finishReason' | 'rawFinishReason' | 'usage'
>;

/**
 * What a model's reply says, for the gate to judge: its one text, reasoning ignored, how it ended and what it cost. A reply
 * without text is an empty summary, which no gate passes. Throws `InvalidSummaryError`, cost included, for several texts.
 */
export function readReply(reply: Reply): GivenSummary {
  const usage = usageOf(reply);
  const texts = reply.content.flatMap((part) =>
    part.type === 'text' && !isBlank(part.text) ? [part.text] : [],
  );
  if (texts.length > 1) throw new InvalidSummaryError('output_shape', { usage });
  const finish = reply.content.some((part) => part.type === 'tool-call') ? 'toolCalls' : finishOf(reply);
  return {
    kind: 'summary',
    content: texts[0] ?? '',
    ...(usage === undefined ? {} : { usage }),
    ...(finish === undefined ? {} : { finish }),
  };
}

function finishOf({ finishReason, rawFinishReason }: Reply): Finish | undefined {
  switch (finishReason) {
    case 'stop':
      // A stop sequence of somebody's, or a turn merely paused, reads as a stop and is a text cut short.
      return rawFinishReason === 'stop_sequence' || rawFinishReason === 'pause_turn' ? 'other' : 'stop';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'contentFilter';
    case 'tool-calls':
      return 'toolCalls';
    case 'error':
      return 'error';
    case 'interrupted':
      return 'aborted';
    default:
      return rawFinishReason === undefined ? undefined : 'other';
  }
}

function usageOf({ content, usage }: Reply): Usage | undefined {
  const counts: { -readonly [Name in keyof Usage]: Usage[Name] } = {};
  if (usage.inputTokens !== undefined) counts.inputTokens = usage.inputTokens;
  if (usage.inputTokenDetails?.cacheReadTokens !== undefined)
    counts.cachedInputTokens = usage.inputTokenDetails.cacheReadTokens;
  if (usage.outputTokens !== undefined) counts.outputTokens = usage.outputTokens;
  const reasoning = usage.outputTokenDetails?.reasoningTokens || reasoningShare(content, usage.outputTokens);
  if (reasoning !== undefined) counts.reasoningTokens = reasoning;
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/**
 * Providers that show reasoning and count it as output without saying how much of it: its share by length. Else the summary
 * would be charged for what the model thought.
 */
function reasoningShare(content: Reply['content'], outputTokens: number | undefined): number | undefined {
  let reasoning = 0;
  let text = 0;
  for (const part of content) {
    if (part.type === 'reasoning') reasoning += codePoints(part.text);
    if (part.type === 'text') text += codePoints(part.text);
  }
  if (reasoning === 0 || outputTokens === undefined) return undefined;
  return Math.floor((outputTokens * reasoning) / (reasoning + text));
}
