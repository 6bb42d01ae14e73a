import { InvalidSummaryError, type SummaryReason } from '../../event/errors.ts';
import { type CompactionOutput, outputOf } from '../contract/compaction-output.ts';
import { type RequestIdentity, sameIdentity } from '../contract/identity.ts';
import { checkSections } from '../grammar/check-sections.ts';
import { readStrictJson, type StrictObject, type StrictValue } from './strict-json.ts';

/** What becomes of an answer: its summary may be stored, or why not. */
export type AnswerVerdict =
  | { readonly ok: true; readonly summary: string }
  | { readonly ok: false; readonly reason: SummaryReason; readonly offset?: number };

/**
 * Reads an answer of the wire, version 1: `{version, basis, model, request_fingerprint, summary}`. In this order: it
 * must be that object, written strictly (`wire`); its identity must be the input's (`identity`); its summary must be five
 * sections (`xml_*`, with the offset in the summary); what comes out must be an output (`output_shape`). Throws
 * `InvalidSummaryError` and nothing else, whatever the text is. Nobody may answer with the case of a key changed, a key
 * twice, a field more or less, a number that is no whole one, or anything around the object but blanks.
 */
export function readAnswer(text: string, input: RequestIdentity): CompactionOutput {
  const verdict = judgeAnswer(text, input);
  if (!verdict.ok) throw new InvalidSummaryError(verdict.reason, verdict);
  return outputOf(input, verdict.summary);
}

/** The checks of {@link readAnswer} that need its text. Never throws. */
export function judgeAnswer(text: string, input: RequestIdentity): AnswerVerdict {
  const answer = answerOf(readStrictJson(text));
  if (answer === undefined) return { ok: false, reason: 'wire' };
  if (!sameIdentity(answer.identity, input)) return { ok: false, reason: 'identity' };
  const verdict = checkSections(answer.summary);
  return verdict.ok ? { ok: true, summary: answer.summary } : verdict;
}

/** An answer as it was read: whom it says it answers, and its summary. */
interface Answer {
  readonly identity: RequestIdentity;
  readonly summary: string;
}

function answerOf(value: StrictValue | undefined): Answer | undefined {
  const answer = exactly(value, ['version', 'basis', 'model', 'request_fingerprint', 'summary']);
  const basis = exactly(answer?.get('basis'), ['revision', 'through_event_id']);
  const model = exactly(answer?.get('model'), ['provider', 'model']);
  const revision = integerOf(basis?.get('revision'));
  const throughEventId = textOf(basis?.get('through_event_id'));
  const provider = textOf(model?.get('provider'));
  const name = textOf(model?.get('model'));
  const requestFingerprint = textOf(answer?.get('request_fingerprint'), FINGERPRINT);
  const summary = textOf(answer?.get('summary'));
  if (integerOf(answer?.get('version')) !== 1n || summary === undefined) return undefined;
  if (revision === undefined || throughEventId === undefined || requestFingerprint === undefined)
    return undefined;
  if (provider === undefined || name === undefined) return undefined;
  const identity = {
    basis: { revision, throughEventId },
    model: { provider, model: name },
    requestFingerprint,
  };
  return { identity, summary };
}

/** The object if it has these keys and no other. */
function exactly(value: StrictValue | undefined, keys: readonly string[]): StrictObject | undefined {
  if (!(value instanceof Map) || value.size !== keys.length) return undefined;
  return keys.every((key) => value.has(key)) ? value : undefined;
}

const FINGERPRINT = /^[0-9a-f]{64}$/u;

function textOf(value: StrictValue | undefined, form?: RegExp): string | undefined {
  return typeof value === 'string' && (form?.test(value) ?? true) ? value : undefined;
}

/** No revision has more digits; reading more would only cost time. */
const MOST_DIGITS = 20;
const MOST = 2n ** 64n - 1n;

function integerOf(value: StrictValue | undefined): bigint | undefined {
  if (value === undefined || typeof value === 'string' || !('integer' in value)) return undefined;
  if (value.integer.length > MOST_DIGITS) return undefined;
  const integer = BigInt(value.integer);
  return integer <= MOST ? integer : undefined;
}
