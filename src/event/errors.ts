import type { Usage } from './event.ts';

/** Names and ids in messages are escaped and cut to this many code points. */
const NAME_LIMIT = 128;

const marker: unique symbol = Symbol.for('palimpsest.error');

/** Stable codes of every error this package throws. */
export const ERROR_CODES = [
  'config',
  'import',
  'invalid_event',
  'event_conflict',
  'commit_conflict',
  'compaction_input',
  'invalid_summary',
  'summary_too_large',
  'context_limit',
  'context_limit_unknown',
  'compaction',
  'not_found',
  'refused',
  'store',
] as const;

/** What kind of error of this package it is. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A value that may stand in a message: a name (escaped, cut) or a number. Never conversation text. */
export function nameForMessage(name: string): string {
  let out = '';
  let count = 0;
  for (const point of name.toWellFormed()) {
    if (count === NAME_LIMIT) return `${out}…`;
    const code = point.codePointAt(0) ?? 0;
    const control = code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0x2028 || code === 0x2029;
    out += control ? `\\u${code.toString(16).padStart(4, '0')}` : point;
    count += 1;
  }
  return out;
}

/**
 * Root of every error this package throws. `code` is stable; `field` or `id` names what it is about; `cause` is kept for
 * programs and must not be rendered: it may carry text of a conversation. Recognise it with {@link PalimpsestError.isInstance},
 * which works across copies of the package.
 */
export class PalimpsestError extends Error {
  readonly code: ErrorCode;
  /** The field or id the error is about. */
  readonly about: string;

  constructor(code: ErrorCode, about: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.about = about;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Whether a value is an error of this package, and of the given code when one is given. */
  static isInstance(value: unknown, code?: ErrorCode): value is PalimpsestError {
    if (typeof value !== 'object' || value === null || !(marker in value)) return false;
    return code === undefined || ('code' in value && value.code === code);
  }
}

/** A configuration that cannot work; says what to change. */
export class ConfigError extends PalimpsestError {
  constructor(field: string, problem: string, options?: { readonly cause?: unknown }) {
    super('config', field, `${field} ${problem}`, options);
  }
}

/** A file or line that cannot be imported. `line` counts from 1; 0 is the file itself. */
export class ImportError extends PalimpsestError {
  readonly line: number;
  constructor(file: string, line: number, problem: string, options?: { readonly cause?: unknown }) {
    const place = line > 0 ? `${nameForMessage(file)}:${line}` : nameForMessage(file);
    super('import', file, `${place}: ${problem}`, options);
    this.line = line;
  }
}

/** An event that cannot be stored: `field` is the path of what is wrong with it. Nothing was stored. */
export class InvalidEventError extends PalimpsestError {
  constructor(field: string, problem: string, options?: { readonly cause?: unknown }) {
    super('invalid_event', field, `event ${nameForMessage(field)} ${problem}`, options);
  }
}

/** An event id that is known with other content. Nothing was stored. */
export class EventConflict extends PalimpsestError {
  constructor(id: string) {
    super('event_conflict', id, `event ${nameForMessage(id)} is stored with other content; use a new id`);
  }
}

/** Why a commit was refused. The attempt is discarded, not failed: nothing is stored and nothing is lost. */
export type ConflictReason = 'revision' | 'attempt' | 'lease' | 'superseded' | 'overlap' | 'window';

/** What a commit was planned from is no longer so; plan again. */
export class CommitConflict extends PalimpsestError {
  readonly reason: ConflictReason;
  constructor(reason: ConflictReason, about: string) {
    super('commit_conflict', about, `commit refused: ${reason} changed; plan again`);
    this.reason = reason;
  }
}

/** What of a compaction's input is checked, in this order. */
export type CompactionInputField =
  | 'basis'
  | 'model'
  | 'request_fingerprint'
  | 'transcript'
  | 'max_summary_tokens';

/** An input no summary may be asked for with: `field` is the first that is wrong. Nothing was sent. */
export class CompactionInputError extends PalimpsestError {
  readonly field: CompactionInputField;
  constructor(field: CompactionInputField, options?: { readonly cause?: unknown }) {
    super('compaction_input', field, `invalid compaction input: ${field}`, options);
    this.field = field;
  }
}

/** Why a summary may be refused: the closed set of the summary boundary. */
export const SUMMARY_REASONS = [
  'wire',
  'identity',
  'output_shape',
  'byte_limit',
  'finish',
  'token_usage',
  'token_limit',
  'xml_syntax',
  'xml_root',
  'xml_structure',
  'xml_content',
  'not_smaller',
  'literals',
] as const;

/** Why a summary was refused. */
export type SummaryReason = (typeof SUMMARY_REASONS)[number];

/** A summary that may not stand in for anything. Carries neither its text nor the transcript's. */
export class InvalidSummaryError extends PalimpsestError {
  readonly reason: SummaryReason;
  /** Where in the summary, in UTF-16 code units, when the reason has a place. */
  readonly offset: number | undefined;
  /** What the refused summary cost, when its summarizer said so: it was paid for. */
  readonly usage: Usage | undefined;
  constructor(
    reason: SummaryReason,
    options?: { readonly offset?: number; readonly usage?: Usage | undefined; readonly cause?: unknown },
  ) {
    super('invalid_summary', reason, `invalid summary: ${reason}`, options);
    this.reason = reason;
    this.offset = options?.offset;
    this.usage = options?.usage;
  }
}

/** How large a complete prompt is, and how large it may be, in tokens. */
export interface Measurement {
  readonly inputTokens: number;
  readonly inputLimit: number;
  /** Whether the tokens were counted by a tokenizer or estimated. */
  readonly quality: 'exact' | 'estimate';
}

/** With the summary in place and nothing left to cover, the prompt is still over its limit. Nothing was committed. */
export class SummaryTooLargeError extends PalimpsestError {
  readonly measurement: Measurement;
  constructor(measurement: Measurement) {
    const { inputTokens, inputLimit } = measurement;
    super(
      'summary_too_large',
      'prompt',
      `prompt of ${inputTokens} tokens is over the limit of ${inputLimit} with the summary in place`,
    );
    this.measurement = measurement;
  }
}

/** Something in a prompt that cannot be covered now: which event, how large, and why. */
export interface Uncoverable {
  readonly seq: number;
  readonly tokens: number;
  readonly why: 'pinned' | 'question' | 'open' | 'system' | 'newest' | 'too_small' | 'failed' | 'allowance';
}

/** The prompt is over its limit and nothing more can be covered; `uncoverable` names what stands in the way, largest first. No turn is lost. */
export class ContextLimitError extends PalimpsestError {
  readonly measurement: Measurement;
  readonly uncoverable: readonly Uncoverable[];
  constructor(
    measurement: Measurement,
    uncoverable: readonly Uncoverable[],
    options?: { readonly cause?: unknown },
  ) {
    const { inputTokens, inputLimit } = measurement;
    const [largest] = uncoverable;
    const where =
      largest === undefined
        ? ''
        : `; largest: event ${largest.seq}, ${largest.tokens} tokens, ${largest.why}`;
    super(
      'context_limit',
      'prompt',
      `prompt of ${inputTokens} tokens is over the limit of ${inputLimit}${where}`,
      options,
    );
    this.measurement = measurement;
    this.uncoverable = uncoverable;
  }
}

/** What the model can take does not follow from what was configured; nothing is guessed. */
export class ContextLimitUnknownError extends PalimpsestError {
  constructor(problem: string) {
    super('context_limit_unknown', 'contextLimit', `context limit unknown: ${problem}`);
  }
}

/** A stage of a compaction. */
export type CompactionStage = 'plan' | 'lease' | 'summarize' | 'gate' | 'commit';

/** A compaction that failed. It never fails a turn that has its answer. */
export class CompactionError extends PalimpsestError {
  readonly stage: CompactionStage;
  constructor(stage: CompactionStage, options?: { readonly cause?: unknown }) {
    super('compaction', stage, `compaction failed at ${stage}`, options);
    this.stage = stage;
  }
}

/** What was asked for is not there. */
export class NotFoundError extends PalimpsestError {
  constructor(kind: string, id: string) {
    super('not_found', id, `no ${kind} ${nameForMessage(id)}`);
  }
}

/** An operation that is not allowed now; `ids` are the records in its way. */
export class RefusedError extends PalimpsestError {
  readonly ids: readonly string[];
  constructor(about: string, problem: string, ids: readonly string[] = []) {
    super('refused', about, problem);
    this.ids = ids;
  }
}

/** The store could not do its work. Nothing is half-written. */
export class StoreError extends PalimpsestError {
  constructor(operation: string, options?: { readonly problem?: string; readonly cause?: unknown }) {
    const problem = options?.problem === undefined ? '' : `: ${options.problem}`;
    super('store', operation, `store failed at ${operation}${problem}`, options);
  }
}
