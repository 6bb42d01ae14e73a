import { SUMMARY_REASONS, type SummaryReason } from '../event/errors.ts';
import type { Usage } from '../event/event.ts';
import { readUsage } from './usage.ts';

/**
 * Why a summarizer gave no summary, in words that may be stored and shown. `allowance` is none of them: it is the engine's
 * word, for an attempt that made no call and that no back-off grows from.
 */
export type DeclineReason =
  | 'nothing_to_summarize'
  | 'too_little'
  | 'too_long'
  | 'unsupported'
  /** What the model answered was refused for this, and so was what it answered when it was told. */
  | `invalid_summary:${SummaryReason}`
  | 'other';

const DECLINE_REASONS: ReadonlySet<unknown> = new Set<DeclineReason>([
  ...SUMMARY_REASONS.map((reason) => `invalid_summary:${reason}` as const),
  'nothing_to_summarize',
  'too_little',
  'too_long',
  'unsupported',
]);

/** What a summarizer returned, each field read once: what it holds is still to be judged. */
export type ReadResult =
  | {
      readonly kind: 'summary';
      readonly content: string;
      readonly usage: Usage | undefined | 'malformed';
      readonly finish: unknown;
      /** What earlier answers cost that were refused and asked for again. */
      readonly discarded: Usage | undefined;
    }
  | { readonly kind: 'declined'; readonly reason: DeclineReason; readonly usage: Usage | undefined }
  | { readonly kind: 'malformed'; readonly usage: Usage | undefined; readonly cause?: unknown };

/**
 * Reads a result that may be anything: no object, an array, an error, a promise, a proxy, an object whose accessors
 * throw or say something else each time. Never throws. A reason that is not one of {@link DeclineReason} is `other`:
 * it is the summarizer's text, and may be the conversation's.
 */
export function readResult(result: unknown): ReadResult {
  if (typeof result !== 'object' || result === null) return { kind: 'malformed', usage: undefined };
  const usage = readUsage(readField(result, 'usage'));
  const known = usage === 'malformed' ? undefined : usage;
  try {
    if (Array.isArray(result) || result instanceof Error) return { kind: 'malformed', usage: known };
    const kind: unknown = Reflect.get(result, 'kind');
    if (kind === 'declined') {
      const reason: unknown = readField(result, 'reason');
      return { kind, reason: isDeclineReason(reason) ? reason : 'other', usage: known };
    }
    const content: unknown = kind === 'summary' ? Reflect.get(result, 'content') : undefined;
    if (kind !== 'summary' || typeof content !== 'string') return { kind: 'malformed', usage: known };
    const discarded = readUsage(readField(result, 'discarded'));
    return {
      kind,
      content,
      usage,
      finish: readField(result, 'finish'),
      discarded: discarded === 'malformed' ? undefined : discarded,
    };
  } catch (cause) {
    return { kind: 'malformed', usage: known, cause };
  }
}

/** What no check accepts. */
const UNREADABLE: unique symbol = Symbol('unreadable');

/** A field, or {@link UNREADABLE} when reading it throws. */
function readField(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return UNREADABLE;
  }
}

function isDeclineReason(value: unknown): value is DeclineReason {
  return DECLINE_REASONS.has(value);
}
