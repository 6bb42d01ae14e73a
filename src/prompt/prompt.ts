import type { CompactionRecord } from '../coverage/record.ts';
import type { Count } from '../coverage/view.ts';
import type { StoredEvent } from '../event/event.ts';
import type { Seq } from '../event/ids.ts';
import type { Reader } from '../event/lane.ts';
import type { Obligation } from '../event/obligation.ts';

/** One live summary, where the first event it covers sat. */
export interface SummaryEntry {
  readonly kind: 'summary';
  readonly record: CompactionRecord;
  /** The first and last seq it covers. */
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  /** Tokens of the framed text, counted at commit. */
  readonly tokens: number;
}

/** One event, shown as it is, or by head and tail where it is too large for the prompt's limit. */
export interface EventEntry {
  readonly kind: 'event';
  /**
   * The event as shown. Where it is {@link EventEntry.cut | cut}: its content around markers that say how much is missing,
   * and `tokens` of what is shown; all else as stored.
   */
  readonly event: StoredEvent;
  /** Shown cut: how many tokens of the stored event are not shown, the markers' own set off. Null: shown whole. */
  readonly cut: { readonly tokens: number } | null;
  /** `recovered`: covered, and shown again because another event of its exchange is raw. */
  readonly state: 'raw' | 'recovered';
  /** Older than the end of a summary shown before it: introduced as older. */
  readonly older: boolean;
  /**
   * Ids of its calls that nothing has answered. Whether an answer may still come changes as turns end and leases expire, and
   * a prompt changes only when events, records, pins or its limit do: ask `explain` for an event's standing.
   */
  readonly open: readonly string[];
}

/** What is owed by events that are covered, so that a late answer is not a surprise. */
export interface ParkedEntry {
  readonly kind: 'parked';
  /** The newest, newest last. */
  readonly obligations: readonly Obligation[];
  /** How many more there are. */
  readonly more: number;
  readonly tokens: number;
}

/** One entry of a prompt; entries are in seq order. */
export type PromptEntry = SummaryEntry | EventEntry | ParkedEntry;

/** Where every event the reader may see went. `raw + recovered + covered = total`, in events and in tokens as stored. */
export interface Accounting {
  readonly total: Count;
  readonly raw: Count;
  /** Covered and shown again. */
  readonly recovered: Count;
  /** Covered by a summary in this prompt and not shown. */
  readonly covered: Count;
  /** Summaries and what frames them, in tokens. */
  readonly summaries: Count;
  /** Raw and recovered events that are shown cut to fit the limit, and how many of their tokens are not shown. */
  readonly cut: Count;
  /** Tokens of the whole prompt as shown: raw and recovered less what is cut, summaries and the parked list. */
  readonly promptTokens: number;
}

/** The next prompt of a reader, free of any provider's form. */
export interface Prompt {
  readonly reader: Reader;
  /** The lane's revision it was made at; report it with the usage of the call it is sent by. 0 where something is shown cut: the next prompt may be cut elsewhere, so that usage measures this one only. */
  readonly revision: number;
  readonly throughSeq: Seq;
  readonly entries: readonly PromptEntry[];
  readonly accounting: Accounting;
}
