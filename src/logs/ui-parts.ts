import type { DraftPart } from '../event/event.ts';
import type { JsonObject, JsonValue } from '../event/json.ts';
import type { ProviderState, ToolOutput } from '../event/part.ts';
import { type NumberSources, toolInputOf } from './exact-numbers.ts';
import type { ImportRun, Said } from './import-run.ts';
import { fieldsOf, type JsonFields, textOf } from './json-fields.ts';
import { mediaFromUrl } from './media.ts';
import { safeName } from './names.ts';

/** An event out of one part of a message; the suffix tells it from the others of its message. */
export type SaidPart = Said & { readonly suffix?: string };

/** A part that is no tool's. Nothing for one that is still being written: it is imported once it is whole. */
export function partsOfUiPart(value: JsonValue, run: ImportRun): readonly DraftPart[] {
  const part = fieldsOf(value);
  const type = textOf(part?.['type']) ?? 'unknown';
  if (part === null) return [{ type: 'opaque', provider: 'ai-sdk', kind: type, json: value }];
  if (part['state'] === 'streaming') {
    run.note('parts not finished, left for the next import');
    return [];
  }
  const text = textOf(part['text']);
  switch (type) {
    case 'text':
      if (text !== null) return [{ type: 'text', text }];
      break;
    case 'reasoning':
      if (text !== null) return [{ type: 'reasoning', text, ...reasoningState(part, text) }];
      break;
    case 'file': {
      const url = textOf(part['url']);
      const mimeType = textOf(part['mediaType']) ?? textOf(part['mimeType']);
      if (url !== null && mimeType !== null) {
        return [mediaFromUrl(mimeType, url, textOf(part['filename']) ?? undefined)];
      }
      break;
    }
    case 'step-start':
      return [];
    default:
  }
  return [{ type: 'opaque', provider: 'ai-sdk', kind: type, json: value }];
}

/** What a provider wants back with its reasoning, in the form a stored part carries it. */
function reasoningState(part: JsonFields, text: string): { readonly providerState?: ProviderState } {
  const metadata = fieldsOf(part['providerMetadata']);
  const anthropic = fieldsOf(metadata?.['anthropic']);
  const signature = textOf(anthropic?.['signature']);
  const data = textOf(anthropic?.['redactedData']);
  if (signature !== null) return { providerState: { provider: 'anthropic', json: { signature } } };
  if (data !== null) return { providerState: { provider: 'anthropic', json: { data } } };
  const openai = fieldsOf(metadata?.['openai']);
  const encrypted = textOf(openai?.['reasoningEncryptedContent']);
  if (encrypted === null) return {};
  const id = textOf(openai?.['itemId']);
  const json: JsonObject = {
    type: 'reasoning',
    ...(id === null ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: encrypted,
  };
  return { providerState: { provider: 'openai', json } };
}

/** The tool a part is a call of, or null when it is none. */
export function toolNameOf(part: JsonFields): string | null {
  const type = textOf(part['type']) ?? '';
  if (type === 'dynamic-tool') return textOf(part['toolName']) ?? '';
  if (type === 'tool-invocation') return textOf(fieldsOf(part['toolInvocation'])?.['toolName']) ?? '';
  return type.startsWith('tool-') ? type.slice('tool-'.length) : null;
}

/** A tool's part as what it holds: the call, with what it asks a person; and, later, the answer and the result. */
export function sayToolPart(
  part: JsonFields,
  name: string,
  numbers: NumberSources | null,
  run: ImportRun,
): { readonly call: Omit<SaidPart, 'role'> | null; readonly later: readonly SaidPart[] } {
  // Version 4 nests the call, and calls its arguments and states otherwise.
  const call = fieldsOf(part['toolInvocation']) ?? part;
  const state = textOf(call['state']) ?? '';
  const id = textOf(call['toolCallId']) ?? '';
  if (state === 'input-streaming' || state === 'partial-call') {
    run.note('parts not finished, left for the next import');
    return { call: null, later: [] };
  }
  const callId = id === '' ? {} : { id: safeName(id) };
  const input = call['input'] ?? call['args'] ?? call['rawInput'];
  const approval = fieldsOf(call['approval']);
  const ask = textOf(approval?.['id']);
  const later: SaidPart[] = [];
  if (approval !== null && ask !== null && typeof approval['approved'] === 'boolean') {
    const json = call['approval'] as JsonValue;
    later.push({
      role: 'user',
      content: [{ type: 'opaque', provider: 'ai-sdk', kind: 'tool-approval-response', json }],
      answers: [safeName(ask)],
      suffix: 'answer',
    });
  }
  const output = outputOf(call, state);
  if (output !== null) {
    const isError = state === 'output-error' || state === 'output-denied';
    later.push({
      role: 'tool',
      content: [{ type: 'toolResult', ...callId, name, output, isError }],
      suffix: 'result',
    });
  }
  return {
    call: {
      content: [{ type: 'toolCall', ...callId, name, input: toolInputOf(input, numbers) }],
      ...(ask === null || ask === ''
        ? {}
        : { asks: [{ kind: 'confirmation', id: safeName(ask), call: id === '' ? '' : safeName(id) }] }),
    },
    later,
  };
}

function outputOf(call: JsonFields, state: string): ToolOutput | null {
  switch (state) {
    case 'output-available':
    case 'result': {
      // A preliminary output is replaced by the next one.
      if (call['preliminary'] === true) return null;
      const output = call['output'] ?? call['result'] ?? null;
      return typeof output === 'string' ? { parts: [{ type: 'text', text: output }] } : { json: output };
    }
    case 'output-error':
      return { parts: [{ type: 'text', text: textOf(call['errorText']) ?? '' }] };
    case 'output-denied':
      return { parts: [{ type: 'text', text: textOf(fieldsOf(call['approval'])?.['reason']) ?? 'denied' }] };
    default:
      return null;
  }
}
