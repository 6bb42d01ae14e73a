/**
 * Branded identifiers. A brand exists where mixing two of them up would hide or move somebody's turn;
 * at run time all of them are plain strings.
 */

declare const brand: unique symbol;

/** A string that may only be used as the kind of identifier its brand names. */
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Identity of an event towards the outside: retries and imports are recognised by it. Coverage never uses it. */
export type EventId = Branded<'EventId'>;
/** Identity of one user-initiated turn and all it caused. */
export type InvocationId = Branded<'InvocationId'>;
/** Identity of a record. */
export type RecordId = Branded<'RecordId'>;
/** Identity of an attempt at a compaction. */
export type AttemptId = Branded<'AttemptId'>;
/** A lane as one string, for use as a map key; made by `laneKey` only. */
export type LaneKey = Branded<'LaneKey'>;

/**
 * Position of an event in its session: 1, 2, 3 … dense, assigned by the store in append order and never reused.
 * The only identity coverage knows.
 */
export type Seq = number;

/** Names a session: one append-only log of events. */
export interface SessionKey {
  readonly app: string;
  readonly user: string;
  readonly session: string;
}

/** Makes new identifiers; injected so that the core needs neither clock nor randomness. */
export type IdSource = () => string;
