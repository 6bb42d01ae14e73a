import type { DraftPart } from '../event/event.ts';
import type { JsonValue } from '../event/json.ts';
import { partOfBlock } from './anthropic-blocks.ts';
import type { NumberSources } from './exact-numbers.ts';
import { fieldsOf, type JsonFields, listOf, textOf } from './json-fields.ts';
import { mediaFromData, mediaFromUrl } from './media.ts';

/** Content kinds of Anthropic's form, which gateways put into OpenAI messages. */
const ANTHROPIC_KINDS: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'image',
]);

/** The parts of an OpenAI message's content, of chat completions and of the Responses API: a text, a part, or a list of parts. */
export function openaiContent(
  content: JsonValue | undefined,
  numbers: NumberSources | null = null,
): DraftPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (fieldsOf(content) !== null) return [partOf(content as JsonValue, numbers)];
  return (listOf(content) ?? []).map((part) => partOf(part, numbers));
}

function partOf(value: JsonValue, numbers: NumberSources | null): DraftPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const part = fieldsOf(value);
  const type = textOf(part?.['type']) ?? 'unknown';
  if (part !== null) {
    const known = knownPart(type, part);
    if (known !== null) return known;
    if (ANTHROPIC_KINDS.has(type)) return partOfBlock(value, numbers);
  }
  return { type: 'opaque', provider: 'openai', kind: type, json: value };
}

function knownPart(type: string, part: JsonFields): DraftPart | null {
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text': {
      const text = textOf(part['text']);
      return text === null ? null : { type: 'text', text };
    }
    case 'refusal': {
      const text = textOf(part['refusal']);
      return text === null ? null : { type: 'refusal', text };
    }
    case 'image_url':
    case 'input_image': {
      const url = textOf(part['image_url']) ?? textOf(fieldsOf(part['image_url'])?.['url']);
      return url === null ? null : mediaFromUrl('image/*', url);
    }
    case 'input_audio': {
      const audio = fieldsOf(part['input_audio']);
      const data = textOf(audio?.['data']);
      return data === null ? null : mediaFromData(`audio/${textOf(audio?.['format']) ?? '*'}`, data);
    }
    case 'file':
    case 'input_file':
      return filePart(fieldsOf(part['file']) ?? part);
    default:
      return null;
  }
}

function filePart(file: JsonFields): DraftPart | null {
  const name = textOf(file['filename']) ?? undefined;
  const url = textOf(file['file_data']) ?? textOf(file['file_url']);
  return url === null ? null : mediaFromUrl('application/octet-stream', url, name);
}
