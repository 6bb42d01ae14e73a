import type { Strategy } from '../coverage/record.ts';
import type { Spans } from '../coverage/span.ts';
import type { LiveRecord, RawEvent } from '../coverage/view.ts';
import type { EventId, RecordId, Seq } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';

/** The events one compaction will cover, and what its summarizer may read beside them. */
export interface Window {
  /** The window's lane; of a root view, the root lane of its isolation. */
  readonly lane: Lane;
  readonly rootView: boolean;
  readonly spans: Spans;
  /** What the record will cover itself, in seq order; none where it is made from summaries alone. */
  readonly events: readonly RawEvent[];
  /** Ids of calls in it that nothing answered and nothing will, by event: the transcript says so. */
  readonly unanswered: ReadonlyMap<Seq, readonly string[]>;
  /** Events to be read and not covered: the covered rest of its exchanges, the lane's current question. */
  readonly context: readonly LoggedEvent[];
  /** How many of the invocations before it in its lane are read as context too; the store finds them. */
  readonly overlap: number;
  /** Records the new one replaces: its summarizer is shown their summaries. */
  readonly supersedes: readonly RecordId[];
  /** Of a root view: lane records it is made from the summaries of and lies over. Their events are not among `events` or in `spans`: the store says which they are. */
  readonly over: readonly RecordId[];
  /** The records of `supersedes` and `over`, by the seq of the first event they cover, as the plan saw them: what its summarizer is shown beside events. */
  readonly summaries: readonly LiveRecord[];
  /** Stored tokens of its events. */
  readonly tokens: number;
  /** How many invocations its events belong to. */
  readonly invocations: number;
}

/** Why a strategy does nothing. "Nothing to do" and "blocked" differ: `blocked` says what stands in the way. */
export type NothingReason =
  /** No event is uncovered beyond what is kept. */
  | 'nothing_new'
  /** There is new material, not yet enough of it. */
  | 'not_enough'
  /** All that is new is held back: open exchanges, pins, questions being answered, system events. */
  | 'blocked'
  /** An earlier attempt failed; waiting for later invocations. */
  | 'backing_off'
  /** The window was undone; automatic strategies leave it alone. */
  | 'undone'
  /** The ledger says what is raw was covered before and nobody undid it: the store does not keep records. */
  | 'record_lost'
  /** The prompt is under what triggers. */
  | 'below_trigger'
  /** The strategy is off. */
  | 'off';

/** What a strategy decided. */
export type Plan =
  | {
      readonly kind: 'window';
      readonly strategy: Strategy;
      readonly window: Window;
      readonly basis: {
        readonly revision: number;
        readonly throughSeq: Seq;
        readonly throughEventId: EventId;
      };
    }
  | { readonly kind: 'nothing'; readonly reason: NothingReason; readonly waitingFor?: number };
