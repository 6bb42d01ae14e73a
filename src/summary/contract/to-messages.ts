import type { JsonObject, JsonValue } from '../../event/json.ts';
import type { Part, ToolOutput } from '../../event/part.ts';
import { jsonText } from '../json-text.ts';
import { withLiterals } from '../literals/literal-lines.ts';
import { partFields } from '../part-fields.ts';
import { capText } from '../quoted.ts';
import type { PreviousSummary, SourceEvent } from '../summarizer.ts';
import type { Shown } from '../transcript.ts';
import type { TranscriptCaps } from '../transcript-caps.ts';
import type { TranscriptMessage, TranscriptPart, TranscriptResult } from './messages.ts';

/**
 * What a summarizer is shown, as messages: previous summaries, context, the events, then values it must keep. Code, its
 * results and what only a provider knows become texts that say their kind; everything else stays what it is.
 */
export function toMessages(shown: Shown, caps: TranscriptCaps): readonly TranscriptMessage[] {
  return [
    ...shown.previous.map(previousMessage),
    ...shown.context.map((event) => ({ ...eventMessage(event, caps), standing: 'context' as const })),
    ...shown.events.map((event) => eventMessage(event, caps)),
    ...(shown.mustKeep === undefined ? [] : [mustKeepMessage(shown.mustKeep)]),
  ];
}

function mustKeepMessage(values: readonly string[]): TranscriptMessage {
  const parts = values.map((text) => ({ type: 'text' as const, text }));
  return { kind: 'user', role: 'user', standing: 'must_keep', parts };
}

function previousMessage(previous: PreviousSummary): TranscriptMessage {
  return {
    kind: 'user',
    role: 'user',
    standing: 'previous_summary',
    seq: previous.firstSeq,
    lastSeq: previous.lastSeq,
    parts: [{ type: 'text', text: withLiterals(previous) }],
    ...(previous.piece === undefined ? {} : { piece: previous.piece }),
  };
}

function eventMessage(event: SourceEvent, caps: TranscriptCaps): TranscriptMessage {
  return {
    kind: event.role,
    role: event.role,
    seq: event.seq,
    author: event.author,
    parts: event.parts.map((part) => toPart(part, caps)),
    ...(event.unanswered.length === 0 ? {} : { unanswered: event.unanswered }),
    ...(event.piece === undefined ? {} : { piece: event.piece }),
  };
}

function toPart(part: Part, caps: TranscriptCaps): TranscriptPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'media':
    case 'toolCall':
      return part;
    case 'toolResult':
      return { ...part, output: toOutput(part.output, caps) };
    case 'code':
    case 'codeResult':
    case 'opaque':
      return { type: 'text', text: jsonText(cappedFields(part, caps)) };
    default:
      return part satisfies never;
  }
}

function toOutput(output: ToolOutput, caps: TranscriptCaps): TranscriptResult['output'] {
  return 'parts' in output ? { parts: output.parts.map((part) => toPart(part, caps)) } : output;
}

/** A part's type and fields, those with a cap within it. */
function cappedFields(part: Part, caps: TranscriptCaps): JsonObject {
  const fields: [string, JsonValue][] = [['part', part.type]];
  for (const [name, value, cap] of partFields(part, caps)) {
    fields.push([name, typeof value === 'string' && cap !== undefined ? capText(value, cap) : value]);
  }
  return Object.fromEntries(fields);
}
