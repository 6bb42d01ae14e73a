import { CompactionInputError } from '../../event/errors.ts';
import { copyIdentity, fieldOf, type RequestIdentity } from './identity.ts';
import { copyMessages, type TranscriptMessage } from './messages.ts';

/** What a summary is asked with. */
export interface CompactionInput extends RequestIdentity {
  /** What is summarized, oldest first; never empty. */
  readonly transcript: readonly TranscriptMessage[];
  /** The most tokens the summary may take. */
  readonly maxSummaryTokens: number;
}

/**
 * A deeply frozen copy of an input that may be sent. Fields are read once each and checked in the order basis, model,
 * fingerprint, transcript, tokens; the first that is wrong throws `CompactionInputError` with its name, before anything
 * is serialized. What the transcript says is never judged. Throws nothing else, whatever the value is.
 */
export function compactionInput(value: unknown): CompactionInput {
  const identity = copyIdentity(value, (field, cause) => {
    throw new CompactionInputError(field, { cause });
  });
  let transcript: readonly TranscriptMessage[];
  try {
    transcript = copyMessages(fieldOf(value, 'transcript'));
  } catch (cause) {
    throw new CompactionInputError('transcript', { cause });
  }
  return Object.freeze({ ...identity, transcript, maxSummaryTokens: maxTokens(value) });
}

function maxTokens(value: unknown): number {
  let tokens: unknown;
  try {
    tokens = fieldOf(value, 'maxSummaryTokens');
  } catch (cause) {
    throw new CompactionInputError('max_summary_tokens', { cause });
  }
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new CompactionInputError('max_summary_tokens');
}
