import type { CompactionRecord, RecordState } from '../../coverage/record.ts';
import type { Spans } from '../../coverage/span.ts';
import type { View, ViewScope } from '../../coverage/view.ts';
import { checkDraft, checkLane, checkName } from '../../event/draft.ts';
import { NotFoundError } from '../../event/errors.ts';
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
import type { Obligation } from '../../event/obligation.ts';
import type { Attempt } from '../../plan/attempt.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { type Allowance, periodOf } from '../allowance.ts';
import { checkBatch } from '../check-batch.ts';
import { asOf, renewed } from '../note-invocation.ts';
import { isKey } from '../session-key.ts';
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
import { appendBatch } from './append-batch.ts';
import { finishAttempt, readAttempts, renewAttempt } from './attempt-rows.ts';
import { markRecord, pinExchange } from './change-coverage.ts';
import { commitRecord, type Moment, takeLease } from './commit-record.ts';
import { eventAt, eventsBefore, eventsInSpans, eventWithId } from './event-rows.ts';
import { copyPrefix } from './fork-session.ts';
import { allObligations } from './obligation-rows.ts';
import type { Synchronous } from './open-database.ts';
import { Patience, realWaiting, type Waiting } from './patience.ts';
import { readFacts } from './read-facts.ts';
import { readView } from './read-view.ts';
import { allRecords, stateOf } from './record-rows.ts';
import { searchEvents } from './search-rows.ts';
import { SessionFile } from './session-file.ts';
import { readSessions } from './session-rows.ts';
import { spansAtRoot } from './spans-at-root.ts';
import { readSpend, tokensSpent } from './spend-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** What a SQLite store may be given; each has a default. */
export interface SqliteStoreOptions {
  /** `full`, the default: what is acknowledged is on disk. `normal`: a power cut may lose the last commits, never corrupt. */
  readonly synchronous?: Synchronous;
  /** The file must be there and hold a store; nothing is written, and a read-only disk will do. Whatever writes is a `StoreError`. */
  readonly readOnly?: boolean;
  readonly counter?: TokenCounter;
  /** Milliseconds since the epoch; leases and times are read off it. */
  readonly clock?: () => number;
  readonly ids?: IdSource;
  /** How long a call waits, in milliseconds, while other processes keep the file locked; 30,000. Then it is a `StoreError`. */
  readonly busyLimitMilliseconds?: number;
  /** How it waits meanwhile. */
  readonly waiting?: Waiting;
}

const BUSY_LIMIT_MILLISECONDS = 30_000;

/**
 * Opens the file at `path`, or makes it unless it is opened `readOnly`, as a store: one SQLite database with a write-ahead log beside it, on a local
 * disk, which several processes may use at once. `StoreError` names what is wrong with a file that is none of ours, was
 * made by another version, or cannot be opened.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const limit = options.busyLimitMilliseconds ?? BUSY_LIMIT_MILLISECONDS;
  const patience = new Patience(limit, options.waiting ?? realWaiting);
  const { readOnly = false, synchronous = 'full' } = options;
  return new SqliteStore(await SessionFile.open(path, { readOnly, synchronous }, patience), options);
}

/** A store that keeps sessions in one SQLite file; see {@link openSqliteStore}. */
export class SqliteStore implements SessionStore {
  readonly counter: TokenCounter;
  readonly #file: SessionFile;
  readonly #clock: () => number;
  readonly #newId: IdSource;

  /** @internal */
  constructor(file: SessionFile, options: SqliteStoreOptions) {
    this.#file = file;
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
    const leaseMilliseconds = options.leaseMilliseconds ?? DEFAULT_LEASE_MILLISECONDS;
    const running = options.newInvocations === 'running';
    return this.#file.write('append', () => {
      const { now, time, newId } = this.#moment();
      const opening = {
        state: running ? 'running' : 'ended',
        leaseExpiresAt: running ? now + leaseMilliseconds : null,
      } as const;
      const facts = { counter: this.counter, now, time, opening, leaseMilliseconds };
      return appendBatch(this.#file.ensure(key, time), checked, newId, facts);
    });
  }

  async beginInvocation(
    key: SessionKey,
    options: { readonly id?: string; readonly lane?: Lane; readonly leaseMilliseconds: number },
  ): Promise<Invocation> {
    const lane = options.lane === undefined ? ROOT_LANE : checkLane(options.lane);
    const id = options.id === undefined ? undefined : checkName(options.id, 'invocation');
    return this.#file.write('beginInvocation', () => {
      const { now, time, newId } = this.#moment();
      const session = this.#file.ensure(key, time);
      const invocationId = (id ?? newId()) as InvocationId;
      const base = session.invocations.find(invocationId) ?? {
        id: invocationId,
        ordinal: session.invocations.count + 1,
        lane,
        lanes: [],
        openedBy: null,
      };
      const leaseExpiresAt = now + options.leaseMilliseconds;
      session.invocations.set(Object.freeze({ ...base, state: 'running', leaseExpiresAt }));
      return asOf(requireInvocation(session, invocationId), now);
    });
  }

  async renewInvocation(key: SessionKey, id: InvocationId, leaseMilliseconds: number): Promise<Invocation> {
    return this.#file.write('renewInvocation', () => {
      const session = this.#file.session(key);
      const now = this.#clock();
      const invocation = requireInvocation(session, id);
      session.invocations.set(renewed(invocation, now + leaseMilliseconds));
      return asOf(requireInvocation(session, id), now);
    });
  }

  async endInvocation(
    key: SessionKey,
    id: InvocationId,
    state: 'ended' | 'failed' | 'cancelled',
  ): Promise<Invocation> {
    return this.#file.write('endInvocation', () => {
      const session = this.#file.session(key);
      const invocation = requireInvocation(session, id);
      // Running, or lost, which is stored as running.
      if (invocation.state === 'running') {
        session.invocations.set(Object.freeze({ ...invocation, state, leaseExpiresAt: null }));
      }
      return asOf(requireInvocation(session, id), this.#clock());
    });
  }

  async invocations(key: SessionKey): Promise<readonly Invocation[]> {
    return this.#read('invocations', key, (session) => {
      const now = this.#clock();
      return session.invocations.all().map((invocation) => asOf(invocation, now));
    });
  }

  async view(key: SessionKey, lane: Lane, scope: ViewScope): Promise<View> {
    const checked = checkLane(lane);
    return this.#read('view', key, (session) => readView(session, checked, scope, this.#clock()));
  }

  async spansAtRoot(
    key: SessionKey,
    records: readonly RecordId[],
  ): Promise<{ readonly spans: Spans; readonly members: number }> {
    return this.#read('spansAtRoot', key, (session) => spansAtRoot(session, records));
  }

  async events(key: SessionKey, spans: Spans, lane?: Lane): Promise<readonly LoggedEvent[]> {
    return this.#read('events', key, (session) => eventsInSpans(session, spans, lane));
  }

  async page(key: SessionKey, after: Seq, limit: number): Promise<readonly LoggedEvent[]> {
    const span = { first: after + 1, last: after + limit };
    return this.#read('page', key, (session) => eventsInSpans(session, [span]));
  }

  async preceding(
    key: SessionKey,
    lane: Lane,
    before: Seq,
    invocations: number,
    limit: number,
  ): Promise<readonly LoggedEvent[]> {
    return this.#read('preceding', key, (session) => eventsBefore(session, lane, before, invocations, limit));
  }

  async facts(key: SessionKey, seq: Seq): Promise<EventFacts> {
    return this.#read('facts', key, (session) =>
      readFacts(session, requireEvent(session, seq), this.#clock()),
    );
  }

  async eventById(key: SessionKey, id: EventId): Promise<LoggedEvent | null> {
    return this.#read('eventById', key, (session) => eventWithId(session, id));
  }

  async obligations(key: SessionKey): Promise<readonly Obligation[]> {
    return this.#read('obligations', key, allObligations);
  }

  async search(key: SessionKey, request: SearchRequest): Promise<SearchResult> {
    const checked = { ...request, lane: checkLane(request.lane) };
    return this.#read('search', key, (session) => searchEvents(session, checked));
  }

  async takeLease(key: SessionKey, request: LeaseRequest): Promise<LeaseOutcome> {
    return this.#write('takeLease', key, (session) => takeLease(session, key, request, this.#moment()));
  }

  async renewLease(key: SessionKey, attempt: AttemptId, milliseconds: number): Promise<void> {
    return this.#write('renewLease', key, (session) =>
      renewAttempt(session, attempt, this.#clock() + milliseconds),
    );
  }

  async commit(key: SessionKey, attempt: AttemptId, draft: RecordDraft): Promise<CompactionRecord> {
    return this.#write('commit', key, (session) => commitRecord(session, attempt, draft, this.#moment()));
  }

  async endAttempt(key: SessionKey, attempt: AttemptId, end: AttemptEnd): Promise<Attempt> {
    return this.#write('endAttempt', key, (session) => finishAttempt(session, attempt, end, this.#moment()));
  }

  async attempts(key: SessionKey, filter: AttemptFilter = {}): Promise<readonly Attempt[]> {
    return this.#read('attempts', key, (session) => readAttempts(session, filter));
  }

  async spend(filter: SpendFilter = {}): Promise<readonly SpendRow[]> {
    return this.#file.read('spend', (database) => readSpend(database, filter));
  }

  async tokensSpent(
    key: SessionKey,
    { period, tenant = 'user' }: Pick<Allowance, 'period' | 'tenant'>,
  ): Promise<number> {
    return this.#file.read('tokensSpent', (database) =>
      isKey(key) ? tokensSpent(database, key, tenant, periodOf(this.#clock(), period)) : 0,
    );
  }

  async records(key: SessionKey): Promise<readonly RecordState[]> {
    return this.#read('records', key, (session) => allRecords(session).map(stateOf));
  }

  async undo(key: SessionKey, record: RecordId): Promise<void> {
    return this.#write('undo', key, (session) => markRecord(session, record, true));
  }

  async redo(key: SessionKey, record: RecordId): Promise<void> {
    return this.#write('redo', key, (session) => markRecord(session, record, false));
  }

  async pin(key: SessionKey, seq: Seq, pinned: boolean): Promise<readonly Seq[]> {
    return this.#write('pin', key, (session) =>
      pinExchange(session, requireEvent(session, seq).exchange, pinned),
    );
  }

  async fork(from: SessionKey, throughSeq: Seq, to: SessionKey): Promise<SessionInfo> {
    return this.#file.write('fork', (database) => {
      const source = this.#file.session(from);
      const lineage = { from: { app: from.app, user: from.user, session: from.session }, throughSeq };
      const target = this.#file.make(to, this.#moment().time, lineage);
      requireEvent(source, throughSeq);
      copyPrefix(source, throughSeq, target);
      return readSessions(database, to)[0] as SessionInfo;
    });
  }

  async info(key: SessionKey): Promise<SessionInfo | null> {
    return this.#file.read(
      'info',
      (database) => (isKey(key) ? readSessions(database, key)[0] : null) ?? null,
    );
  }

  async sessions(filter: Partial<SessionKey> = {}): Promise<readonly SessionInfo[]> {
    return this.#file.read('sessions', (database) => readSessions(database, filter));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #read<Result>(
    operation: string,
    key: SessionKey,
    work: (session: SqliteSession) => Result,
  ): Promise<Result> {
    return this.#file.read(operation, () => work(this.#file.session(key)));
  }

  #write<Result>(
    operation: string,
    key: SessionKey,
    work: (session: SqliteSession) => Result,
  ): Promise<Result> {
    return this.#file.write(operation, () => work(this.#file.session(key)));
  }

  #moment(): Moment {
    const now = this.#clock();
    return { now, time: new Date(now).toISOString(), newId: this.#newId };
  }
}

function requireInvocation(session: SqliteSession, id: InvocationId): Invocation {
  const invocation = session.invocations.find(id);
  if (invocation === undefined) throw new NotFoundError('invocation', id);
  return invocation;
}

function requireEvent(session: SqliteSession, seq: Seq): LoggedEvent {
  const row = eventAt(session, seq);
  if (row === null) throw new NotFoundError('event', String(seq));
  return row;
}
