import type { SummaryFormat } from '../coverage/record.ts';
import type { Finish, Role, Usage } from '../event/event.ts';
import type { InvocationId, Seq } from '../event/ids.ts';
import type { Part } from '../event/part.ts';

/** An event as a summarizer is shown it: a frozen deep copy of these fields and nothing else. Media arrive whole; provider state does not. */
export interface SourceEvent {
  readonly seq: Seq;
  readonly invocation: InvocationId;
  readonly role: Role;
  readonly author: string;
  readonly parts: readonly Part[];
  /** Ids of calls in it that nothing answered and nothing will. */
  readonly unanswered: readonly string[];
}

/** An earlier summary that the new one replaces: of the window's first part when a window is split, or of a record it supersedes. */
export interface PreviousSummary {
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  readonly text: string;
}

/** What a summarizer is asked. Deeply frozen. */
export interface SummaryRequest {
  /** Earlier summaries the answer replaces, oldest first; all they say that still matters must be in it. */
  readonly previous: readonly PreviousSummary[];
  /** Events that may be read for understanding and are not covered: the answer need not say them again. */
  readonly context: readonly SourceEvent[];
  /** Events the answer stands in for, in seq order. */
  readonly events: readonly SourceEvent[];
  /** The most tokens the answer's text may take, by the session's counter. */
  readonly maxSummaryTokens: number;
}

/** What a summarizer gives back: prose, or its reason for giving none. */
export type SummaryResult =
  | { readonly kind: 'summary'; readonly content: string; readonly usage?: Usage; readonly finish?: Finish }
  | { readonly kind: 'declined'; readonly reason: string; readonly usage?: Usage };

/** What travels with a call. */
export interface SummarizerCall {
  /** Aborted at the engine's deadline, or when the compaction is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Writes summaries. It is untrusted: what it returns is prose, and range, lane, authorship and identity are the
 * engine's. It may throw, decline or never settle; that costs a larger prompt and nothing else.
 */
export interface Summarizer {
  readonly name: string;
  readonly format: SummaryFormat;
  /** The model behind it, when there is one; for the record. */
  readonly model?: { readonly provider: string; readonly model: string };
  /** The most code points of rendered transcript one call takes; a longer window is split. Missing: no bound. */
  readonly maxTranscriptCodePoints?: number;
  summarize(request: SummaryRequest, call: SummarizerCall): Promise<SummaryResult>;
}
