import { StoreError } from '../../event/errors.ts';
import type { EventId, InvocationId, LaneKey, Seq } from '../../event/ids.ts';
import type { Invocation, InvocationState } from '../../event/invocation.ts';
import { isRootBranch, type Lane, laneKey } from '../../event/lane.ts';
import type { Database } from './database.ts';
import { placeOf, seqOf } from './place.ts';
import type { StoredRecord } from './record-rows.ts';

/** The revision a lane begins with, whether or not it has a row yet. */
export const FIRST_REVISION = 1;

/** A lane's row. Changed in place; {@link SqliteSession.flush} writes what changed. */
export interface LaneRow {
  readonly id: number;
  readonly root: number;
  readonly lane: Lane;
  revision: number;
  events: number;
  tokens: number;
  firstSeq: Seq | null;
  firstUserSeq: Seq | null;
  /** Of a root branch: of all branches of its isolation. */
  isolationEvents: number;
  isolationTokens: number;
}

interface LaneColumns {
  readonly lane: number;
  readonly root: number;
  readonly isolation: string;
  readonly branch: string;
  readonly revision: number;
  readonly events: number;
  readonly tokens: number;
  readonly first_seq: number | null;
  readonly first_user_seq: number | null;
  readonly isolation_events: number;
  readonly isolation_tokens: number;
}

interface InvocationColumns {
  readonly ordinal: number;
  readonly id: InvocationId;
  readonly lane: string;
  readonly lanes: string;
  readonly opened_by: number | null;
  readonly state: InvocationState;
  readonly lease_expires_at: number | null;
}

/** Lanes, invocations and records a session keeps at hand, of each. */
const KEPT = 512;

const LANE = 'SELECT * FROM lanes WHERE session = ? AND isolation = ? AND branch = ?';
const NEW_LANE = `
  INSERT INTO lanes SELECT next, ?1, ?2, ?3, coalesce(?4, next), ${FIRST_REVISION}, 0, 0, NULL, NULL, 0, 0
  FROM (SELECT coalesce(max(lane), 0) + 1 AS next FROM lanes) RETURNING *`;
const SAVE_LANE = `
  UPDATE lanes SET revision = ?, events = ?, tokens = ?, first_seq = ?, first_user_seq = ?,
    isolation_events = ?, isolation_tokens = ? WHERE lane = ?`;
const SAVE_INVOCATION = `
  INSERT INTO invocations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (session, ordinal) DO UPDATE SET lanes = ?5, opened_by = ?6, state = ?7, lease_expires_at = ?8`;

/**
 * What a connection knows of one session while nobody else writes to the file: its head, and the lanes, invocations and
 * records read so far. All of it is thrown away when another connection commits or a transaction fails.
 */
export class SqliteSession {
  readonly id: number;
  readonly database: Database;
  lastSeq: Seq;
  lastId: EventId;
  invocationCount: number;
  /** Records read so far, by row. */
  readonly records: Map<number, StoredRecord> = new Map();
  readonly #lanes = new Map<LaneKey, LaneRow>();
  readonly #lanesById = new Map<number, LaneRow>();
  readonly #invocations = new Map<InvocationId, Invocation>();
  readonly #invocationIds = new Map<number, InvocationId>();
  readonly #changedLanes = new Set<LaneRow>();
  readonly #changedInvocations = new Set<InvocationId>();

  constructor(database: Database, id: number) {
    this.database = database;
    this.id = id;
    const last = database.get<{ readonly place: number; readonly id: EventId }>(
      'SELECT place, id FROM events WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1',
      placeOf(id, 0),
      placeOf(id + 1, 0) - 1,
    );
    this.lastSeq = last === undefined ? 0 : seqOf(last.place);
    this.lastId = last?.id ?? ('' as EventId);
    const newest = database.get<{ readonly ordinal: number }>(
      'SELECT ordinal FROM invocations WHERE session = ? ORDER BY ordinal DESC LIMIT 1',
      id,
    );
    this.invocationCount = newest?.ordinal ?? 0;
  }

  place(seq: Seq): number {
    return placeOf(this.id, seq);
  }

  lane(lane: Lane): LaneRow | undefined {
    const known = this.#lanes.get(laneKey(lane));
    if (known !== undefined) return known;
    if (!laneKey(lane).isWellFormed()) return undefined;
    const row = this.database.get<LaneColumns>(LANE, this.id, lane.isolation, lane.branch);
    return row === undefined ? undefined : this.#keepLane(row);
  }

  /** The lane's row, made where there is none; the root of its isolation then has one too. */
  ensureLane(lane: Lane): LaneRow {
    const known = this.lane(lane);
    if (known !== undefined) return known;
    const root = isRootBranch(lane) ? null : this.ensureLane({ branch: '', isolation: lane.isolation }).id;
    const row = this.database.get<LaneColumns>(NEW_LANE, this.id, lane.isolation, lane.branch, root);
    if (row === undefined) throw new StoreError('making a lane');
    return this.#keepLane(row);
  }

  laneById(id: number): LaneRow {
    const known = this.#lanesById.get(id);
    if (known !== undefined) return known;
    const row = this.database.get<LaneColumns>('SELECT * FROM lanes WHERE lane = ?', id);
    if (row === undefined) throw new StoreError('reading a lane', { problem: `there is no lane ${id}` });
    return this.#keepLane(row);
  }

  /** The root branch of the lane's isolation. */
  rootOf(lane: LaneRow): LaneRow {
    return lane.root === lane.id ? lane : this.laneById(lane.root);
  }

  changeLane(lane: LaneRow, change: Partial<Omit<LaneRow, 'id' | 'root' | 'lane'>>): void {
    Object.assign(lane, change);
    this.#changedLanes.add(lane);
  }

  /** Raises the revisions that a change of these lanes' coverage makes stale, each once. */
  raise(lanes: Iterable<LaneRow>): void {
    for (const lane of new Set(lanes)) this.changeLane(lane, { revision: lane.revision + 1 });
  }

  invocation(id: InvocationId): Invocation | undefined {
    const known = this.#invocations.get(id);
    if (known !== undefined) return known;
    if (!id.isWellFormed()) return undefined;
    const row = this.database.get<InvocationColumns>(
      'SELECT * FROM invocations WHERE session = ? AND id = ?',
      this.id,
      id,
    );
    return row === undefined ? undefined : this.#keepInvocation(row);
  }

  invocationAt(ordinal: number): Invocation {
    const known = this.#invocations.get(this.#invocationIds.get(ordinal) ?? ('' as InvocationId));
    if (known !== undefined) return known;
    const row = this.database.get<InvocationColumns>(
      'SELECT * FROM invocations WHERE session = ? AND ordinal = ?',
      this.id,
      ordinal,
    );
    if (row === undefined) {
      throw new StoreError('reading an invocation', { problem: `there is no invocation ${ordinal}` });
    }
    return this.#keepInvocation(row);
  }

  allInvocations(): readonly Invocation[] {
    return this.database
      .all<InvocationColumns>('SELECT * FROM invocations WHERE session = ? ORDER BY ordinal', this.id)
      .map(toInvocation);
  }

  setInvocation(invocation: Invocation): void {
    if (this.#invocations.get(invocation.id) === invocation) return;
    this.#invocations.set(invocation.id, invocation);
    this.#invocationIds.set(invocation.ordinal, invocation.id);
    this.#changedInvocations.add(invocation.id);
    this.invocationCount = Math.max(this.invocationCount, invocation.ordinal);
  }

  /** Writes what changed. A batch of events writes its lanes and invocations once. */
  flush(): void {
    for (const lane of this.#changedLanes) {
      this.database.run(
        SAVE_LANE,
        lane.revision,
        lane.events,
        lane.tokens,
        lane.firstSeq,
        lane.firstUserSeq,
        lane.isolationEvents,
        lane.isolationTokens,
        lane.id,
      );
    }
    this.#changedLanes.clear();
    for (const id of this.#changedInvocations) this.#saveInvocation(this.#invocations.get(id) as Invocation);
    this.#changedInvocations.clear();
    if (this.#invocations.size > KEPT) {
      this.#invocations.clear();
      this.#invocationIds.clear();
    }
    if (this.#lanes.size > KEPT) {
      this.#lanes.clear();
      this.#lanesById.clear();
    }
    if (this.records.size > KEPT) this.records.clear();
  }

  #saveInvocation(invocation: Invocation): void {
    this.database.run(
      SAVE_INVOCATION,
      this.id,
      invocation.ordinal,
      invocation.id,
      JSON.stringify(invocation.lane),
      JSON.stringify(invocation.lanes),
      invocation.openedBy,
      invocation.state,
      invocation.leaseExpiresAt,
    );
  }

  #keepLane(row: LaneColumns): LaneRow {
    const lane: LaneRow = {
      id: row.lane,
      root: row.root,
      lane: Object.freeze({ branch: row.branch, isolation: row.isolation }),
      revision: row.revision,
      events: row.events,
      tokens: row.tokens,
      firstSeq: row.first_seq,
      firstUserSeq: row.first_user_seq,
      isolationEvents: row.isolation_events,
      isolationTokens: row.isolation_tokens,
    };
    this.#lanes.set(laneKey(lane.lane), lane);
    this.#lanesById.set(lane.id, lane);
    return lane;
  }

  #keepInvocation(row: InvocationColumns): Invocation {
    const invocation = toInvocation(row);
    this.#invocations.set(invocation.id, invocation);
    this.#invocationIds.set(invocation.ordinal, invocation.id);
    return invocation;
  }
}

function toInvocation(row: InvocationColumns): Invocation {
  const lane = (text: { readonly branch: string; readonly isolation: string }): Lane =>
    Object.freeze({ branch: text.branch, isolation: text.isolation });
  const lanes: readonly Lane[] = JSON.parse(row.lanes);
  return Object.freeze({
    id: row.id,
    ordinal: row.ordinal,
    lane: lane(JSON.parse(row.lane)),
    lanes: Object.freeze(lanes.map(lane)),
    openedBy: row.opened_by,
    state: row.state,
    leaseExpiresAt: row.lease_expires_at,
  });
}
