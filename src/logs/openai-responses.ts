import type { Usage } from '../event/event.ts';
import type { JsonObject, JsonValue } from '../event/json.ts';
import type { NumberSources } from './exact-numbers.ts';
import type { LogFormatReader } from './format.ts';
import { countOf, fieldsOf, listOf, textOf } from './json-fields.ts';
import { type Conversation, type MessageReader, messageLog, type SaidMessage } from './message-log.ts';
import { isItem, sayItem } from './openai-items.ts';
import { ReplyRuns } from './reply-runs.ts';

/** The Responses API: a response (with the `input` it answers, where it is logged along), or a list of items. */
export const openaiResponses: LogFormatReader = messageLog({
  format: 'openai-responses',
  conversation,
  areMessages: () => false,
  reader: itemReader,
});

function conversation(document: JsonValue): Conversation | null {
  const list = listOf(document);
  if (list !== null) return list.some(isItem) ? { messages: list } : null;
  const fields = fieldsOf(document);
  const output = listOf(fields?.['output']) ?? [];
  const given = fields?.['input'];
  const input = typeof given === 'string' ? [message('user', given)] : (listOf(given) ?? []);
  if (fields === null || ![...input, ...output].some(isItem)) return null;
  const instructions = textOf(fields['instructions']);
  const usage = usageOf(fields['usage']);
  // The response's usage goes along with each item of its output; a reply reports it once.
  return {
    messages: [
      ...(instructions === null ? [] : [message('system', instructions)]),
      ...input,
      ...output.map((item) => (usage === null ? item : { ...(fieldsOf(item) as JsonObject | null), usage })),
    ],
  };
}

function message(role: string, content: string): JsonObject {
  return { type: 'message', role, content };
}

function itemReader(): MessageReader {
  const replies = new ReplyRuns();
  return {
    say: (value: JsonValue, ordinal: number, numbers: NumberSources | null): SaidMessage => {
      const fields = fieldsOf(value);
      if (fields === null) return { said: 'not_an_object' };
      const { usage, ...item } = fields;
      // The API takes messages without a type.
      const said = sayItem('type' in item ? item : { ...item, type: 'message' }, numbers);
      if (typeof said === 'string') return { said };
      return {
        said: [
          {
            ...said,
            opens: said.role === 'user' && said.metadata === undefined,
            ...replies.of(said.role, `openai-responses:${ordinal}`),
            ...(usage === undefined || said.role !== 'assistant' ? {} : { usage: usage as Usage }),
          },
        ],
      };
    },
  };
}

function usageOf(value: JsonValue | undefined): JsonObject | null {
  const fields = fieldsOf(value);
  const inputTokens = countOf(fields?.['input_tokens']);
  const outputTokens = countOf(fields?.['output_tokens']);
  const cachedInputTokens = countOf(fieldsOf(fields?.['input_tokens_details'])?.['cached_tokens']);
  const reasoningTokens = countOf(fieldsOf(fields?.['output_tokens_details'])?.['reasoning_tokens']);
  if (inputTokens === undefined || outputTokens === undefined) return null;
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
