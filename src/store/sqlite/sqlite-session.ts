import type { EventId, Seq } from '../../event/ids.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Attempt } from '../../plan/attempt.ts';
import type { Database } from './database.ts';
import { placeOf, seqOf } from './place.ts';
import type { StoredRecord } from './record-rows.ts';
import { SessionInvocations } from './session-invocations.ts';
import { SessionLanes } from './session-lanes.ts';

/** Records, and attempts, a session keeps at hand. */
const KEPT = 512;
/** A lone event is counted on its lane's row with this many others: writing the row would be a fifth of its append. */
const COUNTED_TOGETHER = 16;

interface HeadColumns {
  readonly counted: Seq;
  readonly changes: number;
  readonly created_at: string;
}

/**
 * What a connection knows of one session while nobody else writes to it: its head, and the lanes, invocations, records
 * and raw events read so far. All of it is thrown away when another connection changes the session or a transaction fails.
 */
export class SqliteSession {
  readonly id: number;
  readonly database: Database;
  readonly lanes: SessionLanes;
  readonly invocations: SessionInvocations;
  /** Raw events that views have read, by seq: the next view shows most of them again. */
  readonly tail: Map<Seq, LoggedEvent> = new Map();
  /** Records read so far, by row. */
  readonly records: Map<number, StoredRecord> = new Map();
  /** Attempts read so far, by row, and the texts they were read from. */
  readonly attempts: Map<number, { readonly body: string; readonly attempt: Attempt }> = new Map();
  #lastSeq: Seq;
  #lastId: EventId;
  /** Through which seq the lanes' rows count. */
  #counted: Seq;
  #appended = 0;
  readonly #createdAt: string;
  #changes: number;

  constructor(database: Database, id: number) {
    this.database = database;
    this.id = id;
    this.lanes = new SessionLanes(database, id);
    this.invocations = new SessionInvocations(database, id);
    const last = this.#readLast();
    this.#lastSeq = last.seq;
    this.#lastId = last.id;
    const head = this.#readHead();
    this.#createdAt = head?.created_at ?? '';
    this.#changes = head?.changes ?? 0;
    this.#counted = head?.counted ?? 0;
    if (this.#counted < this.#lastSeq) this.lanes.readUncounted(this.#counted + 1, this.#lastSeq);
  }

  /** The newest event; 0 and '' while there is none. */
  get last(): { readonly seq: Seq; readonly id: EventId } {
    return { seq: this.#lastSeq, id: this.#lastId };
  }

  /** Whether what this knows still holds after others committed. */
  isCurrent(): boolean {
    const head = this.#readHead();
    if (head?.changes !== this.#changes || head.created_at !== this.#createdAt) return false;
    const last = this.#readLast();
    return last.seq === this.#lastSeq && last.id === this.#lastId;
  }

  place(seq: Seq): number {
    return placeOf(this.id, seq);
  }

  /** Takes in the next event. */
  append(seq: Seq, id: EventId): void {
    this.#lastSeq = seq;
    this.#lastId = id;
    this.#appended += 1;
  }

  /** Takes over events that were stored and counted together. */
  adopt(lastSeq: Seq, lastId: EventId): void {
    this.#lastSeq = lastSeq;
    this.#lastId = lastId;
    this.#saveCounted();
  }

  /** Writes what changed. A batch of events writes its lanes and invocations once. */
  flush(): void {
    const late = this.#lastSeq - this.#counted >= COUNTED_TOGETHER;
    if (this.lanes.changed || this.#appended > 1 || late) {
      this.lanes.save();
      if (this.#counted < this.#lastSeq) this.#saveCounted();
    }
    this.invocations.save();
    if (this.#appended === 0 && this.database.wrote) {
      this.#changes += 1;
      this.database.run('UPDATE sessions SET changes = ? WHERE session = ?', this.#changes, this.id);
    }
    this.#appended = 0;
  }

  /** Forgets what it need not keep, once a transaction is over. */
  trim(): void {
    this.lanes.trim();
    this.invocations.trim();
    if (this.records.size > KEPT) this.records.clear();
    if (this.attempts.size > KEPT) this.attempts.clear();
  }

  #readLast(): { readonly seq: Seq; readonly id: EventId } {
    const row = this.database.get<{ readonly place: number; readonly id: EventId }>(
      'SELECT place, id FROM events WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1',
      placeOf(this.id, 0),
      placeOf(this.id + 1, 0) - 1,
    );
    return row === undefined ? { seq: 0, id: '' as EventId } : { seq: seqOf(row.place), id: row.id };
  }

  #readHead(): HeadColumns | undefined {
    return this.database.get<HeadColumns>(
      'SELECT counted, changes, created_at FROM sessions WHERE session = ?',
      this.id,
    );
  }

  #saveCounted(): void {
    this.#counted = this.#lastSeq;
    this.database.run('UPDATE sessions SET counted = ? WHERE session = ?', this.#counted, this.id);
  }
}
