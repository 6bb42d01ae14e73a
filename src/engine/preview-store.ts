import { judge } from '../coverage/judge.ts';
import type { CompactionRecord, RecordState } from '../coverage/record.ts';
import { inScope, RecordGraph } from '../coverage/record-graph.ts';
import type { RawEvent, View, ViewScope } from '../coverage/view.ts';
import { PARKED_SHOWN } from '../coverage/view-scope.ts';
import { visibleRecords, withCounts } from '../coverage/visible-records.ts';
import type { AttemptId, RecordId, SessionKey } from '../event/ids.ts';
import { isRootBranch, type Lane, sameLane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { lasts } from '../event/obligation.ts';
import type { Attempt } from '../plan/attempt.ts';
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

/** A record that was made and not stored, with what it was made from. */
export interface MadeRecord {
  readonly record: CompactionRecord;
  readonly events: readonly LoggedEvent[];
  readonly superseded: readonly CompactionRecord[];
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
    const open = new Set(raw.map((row) => row.exchange));
    const recovered = [...below.recovered, ...covered].filter((row) => open.has(row.exchange));
    return {
      ...below,
      revision: below.revision + this.#raised(lane),
      lanes: new Map(
        [...below.lanes].map(([id, facts]) => [
          id,
          { ...facts, revision: facts.revision + this.#raised(facts.lane) },
        ]),
      ),
      raw,
      recovered: recovered.sort((a, b) => a.event.seq - b.event.seq),
      records: withCounts(graph, visibleRecords(graph, lane, scope), raw),
      parked: parkedWith(below, covered),
    };
  }

  preceding(...given: Parameters<SessionStore['preceding']>): ReturnType<SessionStore['preceding']> {
    return this.#below.preceding(...given);
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

  async takeLease(_key: SessionKey, request: LeaseRequest): Promise<LeaseOutcome> {
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
    const known = new Map((await this.records(key)).map(({ record }) => [record.id, record]));
    const superseded = supersedes.flatMap((replaced) => known.get(replaced) ?? []);
    const record = buildRecord(draft, {
      id: id as string as RecordId,
      attempt: id,
      revision: basis.revision + 1,
      createdAt: '',
      events: events.map(({ hash, event }) => ({ hash, tokens: event.tokens })),
      superseded,
      over: draft.over.flatMap((id) => known.get(id) ?? []),
    });
    this.#made.push({ record, events, superseded });
    this.#change(id, { state: 'committed', record: record.id });
    return record;
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
