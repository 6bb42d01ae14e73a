import type { Literal, SummaryFormat } from '../coverage/record.ts';
import type { Finish, Role, Usage } from '../event/event.ts';
import type { InvocationId, Seq } from '../event/ids.ts';
import type { JsonObject } from '../event/json.ts';
import type { Part } from '../event/part.ts';
import type { RequestIdentity } from './contract/identity.ts';
import type { TranscriptCaps } from './transcript-caps.ts';

/** Which piece of a text this is, when it was too long for one call: 1, 2, 3 … of so many. */
export interface Piece {
  readonly index: number;
  readonly of: number;
}

/** An event as a summarizer is shown it: a frozen deep copy of these fields and nothing else. Media arrive whole; provider state does not. */
export interface SourceEvent {
  readonly seq: Seq;
  readonly invocation: InvocationId;
  readonly role: Role;
  readonly author: string;
  readonly parts: readonly Part[];
  /** Ids of calls in it that nothing answered and nothing will. */
  readonly unanswered: readonly string[];
  /** Given when one event was too large for one call: these are some of its parts, or a part of one's text. */
  readonly piece?: Piece;
}

/** An earlier summary that the new one replaces: of the window's first part when a window is split, or of a record it supersedes. */
export interface PreviousSummary {
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  readonly text: string;
  /** Exact values beside its text. They are carried on whatever the answer says; here to be understood. */
  readonly literals?: readonly Literal[];
  /** Given when the summary alone was too long for one call. */
  readonly piece?: Piece;
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
  /** Given when an earlier answer lost too many: values of what is shown that the answer must hold as they are. */
  readonly mustKeep?: readonly string[];
  /** What the summary is asked for; the same for every call of one attempt. The engine always says it. */
  readonly identity?: RequestIdentity;
}

/** A summary as its summarizer gives it. */
export interface GivenSummary {
  readonly kind: 'summary';
  readonly content: string;
  readonly usage?: Usage;
  readonly finish?: Finish;
  /** What answers before this one cost that it asked for again: paid for, and not charged to the summary's length. */
  readonly discarded?: Usage;
}

/** What a summarizer gives back: prose, or its reason for giving none. */
export type SummaryResult =
  | GivenSummary
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
  /**
   * The most code points of transcript one call takes, as `renderTranscript` renders it; a longer window is split over
   * calls and merged. Missing: no bound. Under 4,000 it counts as that.
   */
  readonly maxTranscriptCodePoints?: number;
  /** The caps it renders with, so that a split is measured as rendered. Missing: the default ones. */
  readonly caps?: TranscriptCaps;
  /** What shapes its answers beside the request (prompt revision, sampling); goes into the record's fingerprint. No secrets. */
  readonly shape?: JsonObject;
  summarize(request: SummaryRequest, call: SummarizerCall): Promise<SummaryResult>;
}
