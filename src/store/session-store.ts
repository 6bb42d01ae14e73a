import type { CompactionRecord, RecordState, Strategy } from '../coverage/record.ts';
import type { Spans } from '../coverage/span.ts';
import type { View, ViewScope } from '../coverage/view.ts';
import type { EventDraft, StoredEvent, Usage } from '../event/event.ts';
import type { AttemptId, EventId, InvocationId, RecordId, Seq, SessionKey } from '../event/ids.ts';
import type { Invocation, InvocationState } from '../event/invocation.ts';
import type { Lane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Exchange, Obligation } from '../event/obligation.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { Spend } from '../summary/spend.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Allowance } from './allowance.ts';
import type { SpendFilter, SpendRow } from './spend.ts';

/** What a session is, without its events. */
export interface SessionInfo {
  readonly key: SessionKey;
  readonly events: number;
  readonly records: number;
  readonly invocations: number;
  /** Stored tokens of all its events. */
  readonly tokens: number;
  readonly createdAt: string;
  /** Where it was forked from, and through which seq. */
  readonly lineage: { readonly from: SessionKey; readonly throughSeq: Seq } | null;
  /** Its lanes in the order they appeared. */
  readonly lanes: readonly LaneInfo[];
}

/** A lane's counts. */
export interface LaneInfo {
  readonly lane: Lane;
  readonly revision: number;
  readonly events: number;
  readonly tokens: number;
}

/** What taking a lease asks for. */
export interface LeaseRequest {
  readonly lane: Lane;
  readonly rootView: boolean;
  readonly trigger: Strategy;
  readonly window: Attempt['window'];
  readonly measured?: Attempt['measured'];
  /** The lane's revision the plan was made from. */
  readonly revision: number;
  /** Names the process; for people. */
  readonly holder: string;
  readonly milliseconds: number;
  /** What the session's tenant may spend. Missing: anything. */
  readonly allowance?: Allowance;
}

/**
 * A lease was taken and its attempt started, or somebody else is at work, or the allowance is spent: then the attempt
 * that says so is in the ledger, once a lane, period and invocation.
 */
export type LeaseOutcome =
  | { readonly taken: true; readonly attempt: Attempt }
  | { readonly taken: false; readonly heldBy: string; readonly expiresInMilliseconds: number }
  | { readonly taken: false; readonly declined: Attempt };

/** A record as the engine made it; the store gives it id, revision, digest, counts and times. */
export interface RecordDraft
  extends Omit<
    CompactionRecord,
    'id' | 'revision' | 'digest' | 'createdAt' | 'attempt' | 'events' | 'level'
  > {
  /** How many events `spans` must hold: the ones the summarizer was shown. Another count is a conflict. */
  readonly members: number;
  /** What the summarizer reported it cost. Goes to the ledger of spend, not into the record. */
  readonly spend?: Spend;
}

/** What ends an attempt that does not commit. */
export interface AttemptEnd {
  readonly state: 'declined' | 'discarded' | 'failed' | 'abandoned';
  readonly reason: string;
  /** For the ledger of attempts; counts that nobody reported are the session's. */
  readonly usage?: Usage;
  /** Of it, what the summarizer reported. For the ledger of spend. */
  readonly spend?: Spend;
}

/** How appended events stand to their invocations. */
export interface AppendOptions {
  /**
   * State of invocations the store has not seen: `running`, under a lease of `leaseMilliseconds`, or over (`ended`, the
   * default, right for imports and for events outside any turn).
   */
  readonly newInvocations?: 'running' | 'ended';
  readonly leaseMilliseconds?: number;
}

/** One event and what decides whether its exchange may be covered. */
export interface EventFacts {
  readonly row: LoggedEvent;
  readonly exchange: Exchange;
  /** The invocation the exchange belongs to, and those of its open obligations. */
  readonly invocations: ReadonlyMap<InvocationId, Invocation>;
  /** The newest invocation's ordinal. */
  readonly invocationCount: number;
}

/** Which attempts to read. */
export interface AttemptFilter {
  readonly lane?: Lane;
  /** Only the newest this many, newest last. */
  readonly newest?: number;
}

/** What to look for among the events that summaries stand in for. */
export interface SearchRequest {
  /** The reader's lane: found is what it may see and what is covered for it, by its own records or, at the root, a root view. */
  readonly lane: Lane;
  /** Words of any language, names, paths. Nothing in it is syntax. */
  readonly text: string;
  /** At most so many events. */
  readonly limit: number;
}

/** What was found. */
export interface SearchResult {
  /** Best first: those that hold more of the words, and rarer ones, in fewer tokens; of equals the newer. */
  readonly events: readonly LoggedEvent[];
  /** How many hold any of the words. Of each word the newest 1,000 events that hold it are looked at. */
  readonly matches: number;
}

/**
 * Keeps sessions. Every method is one atomic step: it happens whole or not at all, also when several processes work on
 * one store. Everything handed in is copied; everything handed out is frozen. A failure of the store itself is a
 * `StoreError`; an unknown session is created by `append` and `beginInvocation`, and a `NotFoundError` elsewhere.
 */
export interface SessionStore {
  /** Counts every event once, at append. Whatever else is counted for a prompt of this store is counted by it too. */
  readonly counter: TokenCounter;

  /** Stores events in order, assigns seqs and missing ids, and links them to what they answer. Known ids with equal content return the stored event. */
  append(
    key: SessionKey,
    drafts: readonly EventDraft[],
    options?: AppendOptions,
  ): Promise<readonly StoredEvent[]>;

  /** Opens an invocation, or resumes a known one (it keeps its place): running under a lease from now. */
  beginInvocation(
    key: SessionKey,
    invocation: { readonly id?: string; readonly lane?: Lane; readonly leaseMilliseconds: number },
  ): Promise<Invocation>;
  /** Puts off the time at which a running invocation counts as lost. */
  renewInvocation(key: SessionKey, id: InvocationId, leaseMilliseconds: number): Promise<Invocation>;
  /** Says how a running or lost invocation ended. */
  endInvocation(
    key: SessionKey,
    id: InvocationId,
    state: Exclude<InvocationState, 'running' | 'lost'>,
  ): Promise<Invocation>;
  invocations(key: SessionKey): Promise<readonly Invocation[]>;

  /** One snapshot of what planning and assembly need. */
  view(key: SessionKey, lane: Lane, scope: ViewScope): Promise<View>;
  /**
   * The events that lane records of one isolation hold, themselves and through what they supersede, pinned ones
   * included: as spans of the isolation, and how many they are. What a root view made from their summaries covers.
   * `RefusedError` for a root view, or for records of several isolations.
   */
  spansAtRoot(
    key: SessionKey,
    records: readonly RecordId[],
  ): Promise<{ readonly spans: Spans; readonly members: number }>;
  /** Events by spans, in seq order; of one lane when one is given. */
  events(key: SessionKey, spans: Spans, lane?: Lane): Promise<readonly LoggedEvent[]>;
  /** All events in pages: at most `limit` with seq above `after`. */
  page(key: SessionKey, after: Seq, limit: number): Promise<readonly LoggedEvent[]>;
  /** The events of the newest `invocations` invocations that have events of `lane` before `before`; of those, the newest `limit`. */
  preceding(
    key: SessionKey,
    lane: Lane,
    before: Seq,
    invocations: number,
    limit: number,
  ): Promise<readonly LoggedEvent[]>;
  /** One event and how its exchange stands. `NotFoundError` for a seq that is none. */
  facts(key: SessionKey, seq: Seq): Promise<EventFacts>;
  eventById(key: SessionKey, id: EventId): Promise<LoggedEvent | null>;
  obligations(key: SessionKey): Promise<readonly Obligation[]>;
  /** Covered events by their words; what is raw again, undone or pinned, is in the prompt and need not be looked for. */
  search(key: SessionKey, request: SearchRequest): Promise<SearchResult>;

  /** Takes the lane's lease and starts an attempt; marks an expired holder's attempt abandoned in the same step. `CommitConflict` when the lane's revision is not the one planned from. Not taken when what the tenant spent in the period is the allowance or more: attempts under way then still add to it. */
  takeLease(key: SessionKey, request: LeaseRequest): Promise<LeaseOutcome>;
  /** Puts off the lease's expiry. `CommitConflict` when the attempt no longer holds it. */
  renewLease(key: SessionKey, attempt: AttemptId, milliseconds: number): Promise<void>;
  /** Stores the record and ends its attempt `committed`, if all it was planned from still holds; else `CommitConflict` and nothing is stored. */
  commit(key: SessionKey, attempt: AttemptId, draft: RecordDraft): Promise<CompactionRecord>;
  /** Ends an attempt without a record and frees its lease. An attempt that is over already stays as it is; one that was abandoned takes the usage, once, since it was paid for. */
  endAttempt(key: SessionKey, attempt: AttemptId, end: AttemptEnd): Promise<Attempt>;
  attempts(key: SessionKey, filter?: AttemptFilter): Promise<readonly Attempt[]>;
  /** What summarizers reported they cost, added in the step that ended each attempt; by hour, then by key. `ConfigError` for a time that is none. */
  spend(filter?: SpendFilter): Promise<readonly SpendRow[]>;
  /** The tokens the tenant of a session, which need not be there, spent in the period that is now: what an allowance is checked against. */
  tokensSpent(key: SessionKey, allowance: Pick<Allowance, 'period' | 'tenant'>): Promise<number>;

  /** Every record, live or not, oldest first. */
  records(key: SessionKey): Promise<readonly RecordState[]>;
  /** Revokes a live record. `RefusedError` naming the records in the way. */
  undo(key: SessionKey, record: RecordId): Promise<void>;
  /** Restores an undone record. `RefusedError` naming the records that cover its events now. */
  redo(key: SessionKey, record: RecordId): Promise<void>;
  /** Keeps the exchange of an event raw, or gives it back. Returns the events it holds. */
  pin(key: SessionKey, seq: Seq, pinned: boolean): Promise<readonly Seq[]>;

  /** A new session from a prefix: events copied with the records that cover and read only what was copied. `RefusedError` when the target exists. */
  fork(from: SessionKey, throughSeq: Seq, to: SessionKey): Promise<SessionInfo>;

  info(key: SessionKey): Promise<SessionInfo | null>;
  sessions(filter?: Partial<SessionKey>): Promise<readonly SessionInfo[]>;
  close(): Promise<void>;
}

/** How long an invocation runs without a sign of life before it counts as lost, where nothing else is said. */
export const DEFAULT_LEASE_MILLISECONDS = 600_000;
