import { copyPart } from '../../event/draft-part.ts';
import type { Role } from '../../event/event.ts';
import type { JsonValue } from '../../event/json.ts';
import type { MediaPart, ReasoningPart, RefusalPart, TextPart, ToolCallPart } from '../../event/part.ts';
import type { Piece } from '../summarizer.ts';
import { fieldOf } from './identity.ts';

/** The answer to a call, in a transcript: its parts nest 128 levels deep at most. */
export interface TranscriptResult {
  readonly type: 'toolResult';
  readonly id: string;
  readonly name: string;
  readonly output: { readonly parts: readonly TranscriptPart[] } | { readonly json: JsonValue };
  readonly isError: boolean;
}

/** What a transcript's message consists of. An engine maps richer parts to these before. */
export type TranscriptPart =
  | Omit<TextPart, 'providerState'>
  | Omit<ReasoningPart, 'providerState'>
  | MediaPart
  | RefusalPart
  | Omit<ToolCallPart, 'providerState'>
  | TranscriptResult;

/** One message of a transcript. */
export interface TranscriptMessage {
  readonly kind: Role;
  /** That of its kind. */
  readonly role: Role;
  readonly parts: readonly TranscriptPart[];
  readonly author?: string;
  /** Its place in the session; of a previous summary, the first it covers. */
  readonly seq?: number;
  /** Of a previous summary: the last it covers. */
  readonly lastSeq?: number;
  /**
   * Missing: to be covered. `context` is there to be understood, `previous_summary` to be replaced; `must_keep` lists
   * values, one a part, that an earlier answer lost.
   */
  readonly standing?: 'context' | 'previous_summary' | 'must_keep';
  /** Ids of calls in it that nothing will answer. */
  readonly unanswered?: readonly string[];
  readonly piece?: Piece;
}

const KINDS: readonly Role[] = ['user', 'assistant', 'system', 'tool'];

/**
 * A deeply frozen copy of a transcript. Throws, anything, for what is none: no messages, a message or a part that is
 * missing, an unknown kind, a role of another kind, results in results past 128 levels, a value JSON cannot carry. What
 * the messages say is not judged: an empty text is fine.
 */
export function copyMessages(value: unknown): readonly TranscriptMessage[] {
  if (!Array.isArray(value) || value.length === 0) throw new TypeError('no messages');
  return Object.freeze(Array.from(value, copyMessage));
}

function copyMessage(value: unknown): TranscriptMessage {
  const kind = KINDS.find((known) => known === fieldOf(value, 'kind'));
  const parts = fieldOf(value, 'parts');
  if (kind === undefined || fieldOf(value, 'role') !== kind) throw new TypeError('kind and role');
  if (!Array.isArray(parts)) throw new TypeError('no parts');
  const author = optional(value, 'author', isString);
  const seq = optional(value, 'seq', isCount);
  const lastSeq = optional(value, 'lastSeq', isCount);
  const standing = optional(value, 'standing', isStanding);
  const unanswered = optional(value, 'unanswered', isStrings);
  const piece = optional(value, 'piece', isPiece);
  return Object.freeze({
    kind,
    role: kind,
    parts: Object.freeze(Array.from(parts, (part: unknown) => leaf(copyPart(part, 'part')))),
    ...(author === undefined ? {} : { author }),
    ...(seq === undefined ? {} : { seq }),
    ...(lastSeq === undefined ? {} : { lastSeq }),
    ...(standing === undefined ? {} : { standing }),
    ...(unanswered === undefined ? {} : { unanswered: Object.freeze([...unanswered]) }),
    ...(piece === undefined ? {} : { piece: Object.freeze({ index: piece.index, of: piece.of }) }),
  });
}

/** A part of a kind transcripts have, as it was copied but for provider state. Depth is bounded by the copy. */
function leaf(part: ReturnType<typeof copyPart>): TranscriptPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return Object.freeze({ type: part.type, text: part.text });
    case 'media':
      return part;
    case 'toolCall':
      return Object.freeze({ type: part.type, id: part.id ?? '', name: part.name, input: part.input });
    case 'toolResult':
      return Object.freeze({
        type: part.type,
        id: part.id ?? '',
        name: part.name ?? '',
        output:
          'parts' in part.output
            ? Object.freeze({ parts: Object.freeze(part.output.parts.map(leaf)) })
            : part.output,
        isError: part.isError ?? false,
      });
    default:
      throw new TypeError('unknown kind of part');
  }
}

function optional<T>(value: unknown, field: string, is: (value: unknown) => value is T): T | undefined {
  const found = fieldOf(value, field);
  if (found === undefined || is(found)) return found;
  throw new TypeError(field);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isStanding(value: unknown): value is 'context' | 'previous_summary' | 'must_keep' {
  return value === 'context' || value === 'previous_summary' || value === 'must_keep';
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

function isPiece(value: unknown): value is Piece {
  return isCount(fieldOf(value, 'index')) && isCount(fieldOf(value, 'of'));
}
