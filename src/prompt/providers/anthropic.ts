import type { MediaPart } from '../../event/part.ts';
import { BETWEEN_REPLIES, EMPTY, OPENING } from '../frame.ts';
import { IMAGE_TYPES, isCommonImage, isWebAddress, mediaLabel, sendable } from '../media.ts';
import { isBlank } from '../one-line.ts';
import type { Prompt } from '../prompt.ts';
import { anthropicThinking } from '../provider-state.ts';
import { opaqueLabel } from '../render-part.ts';
import { callsLast, type ReasoningProvider, replyBlocks } from '../reply-blocks.ts';
import { inputObject } from '../tool-input.ts';
import { CallIds, legalToolName } from '../tool-names.ts';
import type { Block, ReplyTurn, Result } from '../turn.ts';
import { turnsOf } from '../turns.ts';
import {
  ANTHROPIC_NAMING,
  type AnthropicAssistantBlock,
  type AnthropicDocument,
  type AnthropicImage,
  type AnthropicMessage,
  type AnthropicRequest,
  type AnthropicText,
  type AnthropicUserBlock,
} from './anthropic-request.ts';

const OWN: ReadonlySet<ReasoningProvider> = new Set(['anthropic']);

/**
 * The prompt as a request to Anthropic's Messages API: spread it into `messages.create`. System events become top-level
 * system blocks; each summary is one text block of a user message. Signed thinking is sent back to the byte, unsigned
 * and other providers' never. The same prompt gives the same bytes.
 */
export function toAnthropic(prompt: Prompt): AnthropicRequest {
  const request = new Request();
  for (const turn of turnsOf(prompt)) {
    switch (turn.kind) {
      case 'system':
        request.system.push(...turn.texts.map(text));
        break;
      case 'summaries':
        request.user(turn.texts.map(text));
        break;
      case 'user':
        request.user(turn.blocks.flatMap(userBlock));
        break;
      case 'reply':
        request.reply(turn);
        break;
      default:
        turn satisfies never;
    }
  }
  const { system, messages } = request;
  return system.length > 0 ? { system, messages } : { messages };
}

class Request {
  readonly system: AnthropicText[] = [];
  readonly messages: AnthropicMessage[] = [];
  readonly #ids = new CallIds(ANTHROPIC_NAMING);

  user(blocks: readonly AnthropicUserBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.messages.at(-1);
    if (last?.role === 'user') last.content.push(...blocks);
    else this.messages.push({ role: 'user', content: [...blocks] });
  }

  reply(turn: ReplyTurn): void {
    const content = this.#replyContent(turn);
    if (content.length === 0) return;
    const last = this.messages.at(-1);
    if (last === undefined) this.user([text(OPENING)]);
    // A message that holds thinking begins with it.
    if (last?.role === 'assistant' && isThinkingBlock(content[0])) this.user([text(BETWEEN_REPLIES)]);
    const open = this.messages.at(-1);
    if (open?.role === 'assistant') open.content.push(...content);
    else this.messages.push({ role: 'assistant', content });
    this.user(turn.results.map((result) => this.#result(result)));
  }

  #replyContent(turn: ReplyTurn): AnthropicAssistantBlock[] {
    return callsLast(replyBlocks(turn.blocks, OWN)).flatMap((block): AnthropicAssistantBlock[] => {
      switch (block.type) {
        case 'reasoning': {
          const thinking = anthropicThinking(block);
          return thinking === null ? [] : [thinking];
        }
        case 'text':
        case 'refusal':
          // The API refuses a last message that ends in white space; cut always, so that no byte changes later.
          return [text(block.text.trimEnd())];
        case 'opaque':
          return [text(opaqueLabel(block))];
        case 'call': {
          const name = legalToolName(block.name, ANTHROPIC_NAMING);
          return [{ type: 'tool_use', id: this.#ids.of(block), name, input: inputObject(block.input) }];
        }
        default:
          return block satisfies never;
      }
    });
  }

  #result({ call, isError, output }: Result): AnthropicUserBlock {
    const blocks = 'json' in output ? [text(JSON.stringify(output.json))] : output.blocks.flatMap(userBlock);
    return {
      type: 'tool_result',
      tool_use_id: this.#ids.of(call),
      content: blocks.length > 0 ? blocks : [text(EMPTY)],
      ...(isError ? { is_error: true } : {}),
    };
  }
}

function isThinkingBlock(block: AnthropicAssistantBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

function text(words: string): AnthropicText {
  return { type: 'text', text: words };
}

function userBlock(block: Block): (AnthropicText | AnthropicImage | AnthropicDocument)[] {
  if (block.type === 'text') return [text(block.text)];
  const sent = mediaBlock(block.media);
  if (sent !== null) return [sent];
  return block.labelled ? [] : [text(mediaLabel(block.media))];
}

function mediaBlock(media: MediaPart): AnthropicImage | AnthropicDocument | null {
  const sent = sendable(media);
  if (sent === null) return null;
  const { source, mimeType, kind, name } = sent;
  if (isCommonImage(sent)) {
    if (source.type === 'data') {
      const type = IMAGE_TYPES.find((known) => known === mimeType);
      return type === undefined
        ? null
        : { type: 'image', source: { type: 'base64', media_type: type, data: source.data } };
    }
    return isWebAddress(sent) ? { type: 'image', source: { type: 'url', url: source.url } } : null;
  }
  if (kind !== 'document') return null;
  const title = isBlank(name) ? {} : { title: name };
  if (source.type === 'url') {
    if (mimeType !== 'application/pdf' || !isWebAddress(sent)) return null;
    return { type: 'document', source: { type: 'url', url: source.url }, ...title };
  }
  if (mimeType === 'application/pdf') {
    return {
      type: 'document',
      source: { type: 'base64', media_type: mimeType, data: source.data },
      ...title,
    };
  }
  if (mimeType !== 'text/plain') return null;
  const data = Buffer.from(source.data, 'base64').toString('utf8');
  return isBlank(data)
    ? null
    : { type: 'document', source: { type: 'text', media_type: mimeType, data }, ...title };
}
