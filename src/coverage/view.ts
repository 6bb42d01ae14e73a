import type { EventId, InvocationId, LaneKey, RecordId, Seq } from '../event/ids.ts';
import type { Invocation } from '../event/invocation.ts';
import type { Lane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Exchange, ExchangeId, Obligation } from '../event/obligation.ts';
import type { CompactionRecord } from './record.ts';

/**
 * How much of the session a view takes in.
 *
 * - `lane`: the events of exactly one lane; raw is what no live record of that lane covers.
 * - `reader`: what a reader in that lane sees. At the root branch that is every branch of the isolation, and raw is
 *   what neither a live root view nor a live lane record covers. Elsewhere it is the lane and its ancestors, and root
 *   views do not exist.
 */
export type ViewScope = 'lane' | 'reader';

/** An uncovered event of a view. */
export interface RawEvent extends LoggedEvent {
  /** The live root view it lies in: never in a view of the root branch, where that covers it. */
  readonly under: RecordId | null;
  /** An undone record of its lane that covered it: automatic strategies leave it alone. */
  readonly undone: RecordId | null;
  /** An undone root view that covered it: bars root views, not the lane's own windows. */
  readonly undoneView: RecordId | null;
}

/** What a view knows of a lane in its scope. */
export interface LaneFacts {
  readonly lane: Lane;
  readonly revision: number;
  /** Its first user event, or null: system events before it are held back. */
  readonly firstUserSeq: Seq | null;
}

/** How many events, and how many of their tokens. */
export interface Count {
  readonly events: number;
  readonly tokens: number;
}

/**
 * All that planning and assembly need to know of a session at one moment, read in one snapshot. Its size is that of the
 * live summaries and the raw tail, never of the history. A value: nothing here changes, nothing reaches back.
 */
export interface View {
  readonly scope: ViewScope;
  readonly lane: Lane;
  /** Revision of `lane`. */
  readonly revision: number;
  /** The newest event of the session (of any lane); seq 0 and id '' while there is none. */
  readonly through: { readonly seq: Seq; readonly id: EventId };
  /** All events in scope, covered or not. */
  readonly total: Count;
  /** The newest invocation's ordinal; 0 while there is none. */
  readonly invocationCount: number;
  /** Live records in scope, by the seq of the first event they cover. */
  readonly records: readonly LiveRecord[];
  /** Uncovered events in scope, in seq order. */
  readonly raw: readonly RawEvent[];
  /** Covered events in scope of exchanges that have a raw event in scope, in seq order. */
  readonly recovered: readonly LoggedEvent[];
  /** The exchange of every raw event. */
  readonly exchanges: ReadonlyMap<ExchangeId, Exchange>;
  /** The invocation of every raw event, of every exchange here, and of every open obligation in them. */
  readonly invocations: ReadonlyMap<InvocationId, Invocation>;
  /** Obligations still open whose event is covered: the newest 20 in scope, newest last, and how many there are. */
  readonly parked: { readonly newest: readonly Obligation[]; readonly total: number };
  /** The lanes of the raw events and of the records, and `lane` itself. */
  readonly lanes: ReadonlyMap<LaneKey, LaneFacts>;
  /** Of each undone record made from summaries, those of `records` it was made from, where there are two or more: they are not merged with each other again. */
  readonly parted: readonly (readonly RecordId[])[];
}

/** A live record and how much it covers now, pinned events not counted. */
export interface LiveRecord {
  readonly record: CompactionRecord;
  /** The first and last seq it covers, itself or through what it supersedes. */
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  readonly covers: Count;
  /** Of a lane's record: the live root view it lies in, which a view of the root branch does not show; else null. */
  readonly under: RecordId | null;
}
