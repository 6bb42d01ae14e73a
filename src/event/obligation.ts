import type { InvocationId, Seq } from './ids.ts';
import type { Lane } from './lane.ts';

/** A tool call, or an ask, that is owed an answer. A fact the store keeps; nobody hands one in. */
export interface Obligation {
  readonly kind: 'call' | 'ask';
  /** The call's id or the ask's. */
  readonly id: string;
  /** The tool's name, or the kind of the ask. */
  readonly name: string;
  /** The event that opened it. */
  readonly seq: Seq;
  /** Its place among what that event opened. */
  readonly index: number;
  readonly lane: Lane;
  readonly invocation: InvocationId;
  /** The exchange it belongs to. */
  readonly exchange: ExchangeId;
  readonly longRunning: boolean;
  /** For an ask: the id of the call it is about, or ''. For a call: ''. */
  readonly about: string;
  /** The first event that answered it, or null while it is open. */
  readonly answeredBy: Seq | null;
}

/** An exchange is named by the seq of its oldest event. */
export type ExchangeId = Seq;

/** What the store knows of an exchange at one moment. */
export interface Exchange {
  readonly id: ExchangeId;
  /** Its events in seq order, of every lane it is split over. */
  readonly members: readonly Seq[];
  /** Its calls and asks that have no answer. */
  readonly open: readonly Obligation[];
  /** The invocation of its newest event: the one it belongs to. */
  readonly invocation: InvocationId;
  readonly pinned: boolean;
}

/** How the exchange stands with what it is owed, which decides whether it may be covered. */
export type ExchangeStanding =
  /** Nothing is owed. */
  | 'closed'
  /** Every call without an answer is dead: its invocation is over, it is not long-running, and no open ask is about it. */
  | 'dead'
  /** What is owed may still come, but not soon: covered, and listed in the prompt. */
  | 'parked'
  /** Something is owed: held back. */
  | 'open';

/** Whether an obligation may be met however many turns later: an ask, or a call that runs on. */
export function lasts({ kind, longRunning }: Pick<Obligation, 'kind' | 'longRunning'>): boolean {
  return kind === 'ask' || longRunning;
}
