import { copyJson } from '../event/copy-json.ts';
import type { Seq } from '../event/ids.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { MediaPart, Part, ToolInput, ToolOutput } from '../event/part.ts';
import type { SourceEvent } from './summarizer.ts';

/**
 * What a summarizer is shown of events: built field by field, deeply frozen, sharing no object with the store. Media and
 * executed code arrive whole; provider state (signatures, encrypted reasoning) is left out at any depth, and of an event
 * nothing but the fields of {@link SourceEvent} goes along. `unanswered` are the ids of calls that nothing will answer,
 * by the event that made them: ids are reused.
 */
export function sourceEvents(
  events: readonly LoggedEvent[],
  unanswered: ReadonlyMap<Seq, readonly string[]>,
): readonly SourceEvent[] {
  return Object.freeze(
    events.map(({ event }): SourceEvent => {
      return Object.freeze({
        seq: event.seq,
        invocation: event.invocation,
        role: event.role,
        author: event.author,
        parts: copyParts(event.content),
        unanswered: Object.freeze([...(unanswered.get(event.seq) ?? [])]),
      });
    }),
  );
}

function copyParts(parts: readonly Part[]): readonly Part[] {
  return Object.freeze(parts.map(copyPart));
}

/** Results nest in results to a depth the event boundary bounds, so recursion is safe. */
function copyPart(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return Object.freeze({ type: part.type, text: part.text });
    case 'media':
      return copyMedia(part);
    case 'code':
      return Object.freeze({ type: part.type, language: part.language, code: part.code, ...idOf(part) });
    case 'codeResult':
      return Object.freeze({ type: part.type, outcome: part.outcome, output: part.output, ...idOf(part) });
    case 'toolCall':
      return Object.freeze({ type: part.type, id: part.id, name: part.name, input: copyInput(part.input) });
    case 'toolResult':
      return Object.freeze({
        type: part.type,
        id: part.id,
        name: part.name,
        output: copyOutput(part.output),
        isError: part.isError,
      });
    case 'opaque':
      return Object.freeze({
        type: part.type,
        provider: part.provider,
        kind: part.kind,
        json: copyJson(part.json, 'opaque.json'),
      });
    default:
      return part satisfies never;
  }
}

function copyMedia(part: MediaPart): MediaPart {
  return Object.freeze({
    type: part.type,
    kind: part.kind,
    mimeType: part.mimeType,
    ...(part.data === undefined ? {} : { data: part.data }),
    ...(part.url === undefined ? {} : { url: part.url }),
    ...(part.name === undefined ? {} : { name: part.name }),
  });
}

function copyInput(input: ToolInput): ToolInput {
  return Object.freeze('raw' in input ? { raw: input.raw } : { json: copyJson(input.json, 'input.json') });
}

function copyOutput(output: ToolOutput): ToolOutput {
  return Object.freeze(
    'parts' in output ? { parts: copyParts(output.parts) } : { json: copyJson(output.json, 'output.json') },
  );
}

function idOf(part: { readonly id?: string }): { readonly id?: string } {
  return part.id === undefined ? {} : { id: part.id };
}
