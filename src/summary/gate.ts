import type { SummaryFormat } from '../coverage/record.ts';
import { InvalidSummaryError, type SummaryReason } from '../event/errors.ts';
import type { Usage } from '../event/event.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { RequestIdentity } from './contract/identity.ts';
import { checkSections } from './grammar/check-sections.ts';
import { type DeclineReason, readResult } from './read-result.ts';
import { addUsage } from './usage.ts';
import { isBlank } from './white-space.ts';
import { type AnswerVerdict, judgeAnswer } from './wire/read-answer.ts';

/** What a summary is held to. */
export interface GateLimits {
  readonly format: SummaryFormat;
  /** The most tokens the answer may have, reasoning not counted. */
  readonly maxSummaryTokens: number;
  /** The most bytes of UTF-8; missing: {@link DEFAULT_MAX_SUMMARY_BYTES}. */
  readonly maxSummaryBytes?: number | undefined;
  /** Counts what the summarizer did not. Missing: what is not reported is not judged, and is somebody else's to judge. */
  readonly counter?: TokenCounter | undefined;
  /** The answer is one of the wire to this request: its summary is what passes. Missing: the answer is the summary. */
  readonly envelope?: RequestIdentity | undefined;
}

/** What passed: text that may be stored, and what it cost. */
export interface AcceptedSummary {
  readonly kind: 'summary';
  readonly text: string;
  /** As reported, answers that were discarded included; what was not reported is the session's count of the text. */
  readonly usage: Usage;
  /** The same without that count. */
  readonly reported: Usage | undefined;
  /** The output tokens were not reported. */
  readonly estimated: boolean;
}

/** The summarizer would not. */
export interface DeclinedSummary {
  readonly kind: 'declined';
  readonly reason: DeclineReason;
  readonly usage: Usage | undefined;
}

/** The byte limit where none is given. */
export const DEFAULT_MAX_SUMMARY_BYTES = 262_144;

/** An answer of a summarizer's, before it is judged. */
interface Answer {
  readonly content: string;
  readonly usage: Usage | undefined | 'malformed';
  readonly finish: unknown;
}

/** An answer whose tokens are known: as reported, or counted. */
interface CountedAnswer extends Answer {
  readonly outputTokens: number;
}

/** A row of the table of checks: the reason it refuses with, and what passes. */
type Check<A extends Answer> = readonly [
  reason: SummaryReason,
  passes: (answer: A, limits: GateLimits) => boolean,
];

const TEXT_CHECKS: readonly Check<Answer>[] = [
  ['output_shape', ({ content }) => !isBlank(content)],
  [
    'byte_limit',
    ({ content }, limits) =>
      Buffer.byteLength(content) <= (limits.maxSummaryBytes ?? DEFAULT_MAX_SUMMARY_BYTES),
  ],
  ['finish', ({ finish }) => finish === undefined || finish === null || finish === 'stop'],
];

const TOKEN_CHECKS: readonly Check<CountedAnswer>[] = [
  ['token_usage', ({ usage, outputTokens }) => usage !== 'malformed' && outputTokens > 0],
  ['token_limit', (answer, limits) => answerTokens(answer) <= limits.maxSummaryTokens],
];

/** What a format is held to beside that, and what then is the summary. */
const FORMAT_CHECKS: { readonly [Format in SummaryFormat]: (text: string) => AnswerVerdict } = {
  prose: (summary) => ({ ok: true, summary }),
  sections: (summary) => {
    const verdict = checkSections(summary);
    return verdict.ok ? { ok: true, summary } : verdict;
  },
};

/**
 * Judges what a summarizer returned, whatever that is, before anything may be committed. The first check that fails, in
 * the order of the table, throws `InvalidSummaryError` with its reason and what the answer cost; the error carries no
 * text of the answer. Whether a summary is smaller than what it replaces is {@link requireSmaller}'s to say.
 */
export function judgeResult(result: unknown, limits: GateLimits): AcceptedSummary | DeclinedSummary {
  const read = readResult(result);
  if (read.kind === 'declined') return read;
  if (read.kind === 'malformed')
    throw new InvalidSummaryError('output_shape', { usage: read.usage, cause: read.cause });
  const reported = read.usage === 'malformed' ? undefined : read.usage;
  const paid = addUsage(read.discarded, reported);
  requireAll(read, TEXT_CHECKS, limits, paid);
  const outputTokens = reported?.outputTokens ?? limits.counter?.count(read.content);
  if (outputTokens !== undefined || read.usage === 'malformed')
    requireAll({ ...read, outputTokens: outputTokens ?? 0 }, TOKEN_CHECKS, limits, paid);
  const { envelope } = limits;
  const verdict =
    envelope === undefined ? FORMAT_CHECKS[limits.format](read.content) : judgeAnswer(read.content, envelope);
  if (!verdict.ok) throw new InvalidSummaryError(verdict.reason, { ...verdict, usage: paid });
  const counted = Object.freeze({ ...reported, ...(outputTokens === undefined ? {} : { outputTokens }) });
  return Object.freeze({
    kind: 'summary',
    text: storable(verdict.summary),
    usage: addUsage(read.discarded, counted) ?? counted,
    reported: paid,
    estimated: reported?.outputTokens === undefined,
  });
}

function requireAll<A extends Answer>(
  answer: A,
  checks: readonly Check<A>[],
  limits: GateLimits,
  usage: Usage | undefined,
): void {
  for (const [reason, passes] of checks) {
    if (!passes(answer, limits)) throw new InvalidSummaryError(reason, { usage });
  }
}

/**
 * Throws `InvalidSummaryError` `not_smaller` unless what enters the prompt (the summary as framed, its literals) is
 * smaller than what leaves it (raw events as shown, superseded summaries). Both in tokens by the session's counter.
 */
export function requireSmaller(tokens: { readonly leaves: number; readonly enters: number }): void {
  if (!(tokens.enters < tokens.leaves)) throw new InvalidSummaryError('not_smaller');
}

/** Output tokens without reasoning. Where reasoning is reported beside the output and not in it, nothing is subtracted. */
function answerTokens({ usage, outputTokens }: CountedAnswer): number {
  if (usage === undefined || usage === 'malformed' || usage.outputTokens === undefined) return outputTokens;
  const reasoning = usage.reasoningTokens ?? 0;
  return reasoning > outputTokens ? outputTokens : outputTokens - reasoning;
}

/** Text every store can keep: lone surrogates, and the NUL that databases refuse, become U+FFFD. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
