import type { DraftPart, Finish, Role, Usage } from '../event/event.ts';
import type { JsonObject, JsonValue } from '../event/json.ts';
import { partOfBlock, settled } from './anthropic-blocks.ts';
import { type NumberSources, toolInputOf } from './exact-numbers.ts';
import type { LogFormatReader } from './format.ts';
import type { Said } from './import-run.ts';
import { countOf, fieldsOf, type JsonFields, listOf, textOf } from './json-fields.ts';
import { type Conversation, messageLog, type SaidMessage } from './message-log.ts';
import { safeName } from './names.ts';
import { openaiContent } from './openai-content.ts';
import { sayByRole } from './say-by-role.ts';

const ROLES: { readonly [role: string]: Role | undefined } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** Chat-completion messages: a list, an object with `messages` (and the `response` to them, as gateways log it), or a message a line. */
export const openaiChat: LogFormatReader = messageLog({
  format: 'openai-chat',
  conversation,
  areMessages: (lines) => lines.some(isMessage),
  reader: () => ({
    say: (message, _ordinal, numbers): SaidMessage => ({ said: sayMessage(message, numbers) }),
  }),
});

function isMessage(value: JsonValue): boolean {
  const message = fieldsOf(value);
  if (message === null || ROLES[textOf(message['role']) ?? ''] === undefined) return false;
  return 'content' in message || 'tool_calls' in message || 'function_call' in message;
}

function conversation(document: JsonValue): Conversation | null {
  if (isMessage(document)) return { messages: [document] };
  const fields = fieldsOf(document);
  const messages = listOf(fields === null ? document : fields['messages']);
  if (messages === null || !messages.some(isMessage)) return null;
  const response = fieldsOf(fields?.['response']);
  const choice = fieldsOf(listOf(response?.['choices'])?.[0]);
  const reply = fieldsOf(choice?.['message']);
  if (response === null || choice === null || reply === null) return { messages };
  // The reply goes on from the messages: as the next of them, with what the response says about it.
  const { finish_reason } = choice;
  return {
    messages: [
      ...messages,
      { ...(reply as JsonObject), finish_reason: finish_reason ?? null, usage: response['usage'] ?? null },
    ],
  };
}

function sayMessage(value: JsonValue, numbers: NumberSources | null): readonly Said[] | string {
  const message = fieldsOf(value);
  if (message === null) return 'not_an_object';
  const role = ROLES[textOf(message['role']) ?? ''];
  if (role === undefined) return 'unknown_role';
  if (role === 'tool') return [sayResult(message, numbers)];
  const parts = [...reasoningParts(message, numbers), ...openaiContent(message['content'], numbers)];
  const refusal = textOf(message['refusal']);
  if (refusal !== null) parts.push({ type: 'refusal', text: refusal });
  parts.push(...calls(message, numbers));
  if (fieldsOf(message['audio']) !== null) {
    parts.push({ type: 'opaque', provider: 'openai', kind: 'audio', json: message['audio'] as JsonValue });
  }
  const name = textOf(message['name']);
  const usage = usageOf(message['usage']);
  const finish = finishOf(message['finish_reason']);
  return sayByRole(role, parts, {
    opens: role === 'user',
    ...(name === null || name === '' ? {} : { author: safeName(name) }),
    ...(usage === null ? {} : { usage }),
    ...(finish === null ? {} : { finish }),
  });
}

function sayResult(message: JsonFields, numbers: NumberSources | null): Said {
  const id = textOf(message['tool_call_id']);
  const name = textOf(message['name']);
  const part: DraftPart = {
    type: 'toolResult',
    ...(id === null || id === '' ? {} : { id: safeName(id) }),
    ...(name === null ? {} : { name }),
    output: { parts: settled(openaiContent(message['content'], numbers)) },
  };
  return { role: 'tool', content: [part] };
}

/** Reasoning as gateways log it: Anthropic's blocks, or a text. */
function reasoningParts(message: JsonFields, numbers: NumberSources | null): readonly DraftPart[] {
  const blocks = listOf(message['thinking_blocks']);
  if (blocks !== null && blocks.length > 0) return blocks.map((block) => partOfBlock(block, numbers));
  const text = textOf(message['reasoning_content']) ?? textOf(message['reasoning']);
  return text === null || text === '' ? [] : [{ type: 'reasoning', text }];
}

function calls(message: JsonFields, numbers: NumberSources | null): readonly DraftPart[] {
  const legacy = fieldsOf(message['function_call']);
  const all = (listOf(message['tool_calls']) ?? []).map((call) => callPart(fieldsOf(call) ?? {}, numbers));
  return legacy === null ? all : [...all, callPart({ function: legacy as JsonObject }, numbers)];
}

function callPart(call: JsonFields, numbers: NumberSources | null): DraftPart {
  const id = textOf(call['id']);
  const callee = fieldsOf(call['function']) ?? fieldsOf(call['custom']) ?? {};
  const input = callee['arguments'] ?? callee['input'];
  return {
    type: 'toolCall',
    ...(id === null || id === '' ? {} : { id: safeName(id) }),
    name: textOf(callee['name']) ?? '',
    // Kept as the text the provider gave, which need not be JSON.
    input: typeof input === 'string' ? { raw: input } : toolInputOf(input, numbers),
  };
}

function usageOf(value: JsonValue | undefined): Usage | null {
  const fields = fieldsOf(value);
  const input = countOf(fields?.['prompt_tokens']);
  const output = countOf(fields?.['completion_tokens']);
  if (fields === null || (input === undefined && output === undefined)) return null;
  const cached = countOf(fieldsOf(fields['prompt_tokens_details'])?.['cached_tokens']);
  const reasoning = countOf(fieldsOf(fields['completion_tokens_details'])?.['reasoning_tokens']);
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}

function finishOf(reason: JsonValue | undefined): Finish | null {
  switch (reason) {
    case 'stop':
      return 'stop';
    case 'length':
      return 'length';
    case 'tool_calls':
    case 'function_call':
      return 'toolCalls';
    case 'content_filter':
      return 'contentFilter';
    default:
      return typeof reason === 'string' ? 'other' : null;
  }
}
