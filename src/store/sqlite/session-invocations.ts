import { StoreError } from '../../event/errors.ts';
import type { StoredEvent } from '../../event/event.ts';
import type { InvocationId } from '../../event/ids.ts';
import type { Invocation, InvocationState } from '../../event/invocation.ts';
import type { Lane } from '../../event/lane.ts';
import type { Database } from './database.ts';
import { placeOf } from './place.ts';

interface InvocationColumns {
  readonly ordinal: number;
  readonly id: InvocationId;
  readonly lane: string;
  readonly lanes: string;
  readonly opened_by: number | null;
  readonly state: InvocationState;
  readonly lease_expires_at: number | null;
}

/** Invocations a session keeps at hand. */
const KEPT = 512;

const SAVE_INVOCATION = `
  INSERT INTO invocations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (session, ordinal) DO UPDATE SET lanes = ?5, opened_by = ?6, state = ?7, lease_expires_at = ?8`;

const OF_EVENTS = `
  SELECT i.* FROM json_each(?2) p
  CROSS JOIN events e ON e.place = p.value
  CROSS JOIN invocations i ON i.session = ?1 AND i.ordinal = e.invocation`;

/** The invocations of one session, as far as they were asked for. */
export class SessionInvocations {
  readonly #database: Database;
  readonly #session: number;
  readonly #byId = new Map<InvocationId, Invocation>();
  readonly #ids = new Map<number, InvocationId>();
  readonly #changed = new Set<InvocationId>();
  /** The newest one's ordinal; 0 while there is none. */
  count: number;

  constructor(database: Database, session: number) {
    this.#database = database;
    this.#session = session;
    const newest = database.get<{ readonly ordinal: number }>(
      'SELECT ordinal FROM invocations WHERE session = ? ORDER BY ordinal DESC LIMIT 1',
      session,
    );
    this.count = newest?.ordinal ?? 0;
  }

  find(id: InvocationId): Invocation | undefined {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    if (!id.isWellFormed()) return undefined;
    const row = this.#database.get<InvocationColumns>(
      'SELECT * FROM invocations WHERE session = ? AND id = ?',
      this.#session,
      id,
    );
    return row === undefined ? undefined : this.#keep(row);
  }

  /** Reads the invocations of events at once, as far as they are not at hand: by the events' rows, which were just read. */
  readThoseOf(events: Iterable<Pick<StoredEvent, 'seq' | 'invocation'>>): void {
    const places = new Map<InvocationId, number>();
    for (const { seq, invocation } of events) {
      if (!this.#byId.has(invocation)) places.set(invocation, placeOf(this.#session, seq));
    }
    if (places.size === 0) return;
    const rows = this.#database.all<InvocationColumns>(
      OF_EVENTS,
      this.#session,
      JSON.stringify([...places.values()]),
    );
    for (const row of rows) this.#keep(row);
  }

  at(ordinal: number): Invocation {
    const known = this.#byId.get(this.#ids.get(ordinal) ?? ('' as InvocationId));
    if (known !== undefined) return known;
    const row = this.#database.get<InvocationColumns>(
      'SELECT * FROM invocations WHERE session = ? AND ordinal = ?',
      this.#session,
      ordinal,
    );
    if (row === undefined) {
      throw new StoreError('reading an invocation', { problem: `there is no invocation ${ordinal}` });
    }
    return this.#keep(row);
  }

  all(): readonly Invocation[] {
    return this.#database
      .all<InvocationColumns>('SELECT * FROM invocations WHERE session = ? ORDER BY ordinal', this.#session)
      .map(toInvocation);
  }

  set(invocation: Invocation): void {
    if (this.#byId.get(invocation.id) === invocation) return;
    this.#byId.set(invocation.id, invocation);
    this.#ids.set(invocation.ordinal, invocation.id);
    this.#changed.add(invocation.id);
    this.count = Math.max(this.count, invocation.ordinal);
  }

  /** Writes what changed. */
  save(): void {
    for (const id of this.#changed) this.#save(this.#byId.get(id) as Invocation);
    this.#changed.clear();
  }

  /** Forgets invocations when there are many. */
  trim(): void {
    if (this.#byId.size <= KEPT) return;
    this.#byId.clear();
    this.#ids.clear();
  }

  #save(invocation: Invocation): void {
    this.#database.run(
      SAVE_INVOCATION,
      this.#session,
      invocation.ordinal,
      invocation.id,
      JSON.stringify(invocation.lane),
      JSON.stringify(invocation.lanes),
      invocation.openedBy,
      invocation.state,
      invocation.leaseExpiresAt,
    );
  }

  #keep(row: InvocationColumns): Invocation {
    const invocation = toInvocation(row);
    this.#byId.set(invocation.id, invocation);
    this.#ids.set(invocation.ordinal, invocation.id);
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
