import type { JsonValue } from '../event/json.ts';
import type { Part } from '../event/part.ts';
import { codePoints } from './code-points.ts';
import { jsonText } from './json-text.ts';
import { withLiterals } from './literals/literal-lines.ts';
import { type Field, NAME_CAP, partFields } from './part-fields.ts';
import { capText, quoted } from './quoted.ts';
import type { PreviousSummary, SourceEvent } from './summarizer.ts';
import type { TranscriptCaps } from './transcript-caps.ts';

/** Whether a line's event is to be covered or only read. */
export type LineKind = 'event' | 'context';

/** The lines of one event, one for each part. Each is one JSON object on one line: no value can end it or begin another. */
export function eventLines(event: SourceEvent, kind: LineKind, caps: TranscriptCaps): readonly string[] {
  // Reasoning that its provider keeps to itself has no text: nothing to read.
  const parts = event.parts.filter((part) => part.type !== 'reasoning' || part.text !== '');
  if (parts.length === 0) return [objectLine([...headOf(event, kind), ['part', 'empty']])];
  return parts.map((part) => partLine(event, part, kind, caps));
}

/** The line of one part of an event. A call that nothing answered and nothing will says so. */
export function partLine(event: SourceEvent, part: Part, kind: LineKind, caps: TranscriptCaps): string {
  const fields: Field[] = [...headOf(event, kind), ['part', part.type], ...partFields(part, caps)];
  if (part.type === 'toolCall' && event.unanswered.includes(part.id)) fields.push(['unanswered', true]);
  return objectLine(fields);
}

/** The line of a previous summary, whole, with the values carried beside it. */
export function previousLine(previous: PreviousSummary): string {
  return objectLine([
    ['previousSummary', true],
    ['firstSeq', previous.firstSeq],
    ['lastSeq', previous.lastSeq],
    ...pieceField(previous.piece),
    ['text', withLiterals(previous)],
  ]);
}

/** The line that lists values the summary must hold. */
export function mustKeepLine(values: readonly string[]): string {
  return objectLine([['mustKeep', [...values]]]);
}

/**
 * A value as its cap leaves it: `json` says that the text is the value's whole JSON and stands unquoted, else it is a
 * string's text, or the head and the tail of the value's JSON.
 */
export function cappedValue(
  value: JsonValue,
  cap: number | false = false,
): { readonly text: string; readonly json: boolean } {
  if (typeof value === 'string') return { text: capText(value, cap), json: false };
  const text = jsonText(value);
  if (cap === false || codePoints(text) <= cap) return { text, json: true };
  return { text: capText(text, cap), json: false };
}

function headOf(event: SourceEvent, kind: LineKind): readonly Field[] {
  return [
    ...(kind === 'context' ? [['context', true] as const] : []),
    ['seq', event.seq],
    ...pieceField(event.piece),
    ['role', event.role],
    ['author', event.author, NAME_CAP],
  ];
}

function pieceField(piece: SourceEvent['piece']): readonly Field[] {
  return piece === undefined ? [] : [['piece', `${piece.index} of ${piece.of}`]];
}

/** Fields as one JSON object on one line, each within its cap. */
export function objectLine(fields: readonly Field[]): string {
  return `{${fields.map(([name, value, cap]) => `"${name}":${rendered(value, cap)}`).join(',')}}`;
}

function rendered(value: JsonValue, cap: number | false | undefined): string {
  const { text, json } = cappedValue(value, cap);
  return json ? text : quoted(text);
}
