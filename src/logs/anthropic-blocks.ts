import type { DraftPart, Finish, Usage } from '../event/event.ts';
import type { JsonValue } from '../event/json.ts';
import type { MediaPart, OpaquePart, Part } from '../event/part.ts';
import { type NumberSources, toolInputOf } from './exact-numbers.ts';
import { countOf, fieldsOf, type JsonFields, listOf, textOf } from './json-fields.ts';
import { mediaFromData, mediaFromUrl } from './media.ts';
import { safeName } from './names.ts';

/** Results in results are told apart this deep; below, they are kept whole. */
const MAX_RESULT_DEPTH = 32;

/** The parts of an Anthropic message's content: a text, or a list of blocks. */
export function partsOfContent(
  content: JsonValue | undefined,
  numbers: NumberSources | null,
  depth = 0,
): DraftPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (listOf(content) ?? []).map((block) => partOfBlock(block, numbers, depth));
}

/** One content block. A kind this project has no word for (server tools, compaction, …) is kept whole. */
export function partOfBlock(block: JsonValue, numbers: NumberSources | null, depth = 0): DraftPart {
  if (typeof block === 'string') return { type: 'text', text: block };
  const fields = fieldsOf(block);
  const type = textOf(fields?.['type']);
  if (fields === null || type === null) return opaque('unknown', block);
  switch (type) {
    case 'text':
      return textPart(fields) ?? opaque(type, block);
    case 'thinking': {
      const text = textOf(fields['thinking']);
      if (text === null) return opaque(type, block);
      const signature = textOf(fields['signature']);
      if (signature === null) return { type: 'reasoning', text };
      return { type: 'reasoning', text, providerState: { provider: 'anthropic', json: { signature } } };
    }
    case 'redacted_thinking': {
      const data = textOf(fields['data']);
      if (data === null) return opaque(type, block);
      return { type: 'reasoning', text: '', providerState: { provider: 'anthropic', json: { data } } };
    }
    case 'tool_use': {
      const name = textOf(fields['name']);
      if (name === null) return opaque(type, block);
      return {
        type: 'toolCall',
        ...callId(fields['id']),
        name,
        input: toolInputOf(fields['input'], numbers),
      };
    }
    case 'tool_result':
      if (depth === MAX_RESULT_DEPTH) return opaque(type, block);
      return {
        type: 'toolResult',
        ...callId(fields['tool_use_id']),
        output: { parts: settled(partsOfContent(fields['content'], numbers, depth + 1)) },
        isError: fields['is_error'] === true,
      };
    case 'image':
    case 'document':
      return media(type, fields) ?? opaque(type, block);
    default:
      return opaque(type, block);
  }
}

/** Parts as they stand in a tool's result: a call in there owes nothing, so it needs no id. */
export function settled(parts: readonly DraftPart[]): Part[] {
  return parts.map((part): Part => {
    if (part.type === 'toolCall') return { ...part, id: part.id ?? '' };
    if (part.type === 'toolResult') {
      return { ...part, id: part.id ?? '', name: part.name ?? '', isError: part.isError ?? false };
    }
    return part;
  });
}

/** Input tokens as a whole, the cached among them named; the counts of a usage record that names none are absent. */
export function usageOf(value: JsonValue | undefined): Usage | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const input = countOf(fields['input_tokens']);
  const output = countOf(fields['output_tokens']);
  if (input === undefined && output === undefined) return null;
  const read = countOf(fields['cache_read_input_tokens']) ?? 0;
  const created = countOf(fields['cache_creation_input_tokens']) ?? 0;
  return {
    ...(input === undefined ? {} : { inputTokens: input + read + created, cachedInputTokens: read }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
}

/** Why a reply ended, or null while nothing says so. */
export function finishOf(reason: JsonValue | undefined): Finish | null {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'toolCalls';
    case 'refusal':
      return 'contentFilter';
    default:
      return typeof reason === 'string' ? 'other' : null;
  }
}

function opaque(kind: string, json: JsonValue): OpaquePart {
  return { type: 'opaque', provider: 'anthropic', kind, json };
}

function callId(id: JsonValue | undefined): { readonly id?: string } {
  return typeof id === 'string' && id !== '' ? { id: safeName(id) } : {};
}

function textPart(fields: JsonFields): DraftPart | null {
  const text = textOf(fields['text']);
  if (text === null) return null;
  const citations = listOf(fields['citations']);
  if (citations === null || citations.length === 0) return { type: 'text', text };
  return { type: 'text', text, providerState: { provider: 'anthropic', json: { citations } } };
}

function media(type: 'image' | 'document', fields: JsonFields): MediaPart | null {
  const source = fieldsOf(fields['source']);
  if (source === null) return null;
  const title = textOf(fields['title']) ?? undefined;
  const fallback = type === 'image' ? 'image/*' : 'application/pdf';
  const mimeType = textOf(source['media_type']) ?? fallback;
  const data = textOf(source['data']);
  const url = textOf(source['url']);
  if (source['type'] === 'base64' && data !== null) return mediaFromData(mimeType, data, title);
  if (source['type'] === 'url' && url !== null) return mediaFromUrl(mimeType, url, title);
  return null;
}
