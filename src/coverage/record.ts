import type { Usage } from '../event/event.ts';
import type { AttemptId, EventId, RecordId, Seq } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { Spans } from './span.ts';

/** A concrete value the summary's prose did not keep, carried beside it; at most 200 code points. */
export interface Literal {
  readonly text: string;
  /** Who said it. */
  readonly from: 'user' | 'assistant' | 'tool';
}

/** How a summary is written: five XML sections, or free prose. */
export type SummaryFormat = 'sections' | 'prose';

/** The text that stands in for events. Prose only: nothing in it is an identity, a range or an instruction. */
export interface Summary {
  readonly format: SummaryFormat;
  readonly text: string;
  readonly literals: readonly Literal[];
}

/** What decided the window. */
export type Strategy = 'sliding_window' | 'manual' | 'token_threshold' | 'roll_up';

/** The durable fact "this summary stands in for these events". Deeply frozen; never edited. */
export interface CompactionRecord {
  readonly id: RecordId;
  /** The revision its commit raised its lane to. */
  readonly revision: number;
  /** Its lane; of a root view, the root lane of its isolation. */
  readonly lane: Lane;
  /** Covers events of any branch of its isolation and is seen only at the root branch. */
  readonly rootView: boolean;
  /** What it covers itself; gaps among its lane's events are its holes. */
  readonly spans: Spans;
  /** What its summarizer read and it does not cover. */
  readonly context: Spans;
  /** 1 for a record made from events alone; a merge is one above the highest it was made from. */
  readonly level: number;
  /** The records it replaces. Never inferred from geometry. */
  readonly supersedes: readonly RecordId[];
  /**
   * Of a root view: lane records whose summaries it was made from. They stay live for their lanes; its own spans hold
   * their events. Empty for a lane's record.
   */
  readonly over: readonly RecordId[];
  readonly summary: Summary;
  /** Of the most important concrete values in what it covers (at most 100): how many there are, and how many of them its prose or its literals hold. */
  readonly literals: { readonly found: number; readonly kept: number };
  /** Fences the summary in the prompt; stored so that the prompt's bytes do not change. */
  readonly nonce: string;
  readonly strategy: Strategy;
  /** What it was planned from. */
  readonly basis: { readonly revision: number; readonly throughSeq: Seq; readonly throughEventId: EventId };
  /** SHA-256, hex; see `recordDigest`. */
  readonly digest: string;
  /** Name of the summarizer, and of its model when it has one. */
  readonly model: { readonly summarizer: string; readonly provider?: string; readonly model?: string };
  /** SHA-256 of what shaped the request, hex. */
  readonly fingerprint: string;
  readonly usage?: Usage;
  /** Tokens of what it covers, itself and through what it supersedes, and of what it puts into the prompt. */
  readonly tokens: { readonly covered: number; readonly summary: number };
  /** How many events it covers, itself and through what it supersedes, pinned ones included. */
  readonly events: number;
  readonly attempt: AttemptId;
  /** ISO 8601, for people. */
  readonly createdAt: string;
}

/** A record and the marks on it that change. */
export interface RecordState {
  readonly record: CompactionRecord;
  readonly undone: boolean;
}
