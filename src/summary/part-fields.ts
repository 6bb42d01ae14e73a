import type { JsonObject, JsonValue } from '../event/json.ts';
import type { MediaPart, Part, ToolInput, ToolOutput } from '../event/part.ts';
import { capText } from './quoted.ts';
import type { TranscriptCaps } from './transcript-caps.ts';

/** Names (authors, tools, ids, languages) are for telling apart, and shown to this many code points, whatever the caps. */
export const NAME_CAP = 200;

/** A field of a transcript's line: its value, and the cap on it as rendered. No cap: it is never cut. */
export type Field = readonly [name: string, value: JsonValue, cap?: number | false];

/**
 * What the transcript shows of a part, by its type: everything but provider state and the data of media. Only inputs and
 * outputs of tools, labels of media, and names have caps.
 */
export function partFields(part: Part, caps: TranscriptCaps): readonly Field[] {
  return fieldsOf(part, caps, (output) => outputValue(output, caps));
}

/** What a call was given, as a value. */
export function inputValue(input: ToolInput): JsonValue {
  return 'raw' in input ? input.raw : input.json;
}

/**
 * What a result holds, as a value: one text is itself, other parts are a list of objects with the fields they have on a
 * line. Keeps its own list of what is to be filled, so that results in results do not nest calls.
 */
export function outputValue(output: ToolOutput, caps: TranscriptCaps): JsonValue {
  const pending: { readonly parts: readonly Part[]; readonly into: JsonValue[] }[] = [];
  const begin = (inner: ToolOutput): JsonValue => {
    if ('json' in inner) return inner.json;
    const [only] = inner.parts;
    if (inner.parts.length === 1 && only?.type === 'text') return only.text;
    const into: JsonValue[] = [];
    pending.push({ parts: inner.parts, into });
    return into;
  };
  const value = begin(output);
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    for (const part of job.parts) job.into.push(nested(part, fieldsOf(part, caps, begin)));
  }
  return value;
}

function nested(part: Part, fields: readonly Field[]): JsonObject {
  const object: { [key: string]: JsonValue } = { part: part.type };
  for (const [name, value, cap] of fields) {
    object[name] = typeof value === 'string' && cap !== undefined ? capText(value, cap) : value;
  }
  return object;
}

function fieldsOf(
  part: Part,
  caps: TranscriptCaps,
  output: (value: ToolOutput) => JsonValue,
): readonly Field[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return [['text', part.text]];
    case 'media':
      return mediaFields(part, caps.mediaLabel);
    case 'code':
      return [
        ['language', part.language, NAME_CAP],
        ['code', part.code, caps.toolInput],
      ];
    case 'codeResult':
      return [
        ['outcome', part.outcome, NAME_CAP],
        ['output', part.output, caps.toolOutput],
      ];
    case 'toolCall':
      return [
        ['tool', part.name, NAME_CAP],
        ['id', part.id, NAME_CAP],
        ['input', inputValue(part.input), caps.toolInput],
      ];
    case 'toolResult':
      return [
        ['tool', part.name, NAME_CAP],
        ['id', part.id, NAME_CAP],
        ...(part.isError ? [['error', true] as const] : []),
        ['output', output(part.output), caps.toolOutput],
      ];
    case 'opaque':
      return [
        ['provider', part.provider, NAME_CAP],
        ['kind', part.kind, NAME_CAP],
        ['json', part.json, caps.toolOutput],
      ];
    default:
      return part satisfies never;
  }
}

function mediaFields(part: MediaPart, cap: number | false): readonly Field[] {
  const fields: Field[] = [
    ['kind', part.kind],
    ['mime', part.mimeType, cap],
  ];
  if (part.name !== undefined) fields.push(['name', part.name, cap]);
  // A data URL is the data.
  if (part.url !== undefined && !/^data:/iu.test(part.url)) fields.push(['url', part.url, cap]);
  return fields;
}
