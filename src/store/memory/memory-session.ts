import { partedOf } from '../../coverage/parted.ts';
import type { CompactionRecord, RecordState } from '../../coverage/record.ts';
import { RecordGraph } from '../../coverage/record-graph.ts';
import { type Placed, type Spans, spansOf } from '../../coverage/span.ts';
import type { Count, LaneFacts, RawEvent, View, ViewScope } from '../../coverage/view.ts';
import { inView, lanesIn, PARKED_SHOWN } from '../../coverage/view-scope.ts';
import { visibleRecords, withCounts } from '../../coverage/visible-records.ts';
import type { CheckedDraft } from '../../event/draft.ts';
import { EventConflict } from '../../event/errors.ts';
import type { StoredEvent } from '../../event/event.ts';
import { ExchangeLedger } from '../../event/exchange-ledger.ts';
import type { EventId, InvocationId, LaneKey, Seq, SessionKey } from '../../event/ids.ts';
import type { Invocation } from '../../event/invocation.ts';
import { isRootBranch, type Lane, laneKey, lineage, sees } from '../../event/lane.ts';
import { type Link, linkDraft } from '../../event/link.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Exchange, ExchangeId } from '../../event/obligation.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { asOf, noteEvent, type Opening } from '../note-invocation.ts';
import { saysTheSame, sealEvent } from '../seal-event.ts';
import { bestMatches, MOST_PER_TERM } from '../search/best-matches.ts';
import type { SearchRequest, SearchResult, SessionInfo } from '../session-store.ts';
import { AttemptLedger } from './attempt-ledger.ts';
import { TermIndex } from './term-index.ts';
import { Uncovered } from './uncovered.ts';

/** The revision a lane begins with, whether or not it has events yet. */
const FIRST_REVISION = 1;

interface LaneState {
  readonly lane: Lane;
  revision: number;
  readonly seqs: Seq[];
  tokens: number;
  firstUserSeq: Seq | null;
}

/** The live records of a view, and what is derived from them. */
interface VisibleRecords extends Pick<View, 'records' | 'parted'> {
  readonly visible: readonly CompactionRecord[];
}

interface IsolationState {
  readonly seqs: Seq[];
  tokens: number;
}

/** One session in memory: the log, and what is derived from it as it grows. Synchronous: each call is one atomic step. */
export class MemorySession {
  readonly key: SessionKey;
  readonly createdAt: string;
  readonly lineage: SessionInfo['lineage'];
  readonly rows: LoggedEvent[] = [];
  readonly attempts: AttemptLedger = new AttemptLedger();
  readonly exchanges: ExchangeLedger = new ExchangeLedger();
  readonly #links: Link[] = [];
  readonly #byId = new Map<EventId, Seq>();
  readonly #lanes = new Map<LaneKey, LaneState>();
  readonly #isolations = new Map<string, IsolationState>();
  readonly #invocations = new Map<InvocationId, Invocation>();
  readonly #uncovered = new Uncovered();
  readonly #terms = new TermIndex();
  /** What views were shown since records or pins last changed, by scope and lane. */
  readonly #visible = new Map<string, VisibleRecords>();
  #graph: RecordGraph;

  constructor(key: SessionKey, createdAt: string, origin: SessionInfo['lineage']) {
    this.key = key;
    this.createdAt = createdAt;
    this.lineage = origin;
    this.#graph = new RecordGraph([], { count: this.count });
  }

  /** Changes only by {@link addRecord}, {@link markRecord} and {@link adoptRecords}. */
  get graph(): RecordGraph {
    return this.#graph;
  }

  byId(id: EventId): LoggedEvent | null {
    const seq = this.#byId.get(id);
    return seq === undefined ? null : (this.rows[seq - 1] ?? null);
  }

  /** The stored event when a draft of its id says the same, null when the id is new. */
  known(draft: CheckedDraft): StoredEvent | null {
    const row = draft.id === null ? null : this.byId(draft.id as EventId);
    if (row === null) return null;
    if (!saysTheSame(draft, row.event, row.hash)) throw new EventConflict(row.event.id);
    return row.event;
  }

  add(draft: CheckedDraft, id: EventId, now: string, counter: TokenCounter, opening: Opening): StoredEvent {
    const invocation = (draft.invocation ?? `turn:${id}`) as InvocationId;
    const link = linkDraft(draft, id, invocation, this.exchanges);
    const { event, hash } = sealEvent(
      draft,
      link,
      { seq: this.rows.length + 1, id, invocation, now },
      counter,
    );
    this.#store(event, hash, link, opening);
    return event;
  }

  /** Takes over the first events of another session, linked as they were when they were appended there. */
  copyEvents(source: MemorySession, throughSeq: Seq): void {
    for (const { event, hash } of source.rows.slice(0, throughSeq)) {
      const link = source.#links[event.seq - 1] as Link;
      this.#store(event, hash, link, { state: 'ended', leaseExpiresAt: null });
    }
    for (const { event, pinned } of source.rows.slice(0, throughSeq)) {
      const copy = this.rows[event.seq - 1];
      if (pinned && copy?.pinned === false) this.setPinned(copy.exchange, true);
    }
    for (const state of this.#lanes.values()) state.revision = source.revisionOf(state.lane) + 1;
  }

  #store(event: StoredEvent, hash: string, link: Link, opening: Opening): void {
    const { seq } = event;
    const lane = this.#laneState(event.lane);
    const isolation = this.#isolationState(event.lane.isolation);
    lane.seqs.push(seq);
    lane.tokens += event.tokens;
    isolation.seqs.push(seq);
    isolation.tokens += event.tokens;
    if (event.role === 'user' && lane.firstUserSeq === null) lane.firstUserSeq = seq;
    const known = this.#invocations.get(event.invocation);
    this.setInvocation(noteEvent(known, event, opening, this.#invocations.size));
    const { exchange, moved, newlyPinned } = this.exchanges.add(event, link);
    this.#rewrite(moved, { exchange: exchange.id, pinned: exchange.pinned });
    this.raise(this.#lanesOf(newlyPinned));
    const row: LoggedEvent = Object.freeze({
      event,
      exchange: exchange.id,
      pinned: exchange.pinned,
      laneOrdinal: lane.seqs.length,
      isolationOrdinal: isolation.seqs.length,
      hash,
    });
    this.rows.push(row);
    this.#links.push(link);
    this.#byId.set(event.id, seq);
    this.#uncovered.append(row);
  }

  lane(lane: Lane): LaneState | undefined {
    return this.#lanes.get(laneKey(lane));
  }

  /** The lanes that have events, in the order they appeared. */
  lanes(): readonly LaneState[] {
    return [...this.#lanes.values()]
      .filter((state) => state.seqs.length > 0)
      .sort((a, b) => (a.seqs[0] as Seq) - (b.seqs[0] as Seq));
  }

  /** Raises the revisions a change of these lanes' coverage makes stale; the root's prompt shows every branch. */
  raise(lanes: Iterable<Lane>): void {
    const states = new Set<LaneState>();
    for (const lane of lanes) states.add(this.#laneState(lane));
    for (const state of states) state.revision += 1;
  }

  revisionOf(lane: Lane): number {
    return this.#lanes.get(laneKey(lane))?.revision ?? FIRST_REVISION;
  }

  invocation(id: InvocationId): Invocation | undefined {
    return this.#invocations.get(id);
  }

  invocations(now: number): readonly Invocation[] {
    return [...this.#invocations.values()].map((invocation) => asOf(invocation, now));
  }

  setInvocation(invocation: Invocation): void {
    this.#invocations.set(invocation.id, Object.freeze(invocation));
  }

  get invocationCount(): number {
    return this.#invocations.size;
  }

  count = (lane: Lane, everyBranch: boolean, spans: Spans): number => {
    const seqs = this.#seqsOf(lane, everyBranch);
    return spans.reduce(
      (sum, { first, last }) => sum + lowerBound(seqs, last + 1) - lowerBound(seqs, first),
      0,
    );
  };

  /** Events in spans, in seq order. */
  inSpans(spans: Spans): readonly LoggedEvent[] {
    return spans.flatMap(({ first, last }) => this.rows.slice(Math.max(0, first - 1), Math.max(0, last)));
  }

  /** Events in spans, of one lane or of every branch of its isolation, in seq order. */
  inScope(lane: Lane, everyBranch: boolean, spans: Spans): readonly LoggedEvent[] {
    const seqs = this.#seqsOf(lane, everyBranch);
    return spans.flatMap(({ first, last }) =>
      seqs
        .slice(lowerBound(seqs, first), lowerBound(seqs, last + 1))
        .map((seq) => this.rows[seq - 1] as LoggedEvent),
    );
  }

  /** The events of a lane before one, newest first. */
  *newestFirst(lane: Lane, before: Seq): Iterable<LoggedEvent> {
    const seqs = this.#seqsOf(lane, false);
    for (let at = lowerBound(seqs, before) - 1; at >= 0; at -= 1) {
      yield this.rows[(seqs[at] as Seq) - 1] as LoggedEvent;
    }
  }

  #seqsOf(lane: Lane, everyBranch: boolean): readonly Seq[] {
    const owner = everyBranch ? this.#isolations.get(lane.isolation) : this.#lanes.get(laneKey(lane));
    return owner?.seqs ?? [];
  }

  /** The events that lane records hold, as spans of their isolation. */
  spansAtRoot(records: readonly CompactionRecord[]): { readonly spans: Spans; readonly members: number } {
    const held = new Map<Seq, Placed>();
    for (const record of records) {
      const spans = this.#graph.fullSpans(record);
      for (const { event, isolationOrdinal } of this.inScope(record.lane, false, spans)) {
        held.set(event.seq, { seq: event.seq, ordinal: isolationOrdinal });
      }
    }
    const placed = [...held.values()].sort((a, b) => a.seq - b.seq);
    return Object.freeze({ spans: Object.freeze(spansOf(placed)), members: placed.length });
  }

  /** Takes in a record that may be committed. What it supersedes covered its events before: only its own are judged anew. */
  addRecord(record: CompactionRecord): void {
    this.#graph.add(record);
    this.#visible.clear();
    this.#uncovered.refresh(this.inScope(record.lane, record.rootView, record.spans), this.#graph);
    this.raise([record.lane]);
  }

  /** Marks a record undone, or no longer so. */
  markRecord({ record }: RecordState, undone: boolean): void {
    this.#graph = this.#graph.with(Object.freeze({ record, undone }));
    this.#visible.clear();
    const spans = this.#graph.fullSpans(record);
    this.#uncovered.refresh(this.inScope(record.lane, record.rootView, spans), this.#graph);
    this.raise([record.lane]);
  }

  /** Takes over records with the events they cover, which are all there are. */
  adoptRecords(states: readonly RecordState[]): void {
    this.#graph = new RecordGraph(states, { count: this.count });
    this.#visible.clear();
    this.#uncovered.refresh(this.rows, this.#graph);
  }

  setPinned(id: ExchangeId, pinned: boolean): readonly Seq[] {
    const members = this.exchanges.setPinned(id, pinned);
    this.#rewrite(members, { pinned });
    this.raise(this.#lanesOf(members));
    return members;
  }

  search({ lane, text, limit }: SearchRequest): SearchResult {
    this.#terms.catchUp(this.rows);
    const raw = new Set(this.#rawIn(lane, 'reader').map((row) => row.event.seq));
    const isCovered = (seq: Seq): boolean =>
      !raw.has(seq) && sees(lane, (this.rows[seq - 1] as LoggedEvent).event.lane);
    const best = bestMatches(text, {
      covered: this.#total(lane, 'reader').events - raw.size,
      holding: (term) =>
        newestOf(this.#terms.holding(term), isCovered).map(
          (seq) => (this.rows[seq - 1] as LoggedEvent).event,
        ),
    });
    const events = best.slice(0, Math.max(0, limit)).map((seq) => this.rows[seq - 1] as LoggedEvent);
    return Object.freeze({ events: Object.freeze(events), matches: best.length });
  }

  view(lane: Lane, scope: ViewScope, now: number): View {
    const raw = this.#rawIn(lane, scope);
    const { visible, records, parted } = this.#recordsIn(lane, scope, raw);
    const exchanges = new Map<ExchangeId, Exchange>();
    const invocations = new Map<InvocationId, Invocation>();
    const addInvocation = (id: InvocationId): void => {
      const invocation = this.#invocations.get(id);
      if (invocation !== undefined && !invocations.has(id)) invocations.set(id, asOf(invocation, now));
    };
    for (const row of raw) {
      addInvocation(row.event.invocation);
      if (exchanges.has(row.exchange)) continue;
      const exchange = this.exchanges.get(row.exchange) as Exchange;
      exchanges.set(row.exchange, exchange);
      addInvocation(exchange.invocation);
      for (const obligation of exchange.open) addInvocation(obligation.invocation);
    }
    const last = this.rows.at(-1);
    return Object.freeze({
      scope,
      lane,
      revision: this.revisionOf(lane),
      through: { seq: last?.event.seq ?? 0, id: last?.event.id ?? ('' as EventId) },
      total: this.#total(lane, scope),
      invocationCount: this.#invocations.size,
      records,
      raw,
      recovered: this.#recovered(raw, exchanges, lane, scope),
      exchanges,
      invocations,
      parked: this.#parked(raw, lane, scope),
      parted,
      lanes: this.#laneFacts(lane, raw, visible),
    });
  }

  #recordsIn(lane: Lane, scope: ViewScope, raw: readonly RawEvent[]): VisibleRecords {
    const key = `${scope}\u0000${laneKey(lane)}`;
    const known = this.#visible.get(key);
    if (known !== undefined) return known;
    const visible = visibleRecords(this.#graph, lane, scope);
    const records = Object.freeze(withCounts(this.#graph, visible, raw));
    const found = { visible, records, parted: partedOf(this.#graph, visible) };
    this.#visible.set(key, found);
    return found;
  }

  #rawIn(lane: Lane, scope: ViewScope): readonly RawEvent[] {
    if (scope === 'lane') return this.#uncovered.lane(lane, this.#graph).slice();
    if (isRootBranch(lane)) return this.#uncovered.root(lane.isolation).slice();
    return lineage(lane)
      .flatMap((ancestor) => this.#uncovered.lane(ancestor, this.#graph))
      .sort((a, b) => a.event.seq - b.event.seq);
  }

  #total(lane: Lane, scope: ViewScope): Count {
    if (scope === 'reader' && isRootBranch(lane)) {
      const isolation = this.#isolations.get(lane.isolation);
      return { events: isolation?.seqs.length ?? 0, tokens: isolation?.tokens ?? 0 };
    }
    let events = 0;
    let tokens = 0;
    for (const inScope of scope === 'lane' ? [lane] : lineage(lane)) {
      const state = this.#lanes.get(laneKey(inScope));
      events += state?.seqs.length ?? 0;
      tokens += state?.tokens ?? 0;
    }
    return { events, tokens };
  }

  #laneFacts(own: Lane, raw: readonly RawEvent[], records: readonly CompactionRecord[]): View['lanes'] {
    const facts = new Map<LaneKey, LaneFacts>();
    for (const [key, lane] of lanesIn(own, raw, records)) {
      const firstUserSeq = this.#lanes.get(key)?.firstUserSeq ?? null;
      facts.set(key, { lane, revision: this.revisionOf(lane), firstUserSeq });
    }
    return facts;
  }

  #recovered(
    raw: readonly RawEvent[],
    exchanges: ReadonlyMap<ExchangeId, Exchange>,
    lane: Lane,
    scope: ViewScope,
  ): readonly LoggedEvent[] {
    const shown = new Set(raw.map((row) => row.event.seq));
    const recovered: LoggedEvent[] = [];
    for (const exchange of exchanges.values()) {
      if (exchange.members.length === 1) continue;
      for (const seq of exchange.members) {
        if (shown.has(seq)) continue;
        const row = this.rows[seq - 1] as LoggedEvent;
        if (inView(lane, scope, row.event.lane)) recovered.push(row);
      }
    }
    return recovered.sort((a, b) => a.event.seq - b.event.seq);
  }

  #parked(raw: readonly RawEvent[], lane: Lane, scope: ViewScope): View['parked'] {
    const lasting = this.exchanges.lasting();
    if (lasting.length === 0) return { newest: [], total: 0 };
    const shown = new Set(raw.map((row) => row.event.seq));
    const covered = lasting.filter((owed) => !shown.has(owed.seq) && inView(lane, scope, owed.lane));
    return { newest: covered.slice(-PARKED_SHOWN), total: covered.length };
  }

  #laneState(lane: Lane): LaneState {
    const key = laneKey(lane);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const state: LaneState = { lane, revision: FIRST_REVISION, seqs: [], tokens: 0, firstUserSeq: null };
    this.#lanes.set(key, state);
    // What changes a branch may change the root's revision, so the root is there from the first.
    if (!isRootBranch(lane)) this.#laneState({ branch: '', isolation: lane.isolation });
    return state;
  }

  #isolationState(isolation: string): IsolationState {
    const known = this.#isolations.get(isolation);
    if (known !== undefined) return known;
    const state: IsolationState = { seqs: [], tokens: 0 };
    this.#isolations.set(isolation, state);
    return state;
  }

  #rewrite(seqs: readonly Seq[], change: Partial<Pick<LoggedEvent, 'exchange' | 'pinned'>>): void {
    const rows = seqs.map((seq) => {
      const before = this.rows[seq - 1] as LoggedEvent;
      const row = Object.freeze({ ...before, ...change });
      if (row.pinned !== before.pinned) this.#visible.clear();
      this.rows[seq - 1] = row;
      return row;
    });
    this.#uncovered.refresh(rows, this.#graph);
  }

  #lanesOf(seqs: readonly Seq[]): readonly Lane[] {
    const lanes = seqs.map((seq) => (this.rows[seq - 1] as LoggedEvent).event.lane);
    return [...lanes, ...lanes.map((lane) => ({ branch: '', isolation: lane.isolation }))];
  }
}

function lowerBound(seqs: readonly Seq[], seq: Seq): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] as Seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The newest that are wanted, newest first, as many as a search looks at. */
function newestOf(seqs: readonly Seq[], isWanted: (seq: Seq) => boolean): readonly Seq[] {
  const newest: Seq[] = [];
  for (let at = seqs.length - 1; at >= 0 && newest.length < MOST_PER_TERM; at -= 1) {
    const seq = seqs[at] as Seq;
    if (isWanted(seq)) newest.push(seq);
  }
  return newest;
}
