import type { MediaPart, OpaquePart } from '../../event/part.ts';
import { EMPTY } from '../frame.ts';
import { dataUrl, isCommonImage, isWebAddress, mediaLabel, sendable } from '../media.ts';
import type { Prompt } from '../prompt.ts';
import { isJsonObject, openAIItem } from '../provider-state.ts';
import { opaqueLabel } from '../render-part.ts';
import { type ReasoningProvider, replyBlocks } from '../reply-blocks.ts';
import { resultMedia, resultText } from '../result-text.ts';
import { inputJson } from '../tool-input.ts';
import { CallIds, legalToolName } from '../tool-names.ts';
import type { Block, Call, ReplyBlock, ReplyTurn, Result } from '../turn.ts';
import { turnsOf } from '../turns.ts';
import { wellFormedJson } from '../well-formed-json.ts';
import {
  OPENAI_RESPONSES_NAMING,
  type OpenAIAssistantMessage,
  type OpenAIInputItem,
  type OpenAIInputPart,
  type OpenAIOwnItem,
  type OpenAIReasoningItem,
  type OpenAIResponsesRequest,
} from './openai-responses-request.ts';

const OWN: ReadonlySet<ReasoningProvider> = new Set(['openai']);

/**
 * The prompt as the input of a Responses request. A reasoning item goes back whole, right before what it led to in its
 * reply, and never alone; messages and calls go without item ids, which would demand it. The same prompt gives the same
 * bytes.
 */
export function toOpenAIResponses(prompt: Prompt): OpenAIResponsesRequest {
  const ids = new CallIds(OPENAI_RESPONSES_NAMING);
  const input = turnsOf(prompt).flatMap((turn): OpenAIInputItem[] => {
    switch (turn.kind) {
      case 'system':
        return [{ type: 'message', role: 'developer', content: turn.texts.map(text) }];
      case 'summaries':
        return [{ type: 'message', role: 'user', content: turn.texts.map(text) }];
      case 'user': {
        const content = turn.blocks.flatMap(inputPart);
        return content.length > 0 ? [{ type: 'message', role: 'user', content }] : [];
      }
      case 'reply':
        return replyItems(turn, ids);
      default:
        return turn satisfies never;
    }
  });
  return { input };
}

function replyItems({ blocks, results }: ReplyTurn, ids: CallIds): OpenAIInputItem[] {
  const reasoning = new Set<string>();
  const items = replyBlocks(blocks, OWN).flatMap((block): OpenAIInputItem[] => {
    if (block.type !== 'reasoning') return [replyItem(block, ids)];
    const item = openAIItem(block.providerState, 'reasoning');
    if (item === null) return [];
    // An item whose summary has several texts may have become several parts.
    const key = JSON.stringify(item['id'] ?? item['encrypted_content'] ?? null);
    if (reasoning.has(key)) return [];
    reasoning.add(key);
    // What the provider gave goes back as it came; its shape is the provider's promise, not checked here.
    return [{ summary: [], ...item } as unknown as OpenAIReasoningItem];
  });
  return [...items, ...results.map((result) => resultItem(result, ids))];
}

function replyItem(block: Exclude<ReplyBlock, { type: 'reasoning' }>, ids: CallIds): OpenAIInputItem {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return message(
        block.text,
        block.type === 'text' ? openAIItem(block.providerState, 'message')?.['phase'] : null,
      );
    case 'opaque':
      return ownItem(block) ?? message(opaqueLabel(block), null);
    case 'call': {
      const call_id = ids.of(block);
      const name = legalToolName(block.name, OPENAI_RESPONSES_NAMING);
      if (isCustom(block)) return { type: 'custom_tool_call', call_id, name, input: block.input.raw };
      return { type: 'function_call', call_id, name, arguments: inputJson(block.input) };
    }
    default:
      return block satisfies never;
  }
}

function message(content: string, phase: unknown): OpenAIAssistantMessage {
  const plain: OpenAIAssistantMessage = { type: 'message', role: 'assistant', content };
  return phase === 'commentary' || phase === 'final_answer' ? { ...plain, phase } : plain;
}

/** Whether a call is of a tool that takes free text instead of JSON. */
function isCustom(call: Call): call is Call & { readonly input: { readonly raw: string } } {
  return 'raw' in call.input && openAIItem(call.providerState, 'custom_tool_call') !== null;
}

/** The API's own item, where it can stand alone. */
function ownItem({ provider, json }: OpaquePart): OpenAIOwnItem | null {
  if (provider !== 'openai' || !isJsonObject(json)) return null;
  const stands =
    (json['type'] === 'compaction' && typeof json['encrypted_content'] === 'string') ||
    (json['type'] === 'web_search_call' &&
      typeof json['id'] === 'string' &&
      typeof json['action'] === 'object');
  return stands ? (wellFormedJson(json) as unknown as OpenAIOwnItem) : null;
}

function resultItem(result: Result, ids: CallIds): OpenAIInputItem {
  const call_id = ids.of(result.call);
  const output = resultOutput(result);
  if (isCustom(result.call)) return { type: 'custom_tool_call_output', call_id, output };
  return { type: 'function_call_output', call_id, output };
}

function resultOutput(result: Result): string | OpenAIInputPart[] {
  const media = resultMedia(result);
  if (
    'json' in result.output ||
    !media.some((block) => block.type === 'media' && mediaPart(block.media) !== null)
  ) {
    return resultText(result);
  }
  const parts = result.output.blocks.flatMap(inputPart);
  if (result.isError) return [text('[error]'), ...parts];
  return parts.length > 0 ? parts : EMPTY;
}

function text(words: string): { type: 'input_text'; text: string } {
  return { type: 'input_text', text: words };
}

function inputPart(block: Block): OpenAIInputPart[] {
  if (block.type === 'text') return [text(block.text)];
  const sent = mediaPart(block.media);
  if (sent !== null) return [sent];
  return block.labelled ? [] : [text(mediaLabel(block.media))];
}

function mediaPart(media: MediaPart): OpenAIInputPart | null {
  const sent = sendable(media);
  if (sent === null) return null;
  const { source, mimeType, kind, name } = sent;
  if (isCommonImage(sent)) {
    if (source.type === 'data')
      return { type: 'input_image', image_url: dataUrl(mimeType, source.data), detail: 'auto' };
    return isWebAddress(sent) ? { type: 'input_image', image_url: source.url, detail: 'auto' } : null;
  }
  if (kind !== 'document' || mimeType !== 'application/pdf') return null;
  if (source.type === 'url') return isWebAddress(sent) ? { type: 'input_file', file_url: source.url } : null;
  const filename = name === '' ? 'document.pdf' : name;
  return { type: 'input_file', filename, file_data: dataUrl(mimeType, source.data) };
}
