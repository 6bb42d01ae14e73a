import type { LaneKey, RecordId, Seq } from '../event/ids.ts';
import { type Lane, laneKey, sameLane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import { closeGaps, inSpans, intersectSpans, type Span, type Spans, uniteSpans } from './span.ts';

/** The records whose summaries one was made from, in the order it names them. */
export function namedBy(record: Pick<CompactionRecord, 'supersedes' | 'over'>): readonly RecordId[] {
  return [...record.supersedes, ...record.over];
}

/** What of an event coverage depends on. */
export type CoverageFacts = Pick<LoggedEvent, 'pinned'> & {
  readonly event: Pick<LoggedEvent['event'], 'seq' | 'lane'>;
};

/** Whether events of this lane are ones a record of that lane (or a root view of that isolation) may cover. */
export function inScope(record: Pick<CompactionRecord, 'rootView' | 'lane'>, lane: Lane): boolean {
  return record.rootView ? record.lane.isolation === lane.isolation : sameLane(record.lane, lane);
}

/**
 * The records of a session and how they replace one another: the one place that says what a record covers and which
 * records are live. It grows with {@link add}; build a new one when a mark changes.
 */
export class RecordGraph {
  readonly #states: RecordState[];
  /** The undone ones, in the order of their commits. */
  readonly undone: readonly RecordState[];
  readonly #byId = new Map<RecordId, RecordState>();
  readonly #supersededBy = new Map<RecordId, RecordState[]>();
  /** By a record's id, where in `undone` those stand that were made from its summary. */
  readonly #undoneNaming = new Map<RecordId, number[]>();
  readonly #fullSpans = new Map<RecordId, Spans>();
  readonly #live = new Map<RecordId, RecordState>();
  readonly #liveViews = new Map<string, RecordState[]>();
  readonly #liveOfLane = new Map<LaneKey, RecordState[]>();
  /** Once asked for: see {@link outsideViews}. */
  readonly #outsideViews = new Map<string, RecordState[]>();

  /**
   * `states` in the order of their commits. A store that keeps what each record covers may leave out those superseded:
   * `fullSpans` then says it, in any spans that hold the same events.
   */
  constructor(states: readonly RecordState[], fullSpans?: ReadonlyMap<RecordId, Spans>) {
    this.#states = [...states];
    for (const [id, spans] of fullSpans ?? []) this.#fullSpans.set(id, spans);
    this.undone = states.filter((state) => state.undone);
    for (const state of states) this.#byId.set(state.record.id, state);
    for (const state of states) {
      for (const replaced of state.record.supersedes) {
        append(this.#supersededBy, replaced, state);
      }
    }
    for (const [at, state] of this.undone.entries()) {
      for (const named of namedBy(state.record)) append(this.#undoneNaming, named, at);
    }
    this.#findLive();
  }

  /** In the order of their commits. */
  get states(): readonly RecordState[] {
    return this.#states;
  }

  /**
   * Takes in a record that was just committed, with what it replaces live until now: costs what is live beside it, never
   * what once was.
   */
  add(state: RecordState): void {
    const { record } = state;
    this.#states.push(state);
    this.#byId.set(record.id, state);
    const spans = this.fullSpans(record);
    for (const id of record.supersedes) {
      append(this.#supersededBy, id, state);
      this.#retire(id);
      // Kept for what is live only: each merge holds all that the ones below it hold.
      this.#fullSpans.delete(id);
    }
    if (record.rootView) {
      const { isolation } = record.lane;
      for (const { record: older } of this.liveRootViews(isolation))
        if (this.overlap(record, older)) this.#retire(older.id);
      this.#liveViews.set(isolation, [state, ...this.liveRootViews(isolation)]);
      const outside = this.#outsideViews.get(isolation);
      // A lane record lies wholly inside a root view or outside it: its first event tells.
      const stillOutside = outside?.filter((other) => !inSpans(spans, this.extent(other.record).first));
      if (stillOutside !== undefined) this.#outsideViews.set(isolation, stillOutside);
    } else {
      append(this.#liveOfLane, laneKey(record.lane), state);
      const { isolation } = record.lane;
      if (this.rootViewAt(isolation, this.extent(record).first) === null)
        this.#outsideViews.get(isolation)?.push(state);
    }
    this.#live.set(record.id, state);
  }

  /** The same graph but for one record's mark. */
  with(changed: RecordState): RecordGraph {
    const states = this.states.map((state) => (state.record.id === changed.record.id ? changed : state));
    return new RecordGraph(states, this.#fullSpans);
  }

  get(id: RecordId): RecordState | undefined {
    return this.#byId.get(id);
  }

  /** Not undone, not superseded by a record that is neither, and, for a root view, overlapping no newer live one. */
  isLive(id: RecordId): boolean {
    return this.#live.has(id);
  }

  /** Live records in the order of their commits. */
  live(): Iterable<RecordState> {
    return this.#live.values();
  }

  /** All spans a record covers, itself and through what it supersedes. */
  fullSpans(record: CompactionRecord): Spans {
    const known = this.#fullSpans.get(record.id);
    if (known !== undefined) return known;
    const lists: Spans[] = [];
    // No recursion: a rolling summary's chain is as long as its session.
    const pending = [record];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const whole = this.#fullSpans.get(next.id);
      lists.push(whole ?? next.spans);
      if (whole !== undefined) continue;
      for (const id of next.supersedes) {
        const below = this.#byId.get(id);
        if (below !== undefined) pending.push(below.record);
      }
    }
    const spans = lists.length === 1 ? record.spans : closeGaps(uniteSpans(lists), () => false);
    this.#fullSpans.set(record.id, spans);
    return spans;
  }

  /** The one definition of coverage: in the record's lane (a root view: its isolation), inside a span, and not pinned. */
  covers(record: CompactionRecord, event: CoverageFacts): boolean {
    return !event.pinned && this.holds(record, event.event);
  }

  /** Coverage but for pins: whether the record would cover the event if it were not pinned. */
  holds(record: CompactionRecord, event: CoverageFacts['event']): boolean {
    return inScope(record, event.lane) && inSpans(this.fullSpans(record), event.seq);
  }

  /** The first and last seq a record covers. */
  extent(record: CompactionRecord): Span {
    const spans = this.fullSpans(record);
    return { first: spans[0]?.first ?? 0, last: spans.at(-1)?.last ?? 0 };
  }

  /** The records that replace one, directly or through others, and are not undone. */
  supersedersOf(id: RecordId): readonly RecordState[] {
    const found = new Map<RecordId, RecordState>();
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const state of this.#supersededBy.get(next) ?? []) {
        if (found.has(state.record.id)) continue;
        found.set(state.record.id, state);
        pending.push(state.record.id);
      }
    }
    return [...found.values()].filter((state) => !state.undone);
  }

  /** The undone records that were made from the summary of one of these, in the order of their commits. */
  undoneNaming(ids: Iterable<RecordId>): readonly RecordState[] {
    const found = new Set<number>();
    for (const id of ids) for (const at of this.#undoneNaming.get(id) ?? []) found.add(at);
    return [...found].sort((a, b) => a - b).map((at) => this.undone[at] as RecordState);
  }

  /** The records one replaces, directly and through others. */
  supersededBy(record: CompactionRecord): ReadonlySet<RecordId> {
    const found = new Set<RecordId>();
    const pending = [...record.supersedes];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      pending.push(...(this.#byId.get(next)?.record.supersedes ?? []));
    }
    return found;
  }

  /** The live root view an event of that isolation lies in, or null. */
  rootViewAt(isolation: string, seq: Seq): RecordState | null {
    for (const state of this.liveRootViews(isolation)) {
      if (inSpans(this.fullSpans(state.record), seq)) return state;
    }
    return null;
  }

  /** The live record of a lane that holds an event of it, or null. */
  laneRecordAt(lane: Lane, seq: Seq): RecordState | null {
    const holds = ({ record }: RecordState): boolean => inSpans(this.fullSpans(record), seq);
    // They are disjoint, and what is asked for is most often new.
    return this.liveOfLane(lane).findLast(holds) ?? null;
  }

  /** The live records of one lane in the order of their commits; no root views. */
  liveOfLane(lane: Lane): readonly RecordState[] {
    return this.#liveOfLane.get(laneKey(lane)) ?? [];
  }

  /** The live lane records of an isolation that lie in no live root view, in the order of their commits. */
  outsideViews(isolation: string): readonly RecordState[] {
    const known = this.#outsideViews.get(isolation);
    if (known !== undefined) return known;
    const outside: RecordState[] = [];
    for (const state of this.#live.values()) {
      const { record } = state;
      if (record.rootView || record.lane.isolation !== isolation) continue;
      if (this.rootViewAt(isolation, this.extent(record).first) === null) outside.push(state);
    }
    this.#outsideViews.set(isolation, outside);
    return outside;
  }

  /** The live root views of an isolation, newest first. */
  liveRootViews(isolation: string): readonly RecordState[] {
    return this.#liveViews.get(isolation) ?? [];
  }

  /** Whether two records of one scope share an event: exact, since spans end on events of their scope. */
  overlap(a: CompactionRecord, b: CompactionRecord): boolean {
    return intersectSpans(this.fullSpans(a), this.fullSpans(b)).length > 0;
  }

  /** The records that cover and read, and whose superseded ones cover and read, only events up to a seq: a fork takes those. */
  through(seq: Seq): readonly RecordState[] {
    const kept = new Set<RecordId>();
    return this.states.filter(({ record }) => {
      const last = Math.max(record.spans.at(-1)?.last ?? 0, record.context.at(-1)?.last ?? 0);
      if (last > seq || !record.supersedes.every((id) => kept.has(id))) return false;
      kept.add(record.id);
      return true;
    });
  }

  /** No longer live. */
  #retire(id: RecordId): void {
    const state = this.#live.get(id);
    if (state === undefined) return;
    this.#live.delete(id);
    const { lane, rootView } = state.record;
    if (rootView) {
      remove(this.#liveViews, lane.isolation, state);
    } else {
      remove(this.#liveOfLane, laneKey(lane), state);
      remove(this.#outsideViews, lane.isolation, state);
    }
  }

  #findLive(): void {
    // What supersedes a record was committed after it, so one pass from the newest knows every superseder's fate.
    const replaced = new Set<RecordId>();
    const standing: RecordState[] = [];
    for (const state of this.states.toReversed()) {
      const { record, undone } = state;
      const isReplaced = replaced.has(record.id);
      if (!undone || isReplaced) for (const id of record.supersedes) replaced.add(id);
      if (undone || isReplaced || (record.rootView && this.#isHidden(record))) continue;
      standing.push(state);
      if (record.rootView) append(this.#liveViews, record.lane.isolation, state);
    }
    for (const state of standing.toReversed()) {
      const { record } = state;
      this.#live.set(record.id, state);
      if (!record.rootView) append(this.#liveOfLane, laneKey(record.lane), state);
    }
  }

  /** A root view is hidden by any newer live one it overlaps; those are known already, newest first. */
  #isHidden(record: CompactionRecord): boolean {
    return this.liveRootViews(record.lane.isolation).some((newer) => this.overlap(newer.record, record));
  }
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function remove<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list !== undefined)
    lists.set(
      key,
      list.filter((other) => other !== item),
    );
}
