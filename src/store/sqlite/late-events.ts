import type { Span } from '../../coverage/span.ts';
import type { EventId, Seq } from '../../event/ids.ts';
import type { LaneRow } from './session-lanes.ts';

/** What is known of an event that has no rows beside its own yet. */
export interface LateEvent {
  readonly seq: Seq;
  readonly lane: number;
  readonly root: number;
  readonly pinned: boolean;
}

/**
 * The newest events of a session, as long as only their own rows are written: each page more would cost an append as much
 * as all its computing. They are few, raw to everybody and under no root view; whoever reads ids or what is raw looks here
 * too.
 */
export class LateEvents {
  #events: LateEvent[] = [];
  readonly #seqs = new Map<EventId, Seq>();

  get size(): number {
    return this.#events.length;
  }

  add(event: LateEvent, id: EventId): void {
    this.#events.push(event);
    this.#seqs.set(id, event.seq);
  }

  clear(): void {
    this.#events = [];
    this.#seqs.clear();
  }

  withId(id: EventId): Seq | undefined {
    return this.#seqs.get(id);
  }

  at(seq: Seq): LateEvent | undefined {
    // Their seqs follow on one another.
    return this.#events[seq - (this.#events[0]?.seq ?? 0)];
  }

  /** Those of an isolation, by its root, in seq order. */
  ofIsolation(root: number): readonly LateEvent[] {
    return this.#events.filter((event) => event.root === root);
  }

  /** Those of lanes, in seq order. */
  ofLanes(lanes: readonly LaneRow[]): readonly LateEvent[] {
    return this.#events.filter((event) => lanes.some((lane) => lane.id === event.lane));
  }

  /** The seqs of a lane's within a span, in order. */
  seqsOfLane(lane: LaneRow, { first, last }: Span): readonly Seq[] {
    return this.#events
      .filter(({ lane: id, seq }) => id === lane.id && seq >= first && seq <= last)
      .map(({ seq }) => seq);
  }
}
