import type { RecordState } from '../../coverage/record.ts';
import { RecordGraph } from '../../coverage/record-graph.ts';
import type { Spans } from '../../coverage/span.ts';
import type { Count, LaneFacts, RawEvent, View, ViewScope } from '../../coverage/view.ts';
import { visibleRecords, withCounts } from '../../coverage/visible-records.ts';
import type { CheckedDraft } from '../../event/draft.ts';
import { EventConflict } from '../../event/errors.ts';
import type { StoredEvent } from '../../event/event.ts';
import { ExchangeLedger } from '../../event/exchange-ledger.ts';
import type { EventId, InvocationId, LaneKey, Seq, SessionKey } from '../../event/ids.ts';
import type { Invocation } from '../../event/invocation.ts';
import { isRootBranch, type Lane, laneKey, lineage, sameLane, sees } from '../../event/lane.ts';
import { linkDraft } from '../../event/link.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Exchange, ExchangeId } from '../../event/obligation.ts';
import type { Attempt } from '../../plan/attempt.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { opensInvocation } from '../opens-invocation.ts';
import { saysTheSame, sealEvent } from '../seal-event.ts';
import type { SessionInfo } from '../session-store.ts';
import { Uncovered } from './uncovered.ts';

/** How many parked obligations a prompt names. */
export const PARKED_SHOWN = 20;

interface LaneState {
  readonly lane: Lane;
  revision: number;
  readonly seqs: Seq[];
  tokens: number;
  firstUserSeq: Seq | null;
}

interface IsolationState {
  readonly seqs: Seq[];
  tokens: number;
}

/** What an append brings along for events that open an invocation. */
export interface Opening {
  readonly state: 'running' | 'ended';
  readonly leaseExpiresAt: number | null;
}

/** A lease on a lane. */
export interface Lease {
  readonly attempt: Attempt;
  readonly holder: string;
  expiresAt: number;
}

/** One session in memory: the log, and what is derived from it as it grows. Synchronous: each call is one atomic step. */
export class MemorySession {
  readonly key: SessionKey;
  readonly createdAt: string;
  readonly lineage: SessionInfo['lineage'];
  readonly rows: LoggedEvent[] = [];
  readonly attempts: Attempt[] = [];
  readonly leases = new Map<LaneKey, Lease>();
  readonly exchanges = new ExchangeLedger();
  graph: RecordGraph = new RecordGraph([]);
  readonly #byId = new Map<EventId, Seq>();
  readonly #lanes = new Map<LaneKey, LaneState>();
  readonly #isolations = new Map<string, IsolationState>();
  readonly #invocations = new Map<InvocationId, Invocation>();
  readonly #uncovered = new Uncovered();

  constructor(key: SessionKey, createdAt: string, origin: SessionInfo['lineage']) {
    this.key = key;
    this.createdAt = createdAt;
    this.lineage = origin;
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
    const seq = this.rows.length + 1;
    const { event, hash } = sealEvent(draft, link, { seq, id, invocation, now }, counter);
    const lane = this.#laneState(event.lane);
    const isolation = this.#isolationState(event.lane.isolation);
    lane.seqs.push(seq);
    lane.tokens += event.tokens;
    isolation.seqs.push(seq);
    isolation.tokens += event.tokens;
    if (event.role === 'user' && lane.firstUserSeq === null) lane.firstUserSeq = seq;
    this.#noteInvocation(event, opening);
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
    this.#byId.set(id, seq);
    this.#uncovered.append(row);
    return event;
  }

  lane(lane: Lane): LaneState | undefined {
    return this.#lanes.get(laneKey(lane));
  }

  lanes(): readonly LaneState[] {
    return [...this.#lanes.values()];
  }

  /** Raises the revisions a change of these lanes' coverage makes stale; the root's prompt shows every branch. */
  raise(lanes: Iterable<Lane>): void {
    const keys = new Set<LaneKey>();
    for (const lane of lanes) keys.add(laneKey(lane));
    for (const key of keys) {
      const state = this.#lanes.get(key);
      if (state !== undefined) state.revision += 1;
    }
  }

  /** The lane's revision; a lane without events (the root of an isolation that has only branches) is made at need. */
  revisionOf(lane: Lane): number {
    return this.#laneState(lane).revision;
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
    const seqs = everyBranch
      ? this.#isolations.get(lane.isolation)?.seqs
      : this.#lanes.get(laneKey(lane))?.seqs;
    if (seqs === undefined) return 0;
    let total = 0;
    for (const span of spans) total += lowerBound(seqs, span.last + 1) - lowerBound(seqs, span.first);
    return total;
  };

  /** Events in spans, of one lane, or of every branch of its isolation, or of all. */
  inSpans(spans: Spans, lane?: Lane, everyBranch = false): readonly LoggedEvent[] {
    const rows: LoggedEvent[] = [];
    for (const { first, last } of spans) {
      for (let seq = Math.max(1, first); seq <= Math.min(last, this.rows.length); seq += 1) {
        const row = this.rows[seq - 1] as LoggedEvent;
        const fits =
          lane === undefined ||
          (everyBranch ? row.event.lane.isolation === lane.isolation : sameLane(row.event.lane, lane));
        if (fits) rows.push(row);
      }
    }
    return rows;
  }

  /** Takes over a changed set of records and judges the events of the given spans anew. */
  setRecords(states: readonly RecordState[], isolation: string, spans: Spans): void {
    this.graph = new RecordGraph(states);
    this.#uncovered.refresh(this.inSpans(spans, { branch: '', isolation }, true), this.graph);
  }

  setPinned(id: ExchangeId, pinned: boolean): readonly Seq[] {
    const members = this.exchanges.setPinned(id, pinned);
    this.#rewrite(members, { pinned });
    this.raise(this.#lanesOf(members));
    return members;
  }

  view(lane: Lane, scope: ViewScope, now: number): View {
    const state = this.#laneState(lane);
    const raw = this.#rawIn(lane, scope);
    const records = withCounts(this.graph, visibleRecords(this.graph, lane, scope), raw);
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
      revision: state.revision,
      through: { seq: last?.event.seq ?? 0, id: last?.event.id ?? ('' as EventId) },
      total: this.#total(lane, scope),
      invocationCount: this.#invocations.size,
      records,
      raw,
      recovered: this.#recovered(raw, exchanges, lane, scope),
      exchanges,
      invocations,
      parked: this.#parked(raw, lane, scope),
      lanes: this.#laneFacts(raw, state),
    });
  }

  #rawIn(lane: Lane, scope: ViewScope): readonly RawEvent[] {
    if (scope === 'lane') return this.#uncovered.lane(laneKey(lane)).slice();
    if (isRootBranch(lane)) return this.#uncovered.root(lane.isolation).slice();
    return lineage(lane)
      .flatMap((ancestor) => this.#uncovered.lane(laneKey(ancestor)))
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

  #laneFacts(raw: readonly RawEvent[], own: LaneState): View['lanes'] {
    const facts = new Map<LaneKey, LaneFacts>();
    const add = ({ lane, revision, firstUserSeq }: LaneState): void => {
      facts.set(laneKey(lane), { lane, revision, firstUserSeq });
    };
    add(own);
    for (const { event } of raw) if (!facts.has(laneKey(event.lane))) add(this.#laneState(event.lane));
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
        if (isIn(row.event.lane, lane, scope)) recovered.push(row);
      }
    }
    return recovered.sort((a, b) => a.event.seq - b.event.seq);
  }

  #parked(raw: readonly RawEvent[], lane: Lane, scope: ViewScope): View['parked'] {
    const lasting = this.exchanges.lasting();
    if (lasting.length === 0) return { newest: [], total: 0 };
    const shown = new Set(raw.map((row) => row.event.seq));
    const covered = lasting.filter((owed) => !shown.has(owed.seq) && isIn(owed.lane, lane, scope));
    return { newest: covered.slice(-PARKED_SHOWN), total: covered.length };
  }

  #laneState(lane: Lane): LaneState {
    const key = laneKey(lane);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const state: LaneState = { lane, revision: 1, seqs: [], tokens: 0, firstUserSeq: null };
    this.#lanes.set(key, state);
    return state;
  }

  #isolationState(isolation: string): IsolationState {
    const known = this.#isolations.get(isolation);
    if (known !== undefined) return known;
    const state: IsolationState = { seqs: [], tokens: 0 };
    this.#isolations.set(isolation, state);
    return state;
  }

  #noteInvocation(event: StoredEvent, opening: Opening): void {
    const known = this.#invocations.get(event.invocation);
    const base: Invocation = known ?? {
      id: event.invocation,
      ordinal: this.#invocations.size + 1,
      lane: event.lane,
      lanes: [],
      openedBy: null,
      ...opening,
    };
    const newLane = !base.lanes.some((lane) => sameLane(lane, event.lane));
    const opens = base.openedBy === null && opensInvocation(event);
    if (known !== undefined && !newLane && !opens) return;
    this.setInvocation({
      ...base,
      lanes: newLane ? Object.freeze([...base.lanes, event.lane]) : base.lanes,
      openedBy: opens ? event.seq : base.openedBy,
    });
  }

  #rewrite(seqs: readonly Seq[], change: Partial<Pick<LoggedEvent, 'exchange' | 'pinned'>>): void {
    const rows = seqs.map((seq) => {
      const row = Object.freeze({ ...(this.rows[seq - 1] as LoggedEvent), ...change });
      this.rows[seq - 1] = row;
      return row;
    });
    this.#uncovered.refresh(rows, this.graph);
  }

  #lanesOf(seqs: readonly Seq[]): readonly Lane[] {
    const lanes = seqs.map((seq) => (this.rows[seq - 1] as LoggedEvent).event.lane);
    return [...lanes, ...lanes.map((lane) => ({ branch: '', isolation: lane.isolation }))];
  }

  /** The records that cover and read only events up to a seq: those a fork takes along. */
  recordsThrough(seq: Seq): readonly RecordState[] {
    return this.graph.states.filter(({ record }) => {
      const lastRead = record.context.at(-1)?.last ?? 0;
      return this.graph.extent(record).last <= seq && lastRead <= seq;
    });
  }
}

function isIn(lane: Lane, viewLane: Lane, scope: ViewScope): boolean {
  return scope === 'lane' ? sameLane(lane, viewLane) : sees(viewLane, lane);
}

/** An invocation as the store's clock sees it: running past its lease is lost. */
export function asOf(invocation: Invocation, now: number): Invocation {
  const expired =
    invocation.state === 'running' && invocation.leaseExpiresAt !== null && invocation.leaseExpiresAt <= now;
  return expired ? Object.freeze({ ...invocation, state: 'lost', leaseExpiresAt: null }) : invocation;
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
