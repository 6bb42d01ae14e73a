import { copyItems, copyJson, MAX_DEPTH, readFields } from './copy-json.ts';
import { InvalidEventError } from './errors.ts';
import type { DraftPart } from './event.ts';
import type { Part, ProviderState, ToolInput, ToolOutput } from './part.ts';

type Fields = { readonly [key: string]: unknown };

/** Deepest nesting of results in results; the 129th level is refused. */
export const MAX_RESULT_DEPTH = 128;

/** A string field, or `InvalidEventError`. */
export function readString(fields: Fields, field: string, path: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new InvalidEventError(`${path}.${field}`, 'is not a string');
  return value;
}

function optionalString(fields: Fields, field: string, path: string): { readonly [key: string]: string } {
  return fields[field] === undefined ? {} : { [field]: readString(fields, field, path) };
}

function providerState(fields: Fields, path: string): { readonly providerState?: ProviderState } {
  const value = fields['providerState'];
  if (value === undefined) return {};
  const at = `${path}.providerState`;
  const state = readFields(value, at);
  return {
    providerState: Object.freeze({
      provider: readString(state, 'provider', at),
      json: copyJson(state['json'], `${at}.json`),
    }),
  };
}

/** What a call or a result carries stands under one of two names: left behind under any other, it would be lost. */
function readCarrier(value: unknown, path: string, names: readonly [string, string]): Fields {
  const fields = readFields(value, path);
  const keys = Object.keys(fields);
  const [one, other] = names;
  if (keys.length === 0 || keys.some((key) => key !== one && key !== other))
    throw new InvalidEventError(path, `must be an object with ${one} or ${other}, and nothing else`);
  return fields;
}

function toolInput(value: unknown, path: string): ToolInput {
  const fields = readCarrier(value, path, ['json', 'raw']);
  if (fields['raw'] !== undefined) return Object.freeze({ raw: readString(fields, 'raw', path) });
  return Object.freeze({ json: copyJson(fields['json'] ?? null, `${path}.json`) });
}

function toolOutput(value: unknown, path: string, depth: number): ToolOutput {
  const fields = readCarrier(value, path, ['json', 'parts']);
  const { parts } = fields;
  if (parts === undefined) return Object.freeze({ json: copyJson(fields['json'] ?? null, `${path}.json`) });
  if (depth >= MAX_RESULT_DEPTH)
    throw new InvalidEventError(path.slice(0, MAX_DEPTH), `nests over ${MAX_RESULT_DEPTH} results`);
  return Object.freeze({
    // A call nested in a result owes nothing, so its id may be empty.
    parts: copyItems(parts, `${path}.parts`, (part, at): Part => {
      const copy = copyPart(part, at, depth + 1);
      if (copy.type === 'toolCall') return Object.freeze({ ...copy, id: copy.id ?? '' });
      if (copy.type === 'toolResult') {
        return Object.freeze({
          ...copy,
          id: copy.id ?? '',
          name: copy.name ?? '',
          isError: copy.isError ?? false,
        });
      }
      return copy;
    }),
  });
}

/**
 * A deeply frozen copy of one part, field by field: what is not a field of its type is left behind. Throws
 * `InvalidEventError` naming the path of what cannot be stored.
 */
export function copyPart(part: unknown, path: string, depth = 0): DraftPart {
  const value = readFields(part, path);
  const { type } = value;
  switch (type) {
    case 'text':
    case 'reasoning':
      return Object.freeze({ type, text: readString(value, 'text', path), ...providerState(value, path) });
    case 'refusal':
      return Object.freeze({ type, text: readString(value, 'text', path) });
    case 'media': {
      const kind = value['kind'];
      if (kind !== 'image' && kind !== 'audio' && kind !== 'document') {
        throw new InvalidEventError(`${path}.kind`, 'is not image, audio or document');
      }
      if ((value['data'] === undefined) === (value['url'] === undefined)) {
        throw new InvalidEventError(path, 'needs exactly one of data and url');
      }
      return Object.freeze({
        type,
        kind,
        mimeType: readString(value, 'mimeType', path),
        ...optionalString(value, 'data', path),
        ...optionalString(value, 'url', path),
        ...optionalString(value, 'name', path),
      });
    }
    case 'code':
      return Object.freeze({
        type,
        language: readString(value, 'language', path),
        code: readString(value, 'code', path),
        ...optionalString(value, 'id', path),
      });
    case 'codeResult':
      return Object.freeze({
        type,
        outcome: readString(value, 'outcome', path),
        output: readString(value, 'output', path),
        ...optionalString(value, 'id', path),
      });
    case 'toolCall':
      return Object.freeze({
        type,
        ...optionalString(value, 'id', path),
        name: readString(value, 'name', path),
        input: toolInput(value['input'], `${path}.input`),
        ...providerState(value, path),
      });
    case 'toolResult':
      return Object.freeze({
        type,
        ...optionalString(value, 'id', path),
        ...optionalString(value, 'name', path),
        output: toolOutput(value['output'], `${path}.output`, depth),
        isError: value['isError'] === true,
      });
    case 'opaque':
      return Object.freeze({
        type,
        provider: readString(value, 'provider', path),
        kind: readString(value, 'kind', path),
        json: copyJson(value['json'], `${path}.json`),
      });
    default:
      throw new InvalidEventError(`${path}.type`, 'is no known part type; wrap it as opaque');
  }
}
