import { CompactionError, InvalidSummaryError } from '../../event/errors.ts';
import { copyIdentity, fieldOf, nonEmpty, type RequestIdentity, sameIdentity } from './identity.ts';

/** A summary as a message: the user's, with one text. */
export interface SummaryMessage {
  readonly role: 'user';
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
}

/** What is given back for a `CompactionInput`. */
export interface CompactionOutput extends RequestIdentity {
  readonly summary: SummaryMessage;
}

/**
 * A deeply frozen copy of an output that was given for this input: its identity is checked first, and must be the
 * input's (`identity`), then its summary, which must be one message of the user's with exactly one text that is not empty
 * (`output_shape`). The grammar is not checked here: who builds an output has done so. Throws `InvalidSummaryError` and
 * nothing else, whatever the value is.
 */
export function compactionOutput(value: unknown, input: RequestIdentity): CompactionOutput {
  const identity = copyIdentity(value, (_field, cause) => {
    throw new InvalidSummaryError('identity', { cause });
  });
  if (!sameIdentity(identity, input)) throw new InvalidSummaryError('identity');
  return Object.freeze({ ...identity, summary: copySummary(value) });
}

/** The output that gives this text for this input. Throws `InvalidSummaryError` like {@link compactionOutput}. */
export function outputOf(identity: RequestIdentity, text: string): CompactionOutput {
  return compactionOutput(
    { ...identity, summary: { role: 'user', content: [{ type: 'text', text }] } },
    identity,
  );
}

/** What asynchronous work came to: exactly one of a value and an error. */
export type SettledCompaction =
  | { readonly value: CompactionOutput; readonly error?: undefined }
  | { readonly error: Error; readonly value?: undefined };

/**
 * The output settled work came to. Throws its error; `CompactionError` for an error that is none; and
 * `InvalidSummaryError` `output_shape` when there are both or neither, which says that whoever settled it is broken.
 */
export function settledOutput(settled: unknown, input: RequestIdentity): CompactionOutput {
  const value = read(() => fieldOf(settled, 'value')) ?? undefined;
  const error = read(() => fieldOf(settled, 'error')) ?? undefined;
  if ((value === undefined) === (error === undefined)) throw new InvalidSummaryError('output_shape');
  if (error === undefined) return compactionOutput(value, input);
  throw error instanceof Error ? error : new CompactionError('summarize', { cause: error });
}

function copySummary(value: unknown): SummaryMessage {
  const text = read(() => {
    const summary = fieldOf(value, 'summary');
    const content = fieldOf(summary, 'content');
    if (fieldOf(summary, 'role') !== 'user' || !Array.isArray(content) || content.length !== 1)
      return undefined;
    const part: unknown = content[0];
    return fieldOf(part, 'type') === 'text' ? nonEmpty(fieldOf(part, 'text')) : undefined;
  });
  if (text === undefined) throw new InvalidSummaryError('output_shape');
  const part = Object.freeze({ type: 'text', text } as const);
  return Object.freeze({ role: 'user', content: Object.freeze([part] as const) });
}

function read<T>(get: () => T): T {
  try {
    return get();
  } catch (cause) {
    throw new InvalidSummaryError('output_shape', { cause });
  }
}
