import { recordsThrough, redoRefusal, undoRefusal } from '../../coverage/changes.ts';
import type { CompactionRecord, RecordState } from '../../coverage/record.ts';
import type { Spans } from '../../coverage/span.ts';
import type { View, ViewScope } from '../../coverage/view.ts';
import { checkDraft, checkLane, checkName } from '../../event/draft.ts';
import { CommitConflict, NotFoundError, RefusedError, StoreError } from '../../event/errors.ts';
import type { EventDraft, StoredEvent } from '../../event/event.ts';
import type {
  AttemptId,
  EventId,
  IdSource,
  InvocationId,
  RecordId,
  Seq,
  SessionKey,
} from '../../event/ids.ts';
import type { Invocation } from '../../event/invocation.ts';
import { type Lane, ROOT_LANE } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Exchange, Obligation } from '../../event/obligation.ts';
import type { Attempt } from '../../plan/attempt.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { type Allowance, type DeclinedAttempt, declinedFor, periodOf } from '../allowance.ts';
import { buildRecord, deepFreeze } from '../build-record.ts';
import { checkBatch } from '../check-batch.ts';
import { checkCommit } from '../check-commit.ts';
import type { AnyEnd } from '../end-attempt.ts';
import { requireLaneRecords } from '../lane-records.ts';
import { asOf, renewed, showsLife } from '../note-invocation.ts';
import { takePreceding } from '../preceding.ts';
import { checkKey, keyText } from '../session-key.ts';
import type {
  AppendOptions,
  AttemptEnd,
  AttemptFilter,
  EventFacts,
  LeaseOutcome,
  LeaseRequest,
  RecordDraft,
  SearchRequest,
  SearchResult,
  SessionInfo,
  SessionStore,
} from '../session-store.ts';
import { DEFAULT_LEASE_MILLISECONDS } from '../session-store.ts';
import type { SpendFilter, SpendRow } from '../spend.ts';
import { timeOrderedIds } from '../time-ordered-id.ts';
import { MemorySession } from './memory-session.ts';
import { SpendLedger } from './spend-ledger.ts';

/** What a memory store may be given; each has a default. */
export interface MemoryStoreOptions {
  readonly counter?: TokenCounter;
  /** Milliseconds since the epoch; leases and times are read off it. */
  readonly clock?: () => number;
  readonly ids?: IdSource;
}

/** A store that keeps sessions in this process's memory: for tests, short-lived agents and one-off commands. */
export class MemoryStore implements SessionStore {
  readonly #sessions = new Map<string, MemorySession>();
  readonly #spend = new SpendLedger();
  readonly counter: TokenCounter;
  readonly #clock: () => number;
  readonly #newId: IdSource;
  #closed = false;

  constructor(options: MemoryStoreOptions = {}) {
    this.counter = options.counter ?? estimatingCounter;
    this.#clock = options.clock ?? Date.now;
    this.#newId = options.ids ?? timeOrderedIds(this.#clock);
  }

  async append(
    key: SessionKey,
    drafts: readonly EventDraft[],
    options: AppendOptions = {},
  ): Promise<readonly StoredEvent[]> {
    const checked = checkBatch(drafts.map((draft) => checkDraft(draft)));
    const session = this.#open(key);
    // Conflicts are found before anything is stored, so that a batch is stored whole or not at all.
    for (const draft of checked) session.known(draft);
    const leaseMilliseconds = options.leaseMilliseconds ?? DEFAULT_LEASE_MILLISECONDS;
    const running = options.newInvocations === 'running';
    const opening = {
      state: running ? 'running' : 'ended',
      leaseExpiresAt: running ? this.#clock() + leaseMilliseconds : null,
    } as const;
    return checked.map((draft) => {
      const known = session.known(draft);
      if (known !== null) return known;
      const id = (draft.id ?? this.#newId()) as EventId;
      const event = session.add(draft, id, this.#now(), this.counter, opening);
      const invocation = session.invocation(event.invocation) as Invocation;
      session.setInvocation(showsLife(invocation, this.#clock(), leaseMilliseconds));
      return event;
    });
  }

  async beginInvocation(
    key: SessionKey,
    options: { readonly id?: string; readonly lane?: Lane; readonly leaseMilliseconds: number },
  ): Promise<Invocation> {
    const lane = options.lane === undefined ? ROOT_LANE : checkLane(options.lane);
    const id = (
      options.id === undefined ? this.#newId() : checkName(options.id, 'invocation')
    ) as InvocationId;
    const session = this.#open(key);
    const base = session.invocation(id) ?? {
      id,
      ordinal: session.invocationCount + 1,
      lane,
      lanes: [],
      openedBy: null,
    };
    session.setInvocation({
      ...base,
      state: 'running',
      leaseExpiresAt: this.#clock() + options.leaseMilliseconds,
    });
    return this.#invocation(session, id);
  }

  async renewInvocation(key: SessionKey, id: InvocationId, leaseMilliseconds: number): Promise<Invocation> {
    const session = this.#get(key);
    this.#invocation(session, id);
    session.setInvocation(renewed(session.invocation(id) as Invocation, this.#clock() + leaseMilliseconds));
    return this.#invocation(session, id);
  }

  async endInvocation(
    key: SessionKey,
    id: InvocationId,
    state: 'ended' | 'failed' | 'cancelled',
  ): Promise<Invocation> {
    const session = this.#get(key);
    const invocation = this.#invocation(session, id);
    if (invocation.state === 'running' || invocation.state === 'lost') {
      session.setInvocation({ ...invocation, state, leaseExpiresAt: null });
    }
    return this.#invocation(session, id);
  }

  async invocations(key: SessionKey): Promise<readonly Invocation[]> {
    return this.#get(key).invocations(this.#clock());
  }

  async view(key: SessionKey, lane: Lane, scope: ViewScope): Promise<View> {
    return this.#get(key).view(checkLane(lane), scope, this.#clock());
  }

  async spansAtRoot(
    key: SessionKey,
    ids: readonly RecordId[],
  ): Promise<{ readonly spans: Spans; readonly members: number }> {
    const records = ids.map((id) => this.#record(key, id).state.record);
    requireLaneRecords(records);
    return this.#get(key).spansAtRoot(records);
  }

  async events(key: SessionKey, spans: Spans, lane?: Lane): Promise<readonly LoggedEvent[]> {
    const session = this.#get(key);
    return lane === undefined ? session.inSpans(spans) : session.inScope(lane, false, spans);
  }

  async page(key: SessionKey, after: Seq, limit: number): Promise<readonly LoggedEvent[]> {
    return this.#get(key).rows.slice(after, after + limit);
  }

  async preceding(
    key: SessionKey,
    lane: Lane,
    before: Seq,
    invocations: number,
    limit: number,
  ): Promise<readonly LoggedEvent[]> {
    const newestFirst = this.#get(key).newestFirst(lane, before);
    return takePreceding(newestFirst, (row) => row.event.invocation, invocations, limit);
  }

  async facts(key: SessionKey, seq: Seq): Promise<EventFacts> {
    const session = this.#get(key);
    const row = session.rows[seq - 1];
    if (row === undefined) throw new NotFoundError('event', String(seq));
    const exchange = session.exchanges.get(row.exchange) as Exchange;
    const ids = new Set([exchange.invocation, ...exchange.open.map((owed) => owed.invocation)]);
    const invocations = new Map([...ids].map((id) => [id, this.#invocation(session, id)]));
    return { row, exchange, invocations, invocationCount: session.invocationCount };
  }

  async eventById(key: SessionKey, id: EventId): Promise<LoggedEvent | null> {
    return this.#get(key).byId(id);
  }

  async obligations(key: SessionKey): Promise<readonly Obligation[]> {
    return [...this.#get(key).exchanges.obligations()];
  }

  async search(key: SessionKey, request: SearchRequest): Promise<SearchResult> {
    return this.#get(key).search({ ...request, lane: checkLane(request.lane) });
  }

  async takeLease(key: SessionKey, request: LeaseRequest): Promise<LeaseOutcome> {
    const session = this.#get(key);
    const { lane, rootView, trigger, holder, milliseconds } = request;
    const now = this.#clock();
    const held = session.attempts.lease(lane);
    if (held !== undefined && held.expiresAt > now) {
      return { taken: false, heldBy: held.holder, expiresInMilliseconds: held.expiresAt - now };
    }
    if (session.revisionOf(lane) !== request.revision) throw new CommitConflict('revision', 'lane');
    const begin = (): Attempt =>
      deepFreeze({
        id: this.#newId() as AttemptId,
        lane: structuredClone(lane),
        rootView,
        trigger,
        window: structuredClone(request.window),
        ...(request.measured === undefined ? {} : { measured: structuredClone(request.measured) }),
        state: 'started',
        startedAt: this.#now(),
        invocationCount: session.invocationCount,
      });
    const declined = this.#declined(session, request, begin);
    if (declined !== null) {
      if (declined.isNew) session.attempts.note(declined.attempt);
      return { taken: false, declined: declined.attempt };
    }
    if (held !== undefined) {
      this.#end(session, held.attempt, { state: 'abandoned', reason: 'lease_expired' });
    }
    const attempt = begin();
    session.attempts.start(attempt, holder, now + milliseconds);
    return { taken: true, attempt };
  }

  async renewLease(key: SessionKey, attempt: AttemptId, milliseconds: number): Promise<void> {
    if (!this.#get(key).attempts.renew(attempt, this.#clock() + milliseconds)) {
      throw new CommitConflict('lease', attempt);
    }
  }

  async commit(key: SessionKey, attemptId: AttemptId, draft: RecordDraft): Promise<CompactionRecord> {
    const session = this.#get(key);
    const attempt = session.attempts.get(attemptId);
    const refusal = checkCommit(draft, {
      attempt,
      leaseHolder: session.attempts.lease(draft.lane)?.attempt,
      revision: session.revisionOf(draft.lane),
      graph: session.graph,
      count: session.count,
    });
    if (refusal !== null) throw new CommitConflict(refusal, attemptId);
    const members = session.inScope(draft.lane, draft.rootView, draft.spans);
    const named = (id: RecordId): CompactionRecord => (session.graph.get(id) as RecordState).record;
    const record = buildRecord(draft, {
      id: this.#newId() as RecordId,
      attempt: attemptId,
      revision: draft.basis.revision + 1,
      createdAt: this.#now(),
      events: members.map((row) => ({ hash: row.hash, tokens: row.event.tokens })),
      superseded: draft.supersedes.map(named),
      over: draft.over.map(named),
    });
    session.addRecord(record);
    const { spend } = draft;
    this.#end(session, attemptId, { state: 'committed', record: record.id, ...usageOf(draft), spend });
    return record;
  }

  async endAttempt(key: SessionKey, attempt: AttemptId, end: AttemptEnd): Promise<Attempt> {
    return this.#end(this.#get(key), attempt, end);
  }

  async attempts(key: SessionKey, filter: AttemptFilter = {}): Promise<readonly Attempt[]> {
    return this.#get(key).attempts.list(filter);
  }

  async spend(filter: SpendFilter = {}): Promise<readonly SpendRow[]> {
    this.#requireOpen();
    return this.#spend.list(filter);
  }

  async tokensSpent(
    key: SessionKey,
    { period, tenant = 'user' }: Pick<Allowance, 'period' | 'tenant'>,
  ): Promise<number> {
    this.#requireOpen();
    return this.#spend.tokensIn(key, tenant, periodOf(this.#clock(), period));
  }

  async records(key: SessionKey): Promise<readonly RecordState[]> {
    return this.#get(key).graph.states.slice();
  }

  async undo(key: SessionKey, id: RecordId): Promise<void> {
    const { session, state } = this.#record(key, id);
    const refusal = undoRefusal(session.graph, state, session.count);
    if (refusal !== null) throw refusal;
    session.markRecord(state, true);
  }

  async redo(key: SessionKey, id: RecordId): Promise<void> {
    const { session, state } = this.#record(key, id);
    const refusal = redoRefusal(session.graph, state, session.count);
    if (refusal !== null) throw refusal;
    session.markRecord(state, false);
  }

  async pin(key: SessionKey, seq: Seq, pinned: boolean): Promise<readonly Seq[]> {
    const session = this.#get(key);
    const row = session.rows[seq - 1];
    if (row === undefined) throw new NotFoundError('event', String(seq));
    return session.setPinned(row.exchange, pinned);
  }

  async fork(from: SessionKey, throughSeq: Seq, to: SessionKey): Promise<SessionInfo> {
    const source = this.#get(from);
    if (this.#sessions.has(keyText(to)))
      throw new RefusedError(to.session, 'session exists; fork to a new one');
    if (!Number.isSafeInteger(throughSeq) || throughSeq < 1 || throughSeq > source.rows.length) {
      throw new NotFoundError('event', String(throughSeq));
    }
    const lineage = deepFreeze({ from: { ...source.key }, throughSeq });
    const target = new MemorySession(checkKey(to), this.#now(), lineage);
    target.copyEvents(source, throughSeq);
    target.adoptRecords(recordsThrough(source.graph, throughSeq, source.count));
    this.#sessions.set(keyText(to), target);
    return this.#info(target);
  }

  async info(key: SessionKey): Promise<SessionInfo | null> {
    this.#requireOpen();
    const session = this.#sessions.get(keyText(key));
    return session === undefined ? null : this.#info(session);
  }

  async sessions(filter: Partial<SessionKey> = {}): Promise<readonly SessionInfo[]> {
    this.#requireOpen();
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
    return [...this.#sessions.values()]
      .filter(({ key }) => wanted.every(([field, value]) => key[field as keyof SessionKey] === value))
      .map((session) => this.#info(session));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sessions.clear();
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreError('memory', { problem: 'the store is closed' });
  }

  #now(): string {
    return new Date(this.#clock()).toISOString();
  }

  #declined(session: MemorySession, request: LeaseRequest, begin: () => Attempt): DeclinedAttempt | null {
    const { allowance, lane } = request;
    if (allowance === undefined) return null;
    return declinedFor(allowance, {
      now: this.#clock(),
      invocationCount: session.invocationCount,
      tokensSpent: (tenant, hours) => this.#spend.tokensIn(session.key, tenant, hours),
      newestAttempts: (most) => session.attempts.list({ lane, newest: most }),
      begin,
    });
  }

  #end(session: MemorySession, id: AttemptId, end: AnyEnd): Attempt {
    const { attempt, changed } = session.attempts.end(id, end, this.#now());
    if (changed && end.spend !== undefined) this.#spend.add(session.key, this.#clock(), end.spend);
    return attempt;
  }

  #open(key: SessionKey): MemorySession {
    this.#requireOpen();
    const text = keyText(key);
    const known = this.#sessions.get(text);
    if (known !== undefined) return known;
    const session = new MemorySession(checkKey(key), this.#now(), null);
    this.#sessions.set(text, session);
    return session;
  }

  #get(key: SessionKey): MemorySession {
    this.#requireOpen();
    const session = this.#sessions.get(keyText(key));
    if (session === undefined) throw new NotFoundError('session', key.session);
    return session;
  }

  #record(key: SessionKey, id: RecordId): { readonly session: MemorySession; readonly state: RecordState } {
    const session = this.#get(key);
    const state = session.graph.get(id);
    if (state === undefined) throw new NotFoundError('record', id);
    return { session, state };
  }

  #invocation(session: MemorySession, id: InvocationId): Invocation {
    const invocation = session.invocation(id);
    if (invocation === undefined) throw new NotFoundError('invocation', id);
    return asOf(invocation, this.#clock());
  }

  #info(session: MemorySession): SessionInfo {
    const lanes = session.lanes().map((state) => ({
      lane: state.lane,
      revision: state.revision,
      events: state.seqs.length,
      tokens: state.tokens,
    }));
    return deepFreeze({
      key: { ...session.key },
      events: session.rows.length,
      records: session.graph.states.length,
      invocations: session.invocationCount,
      tokens: lanes.reduce((sum, lane) => sum + lane.tokens, 0),
      createdAt: session.createdAt,
      lineage: session.lineage,
      lanes,
    });
  }
}

function usageOf(draft: RecordDraft): Pick<Attempt, 'usage'> {
  return draft.usage === undefined ? {} : { usage: draft.usage };
}
