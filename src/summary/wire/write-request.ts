import type { CompactionInput } from '../contract/compaction-input.ts';
import type { TranscriptMessage, TranscriptPart } from '../contract/messages.ts';
import { type Field, NAME_CAP, partFields } from '../part-fields.ts';
import { quoted } from '../quoted.ts';
import { DEFAULT_CAPS, type TranscriptCaps } from '../transcript-caps.ts';
import { objectLine } from '../transcript-line.ts';

/** How a request is written. */
export interface WireOptions {
  /** How much of single values is shown. Missing: the default caps. */
  readonly caps?: TranscriptCaps | undefined;
  /** The most bytes of UTF-8. Missing: no bound. */
  readonly maxBytes?: number | undefined;
}

/** A request of the wire, version 1: the text of one message of the user's. */
export interface WireRequest {
  readonly text: string;
  /** Bytes of UTF-8. */
  readonly bytes: number;
  /** How many tool results were left out to make it fit. */
  readonly leftOut: number;
  /** Whether it does. If not, no tool result is left to leave out: what a user or an assistant said is split, not cut. */
  readonly fits: boolean;
}

/**
 * Writes a request as one JSON object: version, basis, model, request_fingerprint, transcript, max_summary_tokens, in this
 * order, with `<`, `>`, `&` and every line break of Unicode escaped. Over the byte limit, bodies of tool results give way
 * to a marker, oldest first and only where that makes the whole shorter, until it fits. The input is not touched.
 */
export function writeRequest(input: CompactionInput, options: WireOptions = {}): WireRequest {
  const { caps = DEFAULT_CAPS, maxBytes = Number.POSITIVE_INFINITY } = options;
  const messages = input.transcript.map((message) => ({
    head: escapeMarkup(headText(message)),
    parts: message.parts.map((part) => escapeMarkup(partText(part, caps))),
  }));
  const [before, after] = frameOf(input);
  let bytes = Buffer.byteLength(before) + Buffer.byteLength(after) + Math.max(0, messages.length - 1);
  for (const { head, parts } of messages) {
    bytes += Buffer.byteLength(head) + PARTS_FRAME + Math.max(0, parts.length - 1);
    for (const part of parts) bytes += Buffer.byteLength(part);
  }
  let leftOut = 0;
  for (const [index, message] of input.transcript.entries()) {
    for (const [at, part] of message.parts.entries()) {
      if (bytes <= maxBytes) break;
      const whole = messages[index]?.parts[at];
      if (part.type !== 'toolResult' || whole === undefined) continue;
      const short = escapeMarkup(markerText(part, Buffer.byteLength(whole)));
      const saved = Buffer.byteLength(whole) - Buffer.byteLength(short);
      if (saved <= 0) continue;
      messages[index]?.parts.splice(at, 1, short);
      bytes -= saved;
      leftOut += 1;
    }
  }
  const transcript = messages.map(({ head, parts }) => `${head}[${parts.join(',')}]}`).join(',');
  return Object.freeze({ text: before + transcript + after, bytes, leftOut, fits: bytes <= maxBytes });
}

/** Bytes of the brackets that close a message. */
const PARTS_FRAME = 3;

/** What stands around the transcript. */
function frameOf(input: CompactionInput): readonly [before: string, after: string] {
  const { basis, model, requestFingerprint, maxSummaryTokens } = input;
  // A revision is written as it is counted: no number of JavaScript's would hold all of them.
  const identity = `"basis":{"revision":${basis.revision},"through_event_id":${quoted(basis.throughEventId)}},"model":{"provider":${quoted(model.provider)},"model":${quoted(model.model)}}`;
  return [
    escapeMarkup(
      `{"version":1,${identity},"request_fingerprint":${quoted(requestFingerprint)},"transcript":[`,
    ),
    `],"max_summary_tokens":${maxSummaryTokens}}`,
  ];
}

/** A message up to its parts. */
function headText(message: TranscriptMessage): string {
  const { role, standing, seq, lastSeq, piece, author, unanswered } = message;
  const fields: Field[] = [['role', role]];
  if (standing !== undefined) fields.push([standing, true]);
  if (seq !== undefined) fields.push(['seq', seq]);
  if (lastSeq !== undefined) fields.push(['last_seq', lastSeq]);
  if (piece !== undefined) fields.push(['piece', `${piece.index} of ${piece.of}`]);
  if (author !== undefined) fields.push(['author', author, NAME_CAP]);
  if (unanswered !== undefined) fields.push(['unanswered', unanswered]);
  return `${objectLine(fields).slice(0, -1)},"parts":`;
}

function partText(part: TranscriptPart, caps: TranscriptCaps): string {
  return objectLine([['part', part.type], ...partFields(part, caps)]);
}

/** A tool result without its body. */
function markerText(part: Extract<TranscriptPart, { readonly type: 'toolResult' }>, bytes: number): string {
  const output = { json: `[output left out to fit: ${bytes} bytes]` };
  return objectLine([['part', part.type], ...partFields({ ...part, output }, DEFAULT_CAPS)]);
}

const MARKUP: ReadonlyMap<string, string> = new Map([
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
]);

/** JSON text in which nothing looks like markup: these characters stand only inside its strings. */
function escapeMarkup(json: string): string {
  return json.replace(/[<>&]/gu, (character) => MARKUP.get(character) ?? character);
}
