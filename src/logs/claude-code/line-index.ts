import { reasonName } from '../line-tally.ts';
import type { ByteRange, LineReader, RawLine } from '../read-lines.ts';
import { FingerprintTable, NO_ID } from './fingerprint-table.ts';
import { type LineFacts, noFacts, readFacts } from './line-facts.ts';

/** What a line is, as far as its place among the others goes. */
export type LineKind = (typeof LineKind)[keyof typeof LineKind];

/** See {@link LineKind}: numbers, because there is one for every line of a log. */
export const LineKind = {
  /** Holds no conversation: skipped without being parsed, for the reason noted. */
  skipped: 0,
  /** Is no whole JSON object: parsed again to learn why. */
  broken: 1,
  /** May be an event, but continues no conversation by itself: context, a command's output, an attachment. */
  neutral: 2,
  prompt: 3,
  result: 4,
  assistant: 5,
  /** A compaction's boundary or summary: its past may be named apart from its parent. */
  compaction: 6,
} as const;

/** Subtypes of `system` lines that may become events; the others are notices of the user interface. */
const SYSTEM_EVENTS: ReadonlySet<string> = new Set([
  'compact_boundary',
  'microcompact_boundary',
  'local_command',
]);
/** Bytes of `toolUseResult` from which on parsing a line without it is worth the cut. */
const MIN_DISPLAY_BYTES = 256;
/** Distinct reasons kept apart. */
const MAX_REASONS = 1000;

/**
 * The first pass over a log: of every line only what it is, its id, its parent's and its reply's, in about 40 bytes a
 * line, so that memory grows with the number of lines and not with what they hold. Lines are counted from 0.
 */
export class LineIndex implements LineReader {
  count = 0;
  kind: Uint8Array = new Uint8Array(1024);
  sidechain: Uint8Array = new Uint8Array(1024);
  id: Float64Array = new Float64Array(1024);
  parent: Float64Array = new Float64Array(1024);
  reply: Float64Array = new Float64Array(1024);
  /** Parents across a compaction's boundary, by line. */
  readonly logicalParent: Map<number, number> = new Map();
  /** Lines that have the id of an earlier line: that line. */
  readonly repeats: Map<number, number> = new Map();
  readonly table: FingerprintTable = new FingerprintTable((line) => this.id[line] as number);
  #reasonOf: Uint16Array = new Uint16Array(1024);
  #displayStart: Uint32Array = new Uint32Array(1024);
  #displayEnd: Uint32Array = new Uint32Array(1024);
  readonly #reasons: string[] = [];
  readonly #reasonNumbers = new Map<string, number>();
  readonly #facts: LineFacts = noFacts();

  /** Why a line of kind `skipped` is skipped. */
  reason(line: number): string {
    return this.#reasons[this.#reasonOf[line] as number] ?? 'other';
  }

  /** What of a line need not be parsed, in bytes from its start; null when all must be. */
  display(line: number): ByteRange | null {
    const end = this.#displayEnd[line] as number;
    return end === 0 ? null : { start: this.#displayStart[line] as number, end };
  }

  tooLong(): void {
    this.#add(LineKind.skipped, 'line_too_long');
  }

  line({ bytes, start, end }: RawLine): void {
    const facts = this.#facts;
    if (!readFacts(bytes, start, end, facts)) {
      this.#add(LineKind.broken, '');
      return;
    }
    const line = this.count;
    this.#add(kindOf(facts), reasonOf(facts));
    this.sidechain[line] = facts.sidechain ? 1 : 0;
    this.id[line] = facts.id;
    this.parent[line] = facts.parent;
    this.reply[line] = facts.reply;
    if (facts.displayEnd - facts.displayStart >= MIN_DISPLAY_BYTES) {
      this.#displayStart[line] = facts.displayStart;
      this.#displayEnd[line] = facts.displayEnd;
    }
    if (facts.logicalParent !== NO_ID) this.logicalParent.set(line, facts.logicalParent);
    if (facts.id === NO_ID) return;
    const first = this.table.add(facts.id, line);
    if (first !== null) this.repeats.set(line, first);
  }

  #add(kind: LineKind, reason: string): void {
    const line = this.count;
    if (line === this.kind.length) this.#grow();
    this.kind[line] = kind;
    if (kind === LineKind.skipped) this.#reasonOf[line] = this.#reasonNumber(reason);
    this.count += 1;
  }

  #reasonNumber(reason: string): number {
    const known = this.#reasonNumbers.get(reason);
    if (known !== undefined) return known;
    if (this.#reasons.length === MAX_REASONS) return MAX_REASONS;
    const number = this.#reasons.push(reasonName(reason)) - 1;
    this.#reasonNumbers.set(reason, number);
    return number;
  }

  #grow(): void {
    const size = this.kind.length * 2;
    this.kind = grown(this.kind, new Uint8Array(size));
    this.sidechain = grown(this.sidechain, new Uint8Array(size));
    this.id = grown(this.id, new Float64Array(size));
    this.parent = grown(this.parent, new Float64Array(size));
    this.reply = grown(this.reply, new Float64Array(size));
    this.#displayStart = grown(this.#displayStart, new Uint32Array(size));
    this.#displayEnd = grown(this.#displayEnd, new Uint32Array(size));
    this.#reasonOf = grown(this.#reasonOf, new Uint16Array(size));
  }
}

function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}

function kindOf(facts: LineFacts): LineKind {
  switch (facts.type) {
    case 'user':
      if (facts.compactSummary) return LineKind.compaction;
      if (facts.hasResult) return LineKind.result;
      return facts.meta ? LineKind.neutral : LineKind.prompt;
    case 'assistant':
      return LineKind.assistant;
    case 'system':
      if (!SYSTEM_EVENTS.has(facts.subtype)) return LineKind.skipped;
      return facts.subtype === 'compact_boundary' ? LineKind.compaction : LineKind.neutral;
    case 'attachment':
      return LineKind.neutral;
    default:
      return facts.hasMessage && facts.type !== '' ? LineKind.neutral : LineKind.skipped;
  }
}

function reasonOf(facts: LineFacts): string {
  if (facts.type === 'system') return facts.subtype === '' ? 'type:system' : `system:${facts.subtype}`;
  return facts.type === '' ? 'no_type' : `type:${facts.type}`;
}
