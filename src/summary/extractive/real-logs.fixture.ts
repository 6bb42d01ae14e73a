import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InvocationId } from '../../event/ids.ts';
import type { JsonValue } from '../../event/json.ts';
import type { Part } from '../../event/part.ts';
import { sharedData } from '../../tokens/shared-data.fixture.ts';
import { shownEvent } from '../source.fixture.ts';
import type { SourceEvent } from '../summarizer.ts';

type Fields = { readonly [key: string]: JsonValue };

function fields(value: JsonValue | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function string(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function blocks(content: JsonValue | undefined): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return list(content).flatMap((each): Part[] => {
    const block = fields(each);
    const id = string(block.id ?? block.tool_use_id);
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: string(block.text) }];
      case 'tool_use':
        return [{ type: 'toolCall', id, name: string(block.name), input: { json: block.input ?? null } }];
      case 'tool_result':
        return [
          {
            type: 'toolResult',
            id,
            name: '',
            output: { parts: blocks(block.content) },
            isError: block.is_error === true,
          },
        ];
      default:
        return [];
    }
  });
}

/** A coding agent's log, read only as far as a summary of it needs: messages, calls and results of the main thread. */
export function realLog(name: string): SourceEvent[] {
  const events: SourceEvent[] = [];
  for (const line of readFileSync(join(sharedData ?? '', 'claude-code', name), 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const record = fields(JSON.parse(line) as JsonValue);
    if ((record.type !== 'user' && record.type !== 'assistant') || record.isSidechain === true) continue;
    const parts = blocks(fields(record.message).content);
    const role = parts.some((part) => part.type === 'toolResult') ? 'tool' : record.type;
    events.push(shownEvent(events.length + 1, parts, { role, invocation: 'i1' as InvocationId }));
  }
  return events;
}
