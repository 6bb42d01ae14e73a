import { InvalidSummaryError, type SummaryReason } from '../event/errors.ts';
import type { Usage } from '../event/event.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { type CallFailure, type CallOptions, callSummarizer } from './call.ts';
import { failureReason, thrownRefusal } from './failure-reason.ts';
import { judgeResult } from './gate.ts';
import type { DeclineReason } from './read-result.ts';
import { type Spend, spendOf } from './spend.ts';
import type { Summarizer, SummaryRequest } from './summarizer.ts';

/** How a summarizer is asked. */
export interface AskOptions extends CallOptions {
  readonly counter: TokenCounter;
  /** Awaited before every call, the first included: the place to renew a lease. What it throws ends the work, `interrupted`. */
  readonly beforeCall?: (() => Promise<void> | void) | undefined;
  /** The most bytes of UTF-8 an answer may have. Missing: the gate's default. */
  readonly maxSummaryBytes?: number | undefined;
}

/** What became of a call, or of a whole window. */
export type SummaryFate =
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The gate refused an answer. */
  | { readonly kind: 'refused'; readonly reason: SummaryReason; readonly cause: InvalidSummaryError }
  /** `reason` is constant words; `cause` may carry text of the conversation. */
  | {
      readonly kind: 'failed';
      readonly failure: CallFailure | 'interrupted';
      readonly reason: string;
      readonly cause: unknown;
    };

/** What calls cost, however they ended. */
export interface SummaryCost {
  readonly calls: number;
  /** The sum of what was reported; for summaries without a report, the session's count. */
  readonly usage: Usage | undefined;
  /** Some of `usage` is the session's count. */
  readonly estimated: boolean;
  /** What of it was reported, and so paid for. */
  readonly spend: Spend | undefined;
}

/** Makes one call and judges its answer. Never throws for what the summarizer does. */
export async function askSummarizer(
  summarizer: Summarizer,
  request: SummaryRequest,
  options: AskOptions,
): Promise<SummaryFate & SummaryCost> {
  try {
    await options.beforeCall?.();
  } catch (cause) {
    return { ...failed('interrupted', cause), calls: 0, ...reportedCost(undefined) };
  }
  const outcome = await callSummarizer(summarizer, Object.freeze(request), options);
  if ('result' in outcome) return judged(outcome.result, summarizer, request, options);
  const refusal = thrownRefusal(outcome.cause);
  const fate = refusal === undefined ? failed(outcome.failure, outcome.cause) : refused(refusal);
  return { ...fate, calls: 1, ...reportedCost(outcome.usage) };
}

function judged(
  result: unknown,
  summarizer: Summarizer,
  request: SummaryRequest,
  options: AskOptions,
): SummaryFate & SummaryCost {
  try {
    const { format } = summarizer;
    const { counter, maxSummaryBytes } = options;
    const judgement = judgeResult(result, {
      format,
      maxSummaryTokens: request.maxSummaryTokens,
      maxSummaryBytes,
      counter,
    });
    if (judgement.kind === 'declined') return { ...judgement, calls: 1, ...reportedCost(judgement.usage) };
    const { reported, ...accepted } = judgement;
    return { ...accepted, calls: 1, spend: spendOf(reported) };
  } catch (cause) {
    if (!(cause instanceof InvalidSummaryError)) throw cause;
    return { ...refused(cause), calls: 1, ...reportedCost(cause.usage) };
  }
}

/** The cost of a call where nothing was counted for it. */
function reportedCost(usage: Usage | undefined): Omit<SummaryCost, 'calls'> {
  return { usage, estimated: false, spend: spendOf(usage) };
}

/** A summary that may not stand in for anything. */
export function refused(cause: InvalidSummaryError): SummaryFate {
  return { kind: 'refused', reason: cause.reason, cause };
}

function failed(failure: CallFailure | 'interrupted', cause: unknown): SummaryFate {
  const reason = failure === 'threw' || failure === 'interrupted' ? failureReason(cause) : failure;
  return { kind: 'failed', failure, reason, cause };
}
