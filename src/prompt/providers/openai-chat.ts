import type { MediaPart } from '../../event/part.ts';
import { dataUrl, isCommonImage, isWebAddress, mediaLabel, sendable } from '../media.ts';
import type { Prompt } from '../prompt.ts';
import { opaqueLabel } from '../render-part.ts';
import { replyBlocks } from '../reply-blocks.ts';
import { resultMedia, resultText } from '../result-text.ts';
import { inputJson } from '../tool-input.ts';
import { CallIds, legalToolName } from '../tool-names.ts';
import type { Block, ReplyTurn } from '../turn.ts';
import { turnsOf } from '../turns.ts';
import {
  OPENAI_CHAT_NAMING,
  type OpenAIChatAssistantPart,
  type OpenAIChatMessage,
  type OpenAIChatRequest,
  type OpenAIChatToolCall,
  type OpenAIChatUserPart,
} from './openai-chat-request.ts';

/**
 * The prompt as the messages of a Chat Completions request, for OpenAI and all that speak its protocol. Reasoning is
 * never sent. A tool's media follow its results in a user message, since results hold text alone. The same prompt gives
 * the same bytes.
 */
export function toOpenAIChat(prompt: Prompt): OpenAIChatRequest {
  const ids = new CallIds(OPENAI_CHAT_NAMING);
  const messages = turnsOf(prompt).flatMap((turn): OpenAIChatMessage[] => {
    switch (turn.kind) {
      case 'system':
        return turn.texts.map((content) => ({ role: 'system', content }));
      case 'summaries':
        return [{ role: 'user', content: turn.texts.map(text) }];
      case 'user':
        return userMessage(turn.blocks.flatMap(userPart));
      case 'reply':
        return replyMessages(turn, ids);
      default:
        return turn satisfies never;
    }
  });
  return { messages };
}

function replyMessages({ blocks, results }: ReplyTurn, ids: CallIds): OpenAIChatMessage[] {
  const parts: OpenAIChatAssistantPart[] = [];
  const calls: OpenAIChatToolCall[] = [];
  for (const block of replyBlocks(blocks, new Set())) {
    switch (block.type) {
      case 'reasoning':
        break;
      case 'text':
        parts.push(text(block.text));
        break;
      case 'refusal':
        parts.push({ type: 'refusal', refusal: block.text });
        break;
      case 'opaque':
        parts.push(text(opaqueLabel(block)));
        break;
      case 'call': {
        const name = legalToolName(block.name, OPENAI_CHAT_NAMING);
        calls.push({
          type: 'function',
          id: ids.of(block),
          function: { name, arguments: inputJson(block.input) },
        });
        break;
      }
      default:
        block satisfies never;
    }
  }
  const only = parts.length === 1 ? parts[0] : undefined;
  const content = only?.type === 'text' ? only.text : parts.length === 0 ? null : parts;
  const media = results.flatMap(resultMedia).flatMap(mediaPart);
  return [
    { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
    ...results.map((result): OpenAIChatMessage => {
      return { role: 'tool', tool_call_id: ids.of(result.call), content: resultText(result) };
    }),
    ...(media.length > 0 ? userMessage([text('[media of the tool results above]'), ...media]) : []),
  ];
}

/** Text alone goes as a string: not every server of this protocol reads parts. */
function userMessage(parts: OpenAIChatUserPart[]): OpenAIChatMessage[] {
  if (parts.length === 0) return [];
  const only = parts.length === 1 ? parts[0] : undefined;
  return [{ role: 'user', content: only?.type === 'text' ? only.text : parts }];
}

function text(words: string): { type: 'text'; text: string } {
  return { type: 'text', text: words };
}

function userPart(block: Block): OpenAIChatUserPart[] {
  if (block.type === 'text') return [text(block.text)];
  const sent = mediaPart(block);
  return sent.length > 0 || block.labelled ? sent : [text(mediaLabel(block.media))];
}

function mediaPart(block: Block): OpenAIChatUserPart[] {
  const sent = block.type === 'media' ? openAIChatMedia(block.media) : null;
  return sent === null ? [] : [sent];
}

function openAIChatMedia(media: MediaPart): OpenAIChatUserPart | null {
  const sent = sendable(media);
  if (sent === null) return null;
  const { source, mimeType, kind, name } = sent;
  if (isCommonImage(sent)) {
    if (source.type === 'data')
      return { type: 'image_url', image_url: { url: dataUrl(mimeType, source.data) } };
    return isWebAddress(sent) ? { type: 'image_url', image_url: { url: source.url } } : null;
  }
  if (source.type !== 'data') return null;
  const format = AUDIO_FORMATS.get(mimeType);
  if (kind === 'audio' && format !== undefined) {
    return { type: 'input_audio', input_audio: { data: source.data, format } };
  }
  if (kind !== 'document' || mimeType !== 'application/pdf') return null;
  const filename = name === '' ? 'document.pdf' : name;
  return { type: 'file', file: { filename, file_data: dataUrl(mimeType, source.data) } };
}

const AUDIO_FORMATS: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);
