import { judge } from '../coverage/judge.ts';
import { partedOf } from '../coverage/parted.ts';
import type { CompactionRecord, RecordState } from '../coverage/record.ts';
import { inScope, RecordGraph } from '../coverage/record-graph.ts';
import { type Spans, spansOf, uniteSpans } from '../coverage/span.ts';
import type { RawEvent, View, ViewScope } from '../coverage/view.ts';
import { lanesIn, PARKED_SHOWN } from '../coverage/view-scope.ts';
import { visibleRecords, withCounts } from '../coverage/visible-records.ts';
import type { AttemptId, LaneKey, RecordId, Seq, SessionKey } from '../event/ids.ts';
import { isRootBranch, type Lane, laneKey, sameLane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { lasts } from '../event/obligation.ts';
import type { Attempt } from '../plan/attempt.ts';
import { OVER_ALLOWANCE } from '../plan/progress.ts';
import { buildRecord } from '../store/build-record.ts';
import type {
  AttemptEnd,
  AttemptFilter,
  LeaseOutcome,
  LeaseRequest,
  RecordDraft,
  SessionStore,
} from '../store/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { CompactionStore } from './attempt-window.ts';

/** A record that was made and not stored, with what its summarizer was shown: events, and the summaries of records. */
export interface MadeRecord {
  readonly record: CompactionRecord;
  readonly events: readonly LoggedEvent[];
  readonly previous: readonly CompactionRecord[];
}

/**
 * A session as it would be after compactions that are not stored: reads go to the store below, and what is written
 * stays here and shows in later reads. No lease is taken, and nothing below changes.
 */
export class PreviewStore implements CompactionStore {
  readonly counter: TokenCounter;
  readonly #below: SessionStore;
  readonly #made: MadeRecord[] = [];
  readonly #attempts: Attempt[] = [];

  constructor(below: SessionStore) {
    this.#below = below;
    this.counter = below.counter;
  }

  get made(): readonly MadeRecord[] {
    return this.#made;
  }

  async view(key: SessionKey, lane: Lane, scope: ViewScope): Promise<View> {
    const below = await this.#below.view(key, lane, scope);
    if (this.#made.length === 0) return below;
    const graph = new RecordGraph(await this.records(key));
    const seesViews = scope === 'reader' && isRootBranch(lane);
    const raw: RawEvent[] = [];
    const covered: RawEvent[] = [];
    for (const row of below.raw) {
      const marks = judge(row, graph);
      if (marks === null || (seesViews && marks.under !== null)) covered.push(row);
      else raw.push({ ...row, ...marks });
    }
    const visible = visibleRecords(graph, lane, scope);
    const open = new Set(raw.map((row) => row.exchange));
    const recovered = [...below.recovered, ...covered].filter((row) => open.has(row.exchange));
    return {
      ...below,
      revision: below.revision + this.#raised(lane),
      lanes: this.#lanesOf(below, lanesIn(lane, raw, visible)),
      raw,
      recovered: recovered.sort((a, b) => a.event.seq - b.event.seq),
      records: withCounts(graph, visible, raw),
      parted: partedOf(graph, visible),
      parked: parkedWith(below, covered),
    };
  }

  preceding(...given: Parameters<SessionStore['preceding']>): ReturnType<SessionStore['preceding']> {
    return this.#below.preceding(...given);
  }

  async spansAtRoot(
    key: SessionKey,
    ids: readonly RecordId[],
  ): Promise<{ readonly spans: Spans; readonly members: number }> {
    // What was made here and what it replaced, which may have been made here too, down to what the store below knows.
    const made = new Map(this.#made.map((one) => [one.record.id, one]));
    const rows = new Map<Seq, LoggedEvent>();
    const known = new Set<RecordId>();
    const pending = [...ids];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const here = made.get(id);
      if (here === undefined) {
        known.add(id);
        continue;
      }
      for (const row of here.events) rows.set(row.event.seq, row);
      pending.push(...here.record.supersedes);
    }
    const below = await this.#below.spansAtRoot(key, [...known]);
    const placed = [...rows.values()]
      .sort((a, b) => a.event.seq - b.event.seq)
      .map((row) => ({ seq: row.event.seq, ordinal: row.isolationOrdinal }));
    return { spans: uniteSpans([below.spans, spansOf(placed)]), members: below.members + placed.length };
  }

  async records(key: SessionKey): Promise<readonly RecordState[]> {
    const made = this.#made.map(({ record }): RecordState => ({ record, undone: false }));
    return [...(await this.#below.records(key)), ...made];
  }

  async attempts(key: SessionKey, filter: AttemptFilter = {}): Promise<readonly Attempt[]> {
    const { lane, newest } = filter;
    const own = this.#attempts.filter((attempt) => lane === undefined || sameLane(attempt.lane, lane));
    const all = [...(await this.#below.attempts(key, filter)), ...own];
    return newest === undefined ? all : all.slice(-newest);
  }

  async takeLease(key: SessionKey, request: LeaseRequest): Promise<LeaseOutcome> {
    const { lane, rootView, trigger, window } = request;
    const id = `preview-${this.#attempts.length + 1}` as AttemptId;
    const attempt: Attempt = {
      id,
      lane,
      rootView,
      trigger,
      window,
      state: 'started',
      startedAt: '',
      invocationCount: 0,
    };
    const { allowance } = request;
    if (allowance !== undefined && (await this.#below.tokensSpent(key, allowance)) >= allowance.tokens) {
      return { taken: false, declined: { ...attempt, state: 'declined', reason: OVER_ALLOWANCE } };
    }
    this.#attempts.push(attempt);
    return { taken: true, attempt };
  }

  async renewLease(): Promise<void> {}

  async endAttempt(_key: SessionKey, id: AttemptId, end: AttemptEnd): Promise<Attempt> {
    return this.#change(id, end);
  }

  async commit(key: SessionKey, id: AttemptId, draft: RecordDraft): Promise<CompactionRecord> {
    const { lane, rootView, spans, supersedes, basis } = draft;
    const rows = await this.#below.events(key, spans, rootView ? undefined : lane);
    const events = rows.filter((row) => inScope(draft, row.event.lane));
    const graph = new RecordGraph(await this.records(key));
    const recordsOf = (ids: readonly RecordId[]): readonly CompactionRecord[] =>
      ids.flatMap((named) => graph.get(named)?.record ?? []);
    const superseded = recordsOf(supersedes);
    const over = recordsOf(draft.over);
    const record = buildRecord(draft, {
      id: id as string as RecordId,
      attempt: id,
      revision: basis.revision + 1,
      createdAt: '',
      events: events.map(({ hash, event }) => ({ hash, tokens: event.tokens })),
      superseded,
      over,
    });
    const shown = events.filter((row) => !over.some((below) => graph.holds(below, row.event)));
    this.#made.push({ record, events: shown, previous: [...superseded, ...over] });
    this.#change(id, { state: 'committed', record: record.id });
    return record;
  }

  #lanesOf(below: View, lanes: ReadonlyMap<LaneKey, Lane>): View['lanes'] {
    const facts = [...lanes.keys()].flatMap((key) => below.lanes.get(key) ?? []);
    return new Map(
      facts.map((one) => [laneKey(one.lane), { ...one, revision: one.revision + this.#raised(one.lane) }]),
    );
  }

  /** Every commit raises its lane's revision by one. */
  #raised(lane: Lane): number {
    return this.#made.filter(({ record }) => sameLane(record.lane, lane)).length;
  }

  #change(id: AttemptId, changes: Partial<Attempt>): Attempt {
    const at = this.#attempts.findIndex((attempt) => attempt.id === id);
    const changed = { ...(this.#attempts[at] as Attempt), ...changes };
    this.#attempts[at] = changed;
    return changed;
  }
}

/** What is owed by events that are covered now. */
function parkedWith(below: View, covered: readonly RawEvent[]): View['parked'] {
  const seqs = new Set(covered.map((row) => row.event.seq));
  const exchanges = new Set(covered.map((row) => row.exchange));
  const owed = [...exchanges].flatMap(
    (id) =>
      below.exchanges.get(id)?.open.filter((obligation) => lasts(obligation) && seqs.has(obligation.seq)) ??
      [],
  );
  const newest = [...below.parked.newest, ...owed].sort((a, b) => a.seq - b.seq).slice(-PARKED_SHOWN);
  return { newest, total: below.parked.total + owed.length };
}
