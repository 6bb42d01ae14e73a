import type { LaneKey, RecordId, Seq } from '../event/ids.ts';
import { type Lane, laneKey } from '../event/lane.ts';
import { ExtentIndex } from './extent-index.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import { inSpans, type Span, type Spans } from './span.ts';

/** What a record covers, itself and through what it supersedes. */
type SpansOf = (record: CompactionRecord) => Spans;

/** What decides which records one may not touch: a lane's record those of its lane, a root view those of its isolation. */
export type Scope = Pick<CompactionRecord, 'rootView' | 'lane'>;

/** From the first to the last seq of spans; 0 where there is none. */
export function extentOf(spans: Spans): Span {
  return { first: spans[0]?.first ?? 0, last: spans.at(-1)?.last ?? 0 };
}

/** Live records in the order of their commits, found by where they reach. */
class Shelf {
  readonly records = new Map<RecordId, RecordState>();
  readonly #index = new ExtentIndex<RecordState>();

  add(state: RecordState, extent: Span): void {
    this.records.set(state.record.id, state);
    this.#index.add(state, extent);
  }

  remove(state: RecordState, extent: Span): void {
    if (this.records.delete(state.record.id)) this.#index.remove(state, extent);
  }

  reachingInto(span: Span): Iterable<RecordState> {
    return this.#index.reachingInto(span);
  }
}

/** The live records of one isolation. */
class Isolation {
  readonly views = new Shelf();
  /** Of all its lanes. */
  readonly lanes = new Shelf();
  /** The lane records that lie in no live root view. */
  readonly atRoot = new Shelf();
}

/**
 * The live records of a session by lane and isolation, and which of them the root branches see. What a record costs to
 * put in or to take out follows the records it touches, not those there are.
 */
export class LiveRecords {
  readonly #spansOf: SpansOf;
  readonly #all = new Map<RecordId, RecordState>();
  readonly #ofLane = new Map<LaneKey, Shelf>();
  readonly #isolations = new Map<string, Isolation>();

  constructor(spansOf: SpansOf) {
    this.#spansOf = spansOf;
  }

  has(id: RecordId): boolean {
    return this.#all.has(id);
  }

  /** In the order of their commits. */
  all(): Iterable<RecordState> {
    return this.#all.values();
  }

  /** Puts in the newest. */
  add(state: RecordState): void {
    const { record } = state;
    const extent = extentOf(this.#spansOf(record));
    const isolation = this.#isolation(record.lane.isolation);
    this.#all.set(record.id, state);
    if (record.rootView) {
      isolation.views.add(state, extent);
      const touched = [...isolation.atRoot.reachingInto(extent)];
      for (const other of touched) {
        const reach = extentOf(this.#spansOf(other.record));
        if (this.#isIn(record, reach.first)) isolation.atRoot.remove(other, reach);
      }
      return;
    }
    this.#shelfOf(record.lane).add(state, extent);
    isolation.lanes.add(state, extent);
    if (this.viewAt(record.lane.isolation, extent.first) === null) isolation.atRoot.add(state, extent);
  }

  /** Takes out one that a newer record replaces: a root view by one that holds all that it held. */
  remove(state: RecordState): void {
    const { record } = state;
    if (!this.#all.delete(record.id)) return;
    const extent = extentOf(this.#spansOf(record));
    const isolation = this.#isolation(record.lane.isolation);
    if (record.rootView) {
      isolation.views.remove(state, extent);
      return;
    }
    const shelf = this.#shelfOf(record.lane);
    shelf.remove(state, extent);
    if (shelf.records.size === 0) this.#ofLane.delete(laneKey(record.lane));
    isolation.lanes.remove(state, extent);
    isolation.atRoot.remove(state, extent);
  }

  /** Of one lane, in the order of their commits; no root views. */
  ofLane(lane: Lane): readonly RecordState[] {
    return [...(this.#ofLane.get(laneKey(lane))?.records.values() ?? [])];
  }

  /** The root views of an isolation, newest first. */
  views(isolation: string): readonly RecordState[] {
    return [...(this.#isolations.get(isolation)?.views.records.values() ?? [])].reverse();
  }

  /** The lane records of an isolation that lie in no live root view. */
  atRoot(isolation: string): Iterable<RecordState> {
    return this.#isolations.get(isolation)?.atRoot.records.values() ?? [];
  }

  /** The root view an event of that isolation lies in, or null. */
  viewAt(isolation: string, seq: Seq): RecordState | null {
    return this.#holding(this.#isolations.get(isolation)?.views, seq);
  }

  /** The record of a lane that holds an event of it, or null. */
  laneRecordAt(lane: Lane, seq: Seq): RecordState | null {
    return this.#holding(this.#ofLane.get(laneKey(lane)), seq);
  }

  /** Those of the same scope that reach into a span: they must not share an event with another of it. */
  rivals({ rootView, lane }: Scope, span: Span): Iterable<RecordState> {
    const shelf = rootView ? this.#isolations.get(lane.isolation)?.views : this.#ofLane.get(laneKey(lane));
    return shelf?.reachingInto(span) ?? [];
  }

  /** For a root view the lane records of its isolation that reach into a span, for a lane's record the root views. */
  across({ rootView, lane }: Scope, span: Span): Iterable<RecordState> {
    const isolation = this.#isolations.get(lane.isolation);
    return (rootView ? isolation?.lanes : isolation?.views)?.reachingInto(span) ?? [];
  }

  #holding(shelf: Shelf | undefined, seq: Seq): RecordState | null {
    for (const state of shelf?.reachingInto({ first: seq, last: seq }) ?? []) {
      if (this.#isIn(state.record, seq)) return state;
    }
    return null;
  }

  #isIn(record: CompactionRecord, seq: Seq): boolean {
    return inSpans(this.#spansOf(record), seq);
  }

  #shelfOf(lane: Lane): Shelf {
    const key = laneKey(lane);
    const known = this.#ofLane.get(key);
    if (known !== undefined) return known;
    const shelf = new Shelf();
    this.#ofLane.set(key, shelf);
    return shelf;
  }

  #isolation(name: string): Isolation {
    const known = this.#isolations.get(name);
    if (known !== undefined) return known;
    const isolation = new Isolation();
    this.#isolations.set(name, isolation);
    return isolation;
  }
}
