import type { VerifyReport } from '../coverage/problem.ts';
import type { RecordState } from '../coverage/record.ts';
import type { EventDraft, StoredEvent } from '../event/event.ts';
import type { InvocationId, RecordId, Seq, SessionKey } from '../event/ids.ts';
import type { Invocation } from '../event/invocation.ts';
import type { Lane, Reader } from '../event/lane.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { PromptSignal } from '../plan/signal.ts';
import type { Explanation } from '../prompt/explanation.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Recalled } from '../prompt/recalled/recollection.ts';
import type { AppendOptions, AttemptFilter, SessionInfo } from '../store/session-store.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { Preview } from './preview.ts';
import type { RecallOptions } from './recall/recall.ts';
import type { RecallRequest } from './recall/request.ts';

/** The tail manual compaction leaves raw: the larger of the two bounds, in whole exchanges; the newest exchange always stays. */
export interface Keep {
  readonly events?: number;
  readonly tokens?: number;
}

/** The sliding window: after an invocation, once `interval` invocations that are over have coverable events in a lane, cover the first `interval` of them; `overlap` earlier ones are context. */
export interface SlidingWindow {
  readonly interval: number;
  readonly overlap?: number;
}

/** Whose prompt to prepare, and what is known of the moment. */
export interface PrepareOptions {
  /** Missing: the root of the main conversation. */
  readonly reader?: Reader;
  /** Aborts the compaction, not the prompt: what is committed stays. */
  readonly signal?: AbortSignal;
  /** Whether the provider's cache of this prompt is gone; missing: whether five minutes passed since this process last prepared one. */
  readonly cacheIsCold?: boolean;
  /** Hears each outcome as it happens. */
  readonly onOutcome?: (outcome: CompactionOutcome) => void;
}

/** A prompt to send, what was done to it first, and how large it is. */
export interface Prepared {
  readonly prompt: Prompt;
  /** What became of each compaction; empty where none was due. */
  readonly outcomes: readonly CompactionOutcome[];
  /** The complete request: the prompt, the system prompt and the tools; by which signal. */
  readonly size: PromptSignal;
}

/** Asks for a compaction now. */
export interface CompactOptions {
  /** Whose prompt to shrink; missing: the root of the main conversation. */
  readonly reader?: Reader;
  /** Missing: what the policy keeps. */
  readonly keep?: Keep;
  /** Given: drain the backlog in windows of this many invocations, instead of one window for all. */
  readonly sliding?: SlidingWindow;
  /** Aborts; what is committed stays. */
  readonly signal?: AbortSignal;
  /** Hears each outcome as it happens. */
  readonly onOutcome?: (outcome: CompactionOutcome) => void;
}

/** One turn: what is appended through it belongs to its invocation. */
export interface Turn {
  readonly invocation: InvocationId;
  readonly lane: Lane;
  /** Appends to this turn; a lane other than the turn's may be given per draft. Renews the turn's lease. */
  append(...drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]>;
  /** Says how the turn ended. `ended` starts post-turn compaction off the answer path; see {@link Session.idle}. */
  end(state?: 'ended' | 'failed' | 'cancelled'): Promise<Invocation>;
}

/** A session: append, prompt, compact, prove. */
export interface Session {
  readonly key: SessionKey;
  append(drafts: readonly EventDraft[], options?: AppendOptions): Promise<readonly StoredEvent[]>;
  begin(turn?: { readonly id?: string; readonly lane?: Lane }): Promise<Turn>;
  /** The next prompt; empty before the first event. */
  prompt(options?: { readonly reader?: Reader }): Promise<Prompt>;
  /**
   * The next prompt, to be sent now: compacts first where the policy's tail retention or context limit asks for it. Call
   * it before each model call of a turn. `ContextLimitError` when the request is over the limit and nothing more can be
   * covered; the session is as it was, no turn is lost.
   */
  prepare(options?: PrepareOptions): Promise<Prepared>;
  /** Where one event went, for a reader, and why. */
  explain(seq: Seq, options?: { readonly reader?: Reader }): Promise<Explanation>;
  /**
   * Earlier events as a model reads them: found by words among those that summaries stand in for, or named. Only what the
   * reader may see; what it may not is as if it were not there. A request that cannot be answered is told so in a line of
   * the text. See {@link recallTool}.
   */
  recall(request: RecallRequest, options?: RecallOptions): Promise<Recalled>;
  /** Covers what can be covered now. `NotFoundError` before the first event. */
  compact(options?: CompactOptions): Promise<readonly CompactionOutcome[]>;
  /**
   * What `compact` with these options would do: what would be covered, the summaries, which exact values each keeps in its
   * prose, carries beside it or drops, and the prompt after it. Asks the summarizer as `compact` does, which costs the
   * same; stores nothing, not even an attempt, and takes no lease.
   */
  preview(options?: CompactOptions): Promise<Preview>;
  /** Resolves when no post-turn compaction is under way, to the outcomes since the last call. */
  idle(): Promise<readonly CompactionOutcome[]>;
  /** Recomputes everything and names every breach. */
  verify(options?: { readonly onProgress?: (events: number, of: number) => void }): Promise<VerifyReport>;
  records(): Promise<readonly RecordState[]>;
  attempts(filter?: AttemptFilter): Promise<readonly Attempt[]>;
  undo(record: RecordId): Promise<void>;
  redo(record: RecordId): Promise<void>;
  /** Keeps the exchange of an event raw from now on. Returns its events. */
  pin(seq: Seq): Promise<readonly Seq[]>;
  unpin(seq: Seq): Promise<readonly Seq[]>;
  /** A new session from this one's events up to `throughSeq`: copied, with the records that cover and read only those, and the marks on both. */
  fork(throughSeq: Seq, to: SessionKey): Promise<Session>;
  info(): Promise<SessionInfo | null>;
}
