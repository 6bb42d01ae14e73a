import type { InvocationId } from './ids.ts';
import { type Lane, laneKey } from './lane.ts';
import { type LinkLookup, type ObligationQuery, obligationKey } from './link.ts';
import { type ExchangeId, lasts, type Obligation } from './obligation.ts';

/** The calls and asks of a session, findable as linking needs them. Values are replaced, never edited. */
export class ObligationIndex implements LinkLookup {
  readonly #all = new Map<string, Obligation>();
  readonly #byId = new Map<string, string[]>();
  readonly #open = new Map<string, Obligation>();
  readonly #lasting = new Map<string, Obligation>();
  readonly #replies = new Map<string, ExchangeId>();

  add(obligation: Obligation): void {
    const key = obligationKey(obligation);
    this.#all.set(key, obligation);
    for (const index of indexKeys(obligation)) {
      const keys = this.#byId.get(index);
      if (keys === undefined) this.#byId.set(index, [key]);
      else keys.push(key);
    }
    this.#track(key, obligation);
  }

  /** The obligation as it is now. */
  current(obligation: Pick<Obligation, 'seq' | 'index'>): Obligation | undefined {
    return this.#all.get(obligationKey(obligation));
  }

  replace(obligation: Obligation): void {
    const key = obligationKey(obligation);
    this.#all.set(key, obligation);
    this.#track(key, obligation);
  }

  addReply(lane: Lane, invocation: InvocationId, reply: string, exchange: ExchangeId): void {
    this.#replies.set(replyKey(lane, invocation, reply), exchange);
  }

  reply(lane: Lane, invocation: InvocationId, reply: string): ExchangeId | null {
    return this.#replies.get(replyKey(lane, invocation, reply)) ?? null;
  }

  find(query: ObligationQuery): Obligation | null {
    if (query.id === undefined) return this.#firstOpen(query);
    const keys = this.#byId.get(indexKey(query.kind, query.id, query.lane, query.invocation));
    if (keys === undefined) return null;
    for (let at = keys.length - 1; at >= 0; at -= 1) {
      const obligation = this.#all.get(keys[at] as string);
      if (obligation !== undefined && fits(obligation, query)) return obligation;
    }
    return null;
  }

  all(): Iterable<Obligation> {
    return this.#all.values();
  }

  /** Open asks and long-running calls, oldest first: those that are parked rather than dead. */
  lasting(): readonly Obligation[] {
    return [...this.#lasting.values()];
  }

  #track(key: string, obligation: Obligation): void {
    const lists = lasts(obligation) ? [this.#open, this.#lasting] : [this.#open];
    for (const list of lists) {
      if (obligation.answeredBy === null) list.set(key, obligation);
      else list.delete(key);
    }
  }

  #firstOpen(query: ObligationQuery): Obligation | null {
    for (const obligation of this.#open.values()) if (fits(obligation, query)) return obligation;
    return null;
  }
}

function fits(obligation: Obligation, query: ObligationQuery): boolean {
  return (
    obligation.kind === query.kind &&
    (query.name === undefined || obligation.name === query.name) &&
    (query.lane === undefined || laneKey(obligation.lane) === laneKey(query.lane)) &&
    (query.invocation === undefined || obligation.invocation === query.invocation) &&
    (query.open === undefined || obligation.answeredBy === null) &&
    !(query.except?.has(obligationKey(obligation)) ?? false)
  );
}

function indexKeys(obligation: Obligation): readonly string[] {
  const { kind, id, lane, invocation } = obligation;
  return [
    indexKey(kind, id, lane, invocation),
    indexKey(kind, id, lane, undefined),
    indexKey(kind, id, undefined, invocation),
    indexKey(kind, id, undefined, undefined),
  ];
}

function indexKey(
  kind: string,
  id: string,
  lane: Lane | undefined,
  invocation: InvocationId | undefined,
): string {
  return JSON.stringify([kind, id, lane === undefined ? null : laneKey(lane), invocation ?? null]);
}

function replyKey(lane: Lane, invocation: InvocationId, reply: string): string {
  return JSON.stringify([laneKey(lane), invocation, reply]);
}
