import type { JsonValue } from '../event/json.ts';
import { finishOf, partsOfContent, usageOf } from './anthropic-blocks.ts';
import type { NumberSources } from './exact-numbers.ts';
import type { LogFormatReader } from './format.ts';
import type { Said } from './import-run.ts';
import { fieldsOf, listOf, textOf } from './json-fields.ts';
import { type Conversation, messageLog, type SaidMessage } from './message-log.ts';
import { sayByRole } from './say-by-role.ts';

/** Content blocks no other provider's messages have. */
const BLOCKS: ReadonlySet<string | null> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'document',
  'server_tool_use',
  'compaction',
]);

/** Anthropic's messages: a request with `system` and `messages`, a list of messages, a single response, or a message a line. */
export const anthropicMessages: LogFormatReader = messageLog({
  format: 'anthropic-messages',
  conversation,
  areMessages: isAnthropic,
  reader: () => ({
    say: (message, _ordinal, numbers): SaidMessage => ({ said: sayMessage(message, numbers) }),
  }),
});

function isMessage(value: JsonValue): boolean {
  const message = fieldsOf(value);
  const role = message?.['role'];
  return message !== null && (role === 'user' || role === 'assistant') && !('tool_calls' in message);
}

/** Whether all are user's or assistant's messages and one has a block only Anthropic knows. */
function isAnthropic(messages: readonly JsonValue[]): boolean {
  return messages.every(isMessage) && messages.some((message) => hasOwnBlock(fieldsOf(message)?.['content']));
}

function hasOwnBlock(content: JsonValue | undefined): boolean {
  return (listOf(content) ?? []).some((value) => {
    const block = fieldsOf(value);
    return BLOCKS.has(textOf(block?.['type'])) || (block?.['type'] === 'image' && 'source' in block);
  });
}

function conversation(document: JsonValue): Conversation | null {
  const fields = fieldsOf(document);
  if (fields === null) {
    const messages = listOf(document) ?? [];
    return isAnthropic(messages) ? { messages } : null;
  }
  const messages = listOf(fields['messages']);
  if (messages === null) {
    return fields['type'] === 'message' && isMessage(document) ? { messages: [document] } : null;
  }
  const system = fields['system'];
  const hasSystem = typeof system === 'string' || Array.isArray(system);
  if (!isAnthropic(messages) && !(hasSystem && messages.length > 0 && messages.every(isMessage))) return null;
  return { messages: hasSystem ? [{ role: 'system', content: system }, ...messages] : messages };
}

function sayMessage(value: JsonValue, numbers: NumberSources | null): readonly Said[] | string {
  const message = fieldsOf(value);
  if (message === null) return 'not_an_object';
  const role = textOf(message['role']);
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return 'unknown_role';
  const usage = usageOf(message['usage']);
  const finish = finishOf(message['stop_reason']);
  return sayByRole(role, partsOfContent(message['content'], numbers), {
    opens: role === 'user',
    ...(usage === null ? {} : { usage }),
    ...(finish === null ? {} : { finish }),
  });
}
