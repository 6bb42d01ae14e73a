import type { DraftPart, Role } from '../event/event.ts';
import type { JsonObject, JsonValue } from '../event/json.ts';
import type { Part } from '../event/part.ts';
import { settled } from './anthropic-blocks.ts';
import { type NumberSources, toolInputOf } from './exact-numbers.ts';
import type { Said } from './import-run.ts';
import { fieldsOf, type JsonFields, listOf, textOf } from './json-fields.ts';
import { reasonName } from './line-tally.ts';
import { mediaFromData } from './media.ts';
import { safeName } from './names.ts';
import { openaiContent } from './openai-content.ts';

const ROLES: { readonly [role: string]: Role | undefined } = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
};

/** Whether a value is an item of the Responses API's kind of conversation. */
export function isItem(value: JsonValue): boolean {
  const item = fieldsOf(value);
  switch (textOf(item?.['type'])) {
    case 'message':
      return item !== null && 'role' in item;
    case 'reasoning':
      return item !== null && ('summary' in item || 'encrypted_content' in item);
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'function_call_output':
    case 'custom_tool_call_output':
      return item !== null && 'call_id' in item;
    case 'compaction':
      return item !== null && 'encrypted_content' in item;
    default:
      return false;
  }
}

/**
 * What an item of the Responses API says, or why it is skipped. Arguments of calls are kept as the text they came as.
 * What must be sent back unchanged (encrypted reasoning, compaction, searches) is kept whole.
 */
export function sayItem(item: JsonFields, numbers: NumberSources | null): Said | string {
  const type = textOf(item['type']) ?? 'unknown';
  switch (type) {
    case 'message':
      return sayMessage(item);
    case 'reasoning':
      return sayReasoning(item);
    case 'function_call':
      return call(item, type, { raw: textOf(item['arguments']) ?? '' });
    case 'custom_tool_call':
      return call(item, type, { raw: textOf(item['input']) ?? '' });
    case 'local_shell_call':
      return call({ ...item, name: 'local_shell' }, type, toolInputOf(item['action'], numbers));
    case 'tool_search_call':
      if (textOf(item['call_id']) === null) return opaque(item, type);
      return call({ ...item, name: 'tool_search' }, type, toolInputOf(item['arguments'], numbers));
    case 'function_call_output':
    case 'custom_tool_call_output':
      return result(item, type, item['output']);
    case 'tool_search_output':
      if (textOf(item['call_id']) === null) return opaque(item, type);
      return {
        ...result(item, type, undefined),
        content: [resultPart(item, { json: item['tools'] ?? null })],
      };
    case 'image_generation_call': {
      const data = textOf(item['result']);
      if (data === null) return opaque(item, type);
      return { role: 'assistant', content: [mediaFromData('image/png', data)], metadata: { item: type } };
    }
    case 'agent_message':
      // Another agent's message to this one.
      return {
        role: 'user',
        ...authorOf(item['author']),
        content: openaiContent(item['content']),
        metadata: { item: type },
      };
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return { ...opaque(item, type), metadata: { kind: 'log_compaction', is: 'summary' } };
    case 'ghost_snapshot':
      return `item:${reasonName(type)}`;
    default:
      return opaque(item, type);
  }
}

/** Keeps an item as it came. */
export function opaque(item: JsonFields, kind: string): Said {
  return {
    role: ROLES[textOf(item['role']) ?? ''] ?? 'assistant',
    content: [{ type: 'opaque', provider: 'openai', kind, json: item as JsonObject }],
  };
}

function sayMessage(item: JsonFields): Said | string {
  const role = ROLES[textOf(item['role']) ?? ''];
  if (role === undefined) return opaque(item, 'message');
  const content = openaiContent(item['content']);
  if (content.length === 0) return 'empty';
  const phase = textOf(item['phase']);
  return { role, content, ...(phase === null ? {} : { metadata: { phase } }) };
}

function sayReasoning(item: JsonFields): Said | string {
  const texts = [...openaiContent(item['summary']), ...openaiContent(item['content'])];
  const text = texts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
  const encrypted = textOf(item['encrypted_content']);
  if (encrypted === null && text === '') return 'empty';
  const part: DraftPart = { type: 'reasoning', text };
  if (encrypted === null) return { role: 'assistant', content: [part] };
  return {
    role: 'assistant',
    content: [{ ...part, providerState: { provider: 'openai', json: item as JsonObject } }],
  };
}

function call(
  item: JsonFields,
  type: string,
  input: { readonly raw: string } | { readonly json: JsonValue },
): Said {
  const namespace = textOf(item['namespace']);
  return {
    role: 'assistant',
    content: [{ type: 'toolCall', ...callId(item), name: textOf(item['name']) ?? '', input }],
    ...(type === 'function_call' && namespace === null
      ? {}
      : { metadata: { item: type, ...(namespace === null ? {} : { namespace }) } }),
  };
}

function result(item: JsonFields, type: string, output: JsonValue | undefined): Said {
  const fields = fieldsOf(output);
  // Some versions wrap the output: { content, success }.
  const wrapped = fields !== null && 'content' in fields && !('type' in fields);
  const parts = settled(openaiContent(wrapped ? fields['content'] : output));
  return {
    role: 'tool',
    content: [resultPart(item, { parts }, wrapped && fields['success'] === false)],
    ...(type === 'function_call_output' ? {} : { metadata: { item: type } }),
  };
}

function resultPart(
  item: JsonFields,
  output: { readonly parts: readonly Part[] } | { readonly json: JsonValue },
  isError = false,
): DraftPart {
  return { type: 'toolResult', ...callId(item), output, isError };
}

function callId(item: JsonFields): { readonly id?: string } {
  const id = textOf(item['call_id']);
  return id === null || id === '' ? {} : { id: safeName(id) };
}

function authorOf(value: JsonValue | undefined): { readonly author?: string } {
  const author = textOf(value);
  return author === null || author === '' ? {} : { author: safeName(author) };
}

/** The texts of an item's content, for telling whether something else repeats it. */
export function itemTexts(item: JsonFields): readonly string[] {
  const parts = typeof item['content'] === 'string' ? [item['content']] : (listOf(item['content']) ?? []);
  const texts: string[] = [];
  for (const part of parts) {
    const text = textOf(part) ?? textOf(fieldsOf(part)?.['text']);
    if (text !== null) texts.push(text);
  }
  return texts;
}
