import type { RecordId, Seq } from '../event/ids.ts';
import { type Lane, sameLane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { ExtentIndex } from './extent-index.ts';
import { extentOf, LiveRecords, type Scope } from './live-records.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import { closeGaps, inSpans, type Span, type Spans, spansMeet, uniteSpans } from './span.ts';

/** The records whose summaries one was made from, in the order it names them. */
export function namedBy(record: Pick<CompactionRecord, 'supersedes' | 'over'>): readonly RecordId[] {
  return [...record.supersedes, ...record.over];
}

/** What of an event coverage depends on. */
export type CoverageFacts = Pick<LoggedEvent, 'pinned'> & {
  readonly event: Pick<LoggedEvent['event'], 'seq' | 'lane'>;
};

/** Counts the events of a lane, or of every branch of its isolation, inside spans. */
export type CountInSpans = (lane: Lane, everyBranch: boolean, spans: Spans) => number;

/** Whether events of this lane are ones a record of that lane (or a root view of that isolation) may cover. */
export function inScope(record: Scope, lane: Lane): boolean {
  return record.rootView ? record.lane.isolation === lane.isolation : sameLane(record.lane, lane);
}

/** What spares a graph work; with neither it is right all the same. */
export interface GraphFacts {
  /**
   * What records cover, themselves and through what they supersede, in any spans that hold the same events. Records
   * superseded may then be left out of the graph.
   */
  readonly fullSpans?: ReadonlyMap<RecordId, Spans>;
  /** Spans with no event of their scope between them become one, so that a merge of many has few. */
  readonly count?: CountInSpans;
}

/**
 * The records of a session and how they replace one another: the one place that says what a record covers and which
 * records are live. It takes in what is committed; build a new one when a mark changes.
 */
export class RecordGraph {
  readonly #states: RecordState[];
  readonly #facts: GraphFacts;
  /** The undone ones, in the order of their commits. */
  readonly undone: readonly RecordState[];
  readonly #byId = new Map<RecordId, RecordState>();
  readonly #supersededBy = new Map<RecordId, RecordState[]>();
  /** By a record's id, where in `undone` those stand that were made from its summary. */
  readonly #undoneNaming = new Map<RecordId, number[]>();
  readonly #fullSpans: Map<RecordId, Spans>;
  readonly #live: LiveRecords = new LiveRecords((record) => this.fullSpans(record));

  /** `states` in the order of their commits. */
  constructor(states: readonly RecordState[], facts: GraphFacts = {}) {
    this.#states = [...states];
    this.#facts = facts;
    this.#fullSpans = new Map(facts.fullSpans);
    this.undone = states.filter((state) => state.undone);
    for (const state of states) this.#name(state);
    for (const [at, state] of this.undone.entries()) {
      for (const named of namedBy(state.record)) append(this.#undoneNaming, named, at);
    }
    for (const state of this.#standing()) this.#live.add(state);
  }

  /** In the order of their commits. */
  get states(): readonly RecordState[] {
    return this.#states;
  }

  /**
   * Takes in a record that may be committed (see `commitRefusal`): it is live and what it supersedes is not. Nothing
   * else changes, since it touches no other live record of its scope.
   */
  add(record: CompactionRecord): void {
    const state = Object.freeze({ record, undone: false });
    this.#states.push(state);
    this.#name(state);
    for (const id of record.supersedes) {
      const replaced = this.#byId.get(id);
      if (replaced !== undefined) this.#live.remove(replaced);
    }
    this.#live.add(state);
    // A merge holds all that those below it hold: kept for what is live, this takes no more than that.
    for (const id of record.supersedes) this.#fullSpans.delete(id);
  }

  /** The same graph but for one record's mark. */
  with(changed: RecordState): RecordGraph {
    const states = this.states.map((state) => (state.record.id === changed.record.id ? changed : state));
    return new RecordGraph(states, { ...this.#facts, fullSpans: this.#fullSpans });
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
    return this.#live.all();
  }

  /** All spans a record covers, itself and through what it supersedes. */
  fullSpans(record: CompactionRecord): Spans {
    const known = this.#fullSpans.get(record.id);
    if (known !== undefined) return known;
    const lists: Spans[] = [];
    // No recursion: a rolling summary's chain is as long as its session.
    const reached = new Set([record.id]);
    const pending = [record];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const whole = this.#fullSpans.get(next.id);
      lists.push(whole ?? next.spans);
      if (whole !== undefined) continue;
      for (const id of next.supersedes) {
        const below = reached.has(id) ? undefined : this.#byId.get(id);
        reached.add(id);
        if (below !== undefined) pending.push(below.record);
      }
    }
    const spans = lists.length === 1 ? record.spans : this.#unite(record, lists);
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

  /** The records that hold an event, themselves or through what they supersede, in the order of their commits. */
  holdersOf({ seq, lane }: CoverageFacts['event']): ReadonlySet<RecordId> {
    const holders = new Set<RecordId>();
    for (const { record } of this.#states) {
      const holds = inSpans(record.spans, seq) || record.supersedes.some((id) => holders.has(id));
      if (holds && inScope(record, lane)) holders.add(record.id);
    }
    return holders;
  }

  /** The first and last seq a record covers. */
  extent(record: CompactionRecord): Span {
    return extentOf(this.fullSpans(record));
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
    return this.#live.viewAt(isolation, seq);
  }

  /** The live record of a lane that holds an event of it, or null. */
  laneRecordAt(lane: Lane, seq: Seq): RecordState | null {
    return this.#live.laneRecordAt(lane, seq);
  }

  /** The live records of one lane in the order of their commits; no root views. */
  liveOfLane(lane: Lane): readonly RecordState[] {
    return this.#live.ofLane(lane);
  }

  /** The live root views of an isolation, newest first. */
  liveRootViews(isolation: string): readonly RecordState[] {
    return this.#live.views(isolation);
  }

  /** What the root branch of an isolation sees: the live root views and the live lane records that lie in none. */
  seenAtRoot(isolation: string): readonly RecordState[] {
    return [...this.#live.views(isolation), ...this.#live.atRoot(isolation)];
  }

  /** The live records of the same scope that reach into a span: of one lane, or the root views of one isolation. */
  rivals(scope: Scope, span: Span): Iterable<RecordState> {
    return this.#live.rivals(scope, span);
  }

  /** Those a record lies across if it shares some of its events with one: for a root view lane records, and the reverse. */
  across(scope: Scope, span: Span): Iterable<RecordState> {
    return this.#live.across(scope, span);
  }

  /** The records that cover and read, and that were made from ones that cover and read, only events up to a seq: a fork takes those. */
  through(seq: Seq): readonly RecordState[] {
    const kept = new Set<RecordId>();
    return this.states.filter(({ record }) => {
      const last = Math.max(record.spans.at(-1)?.last ?? 0, record.context.at(-1)?.last ?? 0);
      if (last > seq || !namedBy(record).every((id) => kept.has(id))) return false;
      kept.add(record.id);
      return true;
    });
  }

  #name(state: RecordState): void {
    this.#byId.set(state.record.id, state);
    for (const replaced of state.record.supersedes) append(this.#supersededBy, replaced, state);
  }

  #unite(record: CompactionRecord, lists: readonly Spans[]): Spans {
    const { count } = this.#facts;
    const isEmpty = (gap: Span): boolean =>
      count !== undefined && count(record.lane, record.rootView, [gap]) === 0;
    return closeGaps(uniteSpans(lists), isEmpty);
  }

  /** The live records in the order of their commits. */
  #standing(): readonly RecordState[] {
    // What supersedes a record was committed after it, so one pass from the newest knows every superseder's fate.
    const replaced = new Set<RecordId>();
    const views = new Map<string, ExtentIndex<CompactionRecord>>();
    const standing: RecordState[] = [];
    for (const state of this.#states.toReversed()) {
      const { record, undone } = state;
      const isReplaced = replaced.has(record.id);
      if (!undone || isReplaced) for (const id of record.supersedes) replaced.add(id);
      if (undone || isReplaced) continue;
      if (record.rootView) {
        const newer = views.get(record.lane.isolation) ?? new ExtentIndex();
        if (this.#meetsOneOf(newer, record)) continue;
        newer.add(record, this.extent(record));
        views.set(record.lane.isolation, newer);
      }
      standing.push(state);
    }
    return standing.reverse();
  }

  /** A root view is hidden by any newer live one it overlaps: exact, since spans end on events of their scope. */
  #meetsOneOf(views: ExtentIndex<CompactionRecord>, record: CompactionRecord): boolean {
    for (const newer of views.reachingInto(this.extent(record))) {
      if (spansMeet(this.fullSpans(newer), this.fullSpans(record))) return true;
    }
    return false;
  }
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
