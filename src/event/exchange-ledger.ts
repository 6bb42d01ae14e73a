import type { StoredEvent } from './event.ts';
import type { InvocationId, Seq } from './ids.ts';
import type { Lane } from './lane.ts';
import type { Link, LinkLookup, ObligationQuery } from './link.ts';
import type { Exchange, ExchangeId, Obligation } from './obligation.ts';
import { ObligationIndex } from './obligation-index.ts';

/** What a new event did to the exchanges. */
export interface Placement {
  readonly exchange: Exchange;
  /** Older events that are of another exchange now, or pinned with it. */
  readonly moved: readonly Seq[];
  /** Events of those that became pinned. */
  readonly newlyPinned: readonly Seq[];
}

/** What one exchange several make with a new event; the one definition, for every store. */
export interface Merger {
  readonly id: ExchangeId;
  readonly members: readonly Seq[];
  readonly pinned: boolean;
  /** Older events that are of another exchange now. */
  readonly renamed: readonly Seq[];
  /** Older events that became pinned. */
  readonly newlyPinned: readonly Seq[];
}

/** Makes one exchange of those an event joins and the event itself: named by its oldest event, pinned if any was. */
export function mergeExchanges(
  seq: Seq,
  joined: readonly Pick<Exchange, 'id' | 'members' | 'pinned'>[],
): Merger {
  const id = Math.min(seq, ...joined.map((exchange) => exchange.id));
  const pinned = joined.some((exchange) => exchange.pinned);
  const members = [...joined.flatMap((exchange) => exchange.members), seq].sort((a, b) => a - b);
  return {
    id,
    members: Object.freeze(members),
    pinned,
    renamed: joined.filter((old) => old.id !== id).flatMap((old) => old.members),
    newlyPinned: pinned ? joined.filter((old) => !old.pinned).flatMap((old) => old.members) : [],
  };
}

/**
 * The exchanges and obligations of a log as it grows: the one definition of what is one exchange. It keeps no content,
 * so `verify` can fold a long log through it.
 */
export class ExchangeLedger implements LinkLookup {
  readonly #obligations = new ObligationIndex();
  readonly #exchanges = new Map<ExchangeId, Exchange>();
  readonly #replies = new Map<
    Seq,
    { readonly lane: Lane; readonly invocation: InvocationId; readonly reply: string }
  >();

  find(query: ObligationQuery): Obligation | null {
    return this.#obligations.find(query);
  }

  reply(lane: Lane, invocation: InvocationId, reply: string): ExchangeId | null {
    return this.#obligations.reply(lane, invocation, reply);
  }

  get(id: ExchangeId): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  obligations(): Iterable<Obligation> {
    return this.#obligations.all();
  }

  /** Open asks and long-running calls, oldest first. */
  lasting(): readonly Obligation[] {
    return this.#obligations.lasting();
  }

  /** Takes in the next event, linked by this ledger. */
  add(event: Pick<StoredEvent, 'seq' | 'lane' | 'invocation' | 'reply'>, link: Link): Placement {
    const { seq, lane, invocation, reply } = event;
    const joined = link.joins.flatMap((id) => this.#exchanges.get(id) ?? []);
    const { id, members, pinned, renamed, newlyPinned } = mergeExchanges(seq, joined);
    for (const old of joined) this.#exchanges.delete(old.id);
    if (reply !== undefined) this.#replies.set(seq, { lane, invocation, reply });
    for (const { answered, ...opened } of link.opens) {
      const answeredBy = answered ? seq : null;
      this.#obligations.add(Object.freeze({ ...opened, seq, lane, invocation, exchange: id, answeredBy }));
    }
    for (const answered of link.answers) {
      const current = this.#obligations.current(answered);
      if (current?.answeredBy === null)
        this.#obligations.replace(Object.freeze({ ...current, answeredBy: seq }));
    }
    for (const member of renamed) this.#rename(member, id);
    this.#rename(seq, id);
    const exchange: Exchange = Object.freeze({
      id,
      members,
      open: Object.freeze(
        members.flatMap((member) => this.#openedBy(member).filter((owed) => owed.answeredBy === null)),
      ),
      invocation,
      pinned,
    });
    this.#exchanges.set(id, exchange);
    return { exchange, moved: [...new Set([...renamed, ...newlyPinned])], newlyPinned };
  }

  /** Marks an exchange; its events, or none when there is no such exchange. */
  setPinned(id: ExchangeId, pinned: boolean): readonly Seq[] {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return [];
    this.#exchanges.set(id, Object.freeze({ ...exchange, pinned }));
    return exchange.members;
  }

  #openedBy(seq: Seq): readonly Obligation[] {
    const opened: Obligation[] = [];
    for (let index = 0; ; index += 1) {
      const obligation = this.#obligations.current({ seq, index });
      if (obligation === undefined) return opened;
      opened.push(obligation);
    }
  }

  #rename(seq: Seq, exchange: ExchangeId): void {
    for (const obligation of this.#openedBy(seq)) {
      if (obligation.exchange !== exchange)
        this.#obligations.replace(Object.freeze({ ...obligation, exchange }));
    }
    const named = this.#replies.get(seq);
    if (named !== undefined) this.#obligations.addReply(named.lane, named.invocation, named.reply, exchange);
  }
}
