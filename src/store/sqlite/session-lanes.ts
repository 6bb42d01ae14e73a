import { StoreError } from '../../event/errors.ts';
import type { StoredEvent } from '../../event/event.ts';
import type { LaneKey, Seq } from '../../event/ids.ts';
import { isRootBranch, type Lane, laneKey } from '../../event/lane.ts';
import type { Database } from './database.ts';
import { placeOf } from './place.ts';

/** The revision a lane begins with, whether or not it has a row yet. */
export const FIRST_REVISION = 1;

/** A lane as it is now. Changed in place; {@link SessionLanes.save} writes it. */
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

/** What of a lane, and of the isolation of a root branch, its row does not count yet. */
interface Uncounted {
  events: number;
  tokens: number;
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

/** Lanes a session keeps at hand. */
const KEPT = 512;

const LANE = 'SELECT * FROM lanes WHERE session = ? AND isolation = ? AND branch = ?';
const NEW_LANE = `
  INSERT INTO lanes SELECT next, ?1, ?2, ?3, coalesce(?4, next), ${FIRST_REVISION}, 0, 0, NULL, NULL, 0, 0
  FROM (SELECT coalesce(max(lane), 0) + 1 AS next FROM lanes) RETURNING *`;
const SAVE_LANE = `
  UPDATE lanes SET revision = ?, events = ?, tokens = ?, first_seq = ?, first_user_seq = ?,
    isolation_events = ?, isolation_tokens = ? WHERE lane = ?`;
/** The lanes of one session, as far as they were asked for, and what of their counts is not written yet. */
export class SessionLanes {
  readonly #database: Database;
  readonly #session: number;
  readonly #byKey = new Map<LaneKey, LaneRow>();
  readonly #byId = new Map<number, LaneRow>();
  readonly #changed = new Set<number>();
  readonly #uncounted = new Map<number, Uncounted>();

  constructor(database: Database, session: number) {
    this.#database = database;
    this.#session = session;
  }

  /** Reads the events that came after those counted on the lanes' rows. */
  readUncounted(first: Seq, last: Seq): void {
    const rows = this.#database.all<{
      readonly lane: number;
      readonly root: number;
      readonly tokens: number;
    }>(
      `SELECT e.lane, l.root, e.tokens FROM events e CROSS JOIN lanes l ON l.lane = e.lane
       WHERE e.place BETWEEN ? AND ?`,
      placeOf(this.#session, first),
      placeOf(this.#session, last),
    );
    for (const { lane, root, tokens } of rows) this.#addUncounted(lane, root, tokens);
  }

  find(lane: Lane): LaneRow | undefined {
    const known = this.#byKey.get(laneKey(lane));
    if (known !== undefined) return known;
    if (!laneKey(lane).isWellFormed()) return undefined;
    const row = this.#database.get<LaneColumns>(LANE, this.#session, lane.isolation, lane.branch);
    return row === undefined ? undefined : this.#keep(row);
  }

  /** The lane's row, made where there is none; the root of its isolation then has one too. */
  ensure(lane: Lane): LaneRow {
    const known = this.find(lane);
    if (known !== undefined) return known;
    const root = isRootBranch(lane) ? null : this.ensure({ branch: '', isolation: lane.isolation }).id;
    const row = this.#database.get<LaneColumns>(NEW_LANE, this.#session, lane.isolation, lane.branch, root);
    if (row === undefined) throw new StoreError('making a lane');
    return this.#keep(row);
  }

  at(id: number): LaneRow {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const row = this.#database.get<LaneColumns>('SELECT * FROM lanes WHERE lane = ?', id);
    if (row === undefined) throw new StoreError('reading a lane', { problem: `there is no lane ${id}` });
    return this.#keep(row);
  }

  /** The root branch of the lane's isolation. */
  rootOf(lane: LaneRow): LaneRow {
    return lane.root === lane.id ? lane : this.at(lane.root);
  }

  change(lane: LaneRow, change: Partial<Omit<LaneRow, 'id' | 'root' | 'lane'>>): void {
    Object.assign(lane, change);
    this.#changed.add(lane.id);
  }

  /** Takes in the next event of the session, which is of that lane. */
  count(lane: LaneRow, event: Pick<StoredEvent, 'seq' | 'role' | 'tokens'>): void {
    const { seq, tokens } = event;
    const root = this.rootOf(lane);
    lane.events += 1;
    lane.tokens += tokens;
    root.isolationEvents += 1;
    root.isolationTokens += tokens;
    this.#addUncounted(lane.id, root.id, tokens);
    if (lane.firstSeq === null) this.change(lane, { firstSeq: seq });
    if (event.role === 'user' && lane.firstUserSeq === null) this.change(lane, { firstUserSeq: seq });
  }

  /** Raises the revisions that a change of these lanes' coverage makes stale, each once. */
  raise(lanes: Iterable<LaneRow>): void {
    for (const lane of new Set(lanes)) this.change(lane, { revision: lane.revision + 1 });
  }

  /** Whether something other than counts has changed. */
  get changed(): boolean {
    return this.#changed.size > 0;
  }

  /** Writes the lanes that changed, and all counts. */
  save(): void {
    for (const id of new Set([...this.#uncounted.keys(), ...this.#changed])) {
      const lane = this.at(id);
      this.#database.run(
        SAVE_LANE,
        lane.revision,
        lane.events,
        lane.tokens,
        lane.firstSeq,
        lane.firstUserSeq,
        lane.isolationEvents,
        lane.isolationTokens,
        id,
      );
    }
    this.#uncounted.clear();
    this.#changed.clear();
  }

  /** Forgets lanes when there are many; between transactions, since a row is changed in place. */
  trim(): void {
    if (this.#byKey.size <= KEPT) return;
    this.#byKey.clear();
    this.#byId.clear();
  }

  #addUncounted(lane: number, root: number, tokens: number): void {
    const own = this.#uncountedOf(lane);
    own.events += 1;
    own.tokens += tokens;
    const whole = this.#uncountedOf(root);
    whole.isolationEvents += 1;
    whole.isolationTokens += tokens;
  }

  #uncountedOf(lane: number): Uncounted {
    const known = this.#uncounted.get(lane);
    if (known !== undefined) return known;
    const none = { events: 0, tokens: 0, isolationEvents: 0, isolationTokens: 0 };
    this.#uncounted.set(lane, none);
    return none;
  }

  #keep(row: LaneColumns): LaneRow {
    const more = this.#uncounted.get(row.lane);
    const lane: LaneRow = {
      id: row.lane,
      root: row.root,
      lane: Object.freeze({ branch: row.branch, isolation: row.isolation }),
      revision: row.revision,
      events: row.events + (more?.events ?? 0),
      tokens: row.tokens + (more?.tokens ?? 0),
      firstSeq: row.first_seq,
      firstUserSeq: row.first_user_seq,
      isolationEvents: row.isolation_events + (more?.isolationEvents ?? 0),
      isolationTokens: row.isolation_tokens + (more?.isolationTokens ?? 0),
    };
    this.#byKey.set(laneKey(lane.lane), lane);
    this.#byId.set(lane.id, lane);
    return lane;
  }
}
