import type { StoredEvent } from '../event/event.ts';
import type { RecordId, Seq } from '../event/ids.ts';
import type { Reader } from '../event/lane.ts';
import type { ExchangeStanding, Obligation } from '../event/obligation.ts';

/** Where one event stands for one reader. */
export type Whereabouts =
  /** Shown as it is. */
  | 'raw'
  /** A live record's summary stands in for it. */
  | 'covered'
  /** Covered, and shown again because another event of its exchange is raw. */
  | 'recovered'
  /** Of a lane this reader does not see. */
  | 'unseen';

/** Why a raw event is raw. */
export type RawReason =
  | 'coverable'
  | 'pinned'
  | 'open_exchange'
  | 'question_of_running_turn'
  | 'system'
  | 'running_turn';

/** The answer to "what became of event N?". */
export interface Explanation {
  readonly event: StoredEvent;
  readonly reader: Reader;
  readonly whereabouts: Whereabouts;
  /** For a raw event: why. */
  readonly rawReason?: RawReason;
  /**
   * Raw or recovered, and too large for what the model can take: shown by head and tail, and how many of its tokens are
   * not shown. Null: shown whole, or not at all.
   */
  readonly cut: { readonly tokens: number } | null;
  /** From the live record whose summary stands in for it, through what that supersedes, to the one whose summarizer was shown the event. */
  readonly coveredBy: readonly RecordId[];
  /** Other records whose spans hold it: undone, superseded, or live and not standing in for it (it is pinned, say). */
  readonly otherRecords: readonly RecordId[];
  readonly exchange: {
    readonly members: readonly Seq[];
    readonly standing: ExchangeStanding;
    readonly pinned: boolean;
  };
  readonly open: readonly Obligation[];
}
