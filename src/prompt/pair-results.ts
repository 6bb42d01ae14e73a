import type { StoredEvent } from '../event/event.ts';
import type { Seq } from '../event/ids.ts';
import { sameLane } from '../event/lane.ts';
import { type LinkLookup, linkDraft, type ObligationQuery, obligationKey } from '../event/link.ts';
import type { Obligation } from '../event/obligation.ts';
import type { Part } from '../event/part.ts';

/** Names a part within a prompt. */
export function partKey(seq: Seq, index: number): string {
  return `${seq}/${index}`;
}

/** Which result answers which call, among the events of one prompt. */
export interface Pairing {
  /** The content of each event by seq, every call and result with an id. */
  readonly contents: ReadonlyMap<Seq, readonly Part[]>;
  /** The call a result answers; absent where the prompt does not hold it. */
  readonly callOf: ReadonlyMap<string, string>;
  /** The freshest result of a call; absent where the prompt holds none. */
  readonly freshest: ReadonlyMap<string, string>;
  /** The event of a call. */
  readonly caller: ReadonlyMap<string, StoredEvent>;
}

/** Pairs by the definition that stores link by, applied to the events of the prompt alone, oldest first. */
export function pairResults(events: readonly StoredEvent[]): Pairing {
  const contents = new Map<Seq, readonly Part[]>();
  const callOf = new Map<string, string>();
  const freshest = new Map<string, string>();
  const caller = new Map<string, StoredEvent>();
  const index = new CallIndex();
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) {
    const link = linkDraft(event, event.id, event.invocation, index);
    contents.set(event.seq, link.content);
    const calls = link.content.flatMap((part, at) =>
      part.type === 'toolCall' ? [partKey(event.seq, at)] : [],
    );
    for (const key of calls) caller.set(key, event);
    for (const [at, answered] of link.results) {
      const call = typeof answered === 'number' ? calls[answered] : index.keyOf(answered);
      if (call === undefined) continue;
      const result = partKey(event.seq, at);
      callOf.set(result, call);
      freshest.set(call, result);
    }
    for (const answered of link.answers) index.answer(answered);
    for (const opened of link.opens) {
      const key = calls[opened.index];
      if (opened.kind !== 'call' || key === undefined) continue;
      const { lane, invocation, seq } = event;
      const answeredBy = opened.answered ? seq : null;
      index.add(key, { ...opened, seq, lane, invocation, exchange: seq, answeredBy });
    }
  }
  return { contents, callOf, freshest, caller };
}

class CallIndex implements LinkLookup {
  readonly #all: Obligation[] = [];
  readonly #byId = new Map<string, Obligation[]>();
  readonly #keys = new Map<string, string>();
  readonly #answered = new Set<string>();

  add(key: string, call: Obligation): void {
    this.#keys.set(obligationKey(call), key);
    if (call.answeredBy !== null) this.#answered.add(obligationKey(call));
    this.#all.push(call);
    const same = this.#byId.get(call.id);
    if (same === undefined) this.#byId.set(call.id, [call]);
    else same.push(call);
  }

  keyOf(call: Obligation): string | undefined {
    return this.#keys.get(obligationKey(call));
  }

  answer(call: Obligation): void {
    this.#answered.add(obligationKey(call));
  }

  find(query: ObligationQuery): Obligation | null {
    const calls = query.id === undefined ? this.#all : (this.#byId.get(query.id) ?? []);
    const fits = (call: Obligation): boolean => this.#fits(query, call);
    return (query.oldest === true ? calls.find(fits) : calls.findLast(fits)) ?? null;
  }

  reply(): null {
    return null;
  }

  #fits(query: ObligationQuery, call: Obligation): boolean {
    if (query.kind !== call.kind) return false;
    if (query.name !== undefined && query.name !== call.name) return false;
    if (query.invocation !== undefined && query.invocation !== call.invocation) return false;
    if (query.lane !== undefined && !sameLane(query.lane, call.lane)) return false;
    const key = obligationKey(call);
    if (query.open === true && this.#answered.has(key)) return false;
    return query.except?.has(key) !== true;
  }
}
