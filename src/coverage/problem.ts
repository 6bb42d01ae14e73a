import type { RecordId, Seq } from '../event/ids.ts';

/** What `verify` can find wrong. */
export type ProblemKind =
  /** A seq is missing, doubled or out of order. */
  | 'seq'
  /** A stored event's content is not what was hashed at append. */
  | 'event_hash'
  /** Stored tokens, ordinals, exchange, pin or obligations are not what the events say. */
  | 'event_facts'
  /** A record's digest is not what its events, its summary and what it supersedes say. */
  | 'record_digest'
  /** A record's spans are unsorted, overlap, do not end on events of its lane, or its counts are wrong. */
  | 'record_shape'
  /** A record names one that does not exist, or of another lane. */
  | 'record_supersedes'
  /** Two live records cover one event for one reader. */
  | 'overlap'
  /** An event is neither raw nor covered for a reader, or both. */
  | 'cover'
  /** An exchange is shown to a reader in part. */
  | 'split'
  /** A prompt's accounting does not add up. */
  | 'accounting';

/** One breach, by event and record. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly seq?: Seq;
  readonly record?: RecordId;
  /** Constant words, names and numbers; never conversation text. */
  readonly detail: string;
}

/** What was checked and what was found. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly events: number;
  readonly records: number;
  readonly problems: readonly Problem[];
}
