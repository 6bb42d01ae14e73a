import type { EventId, Seq } from '../../event/ids.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { ExchangeId } from '../../event/obligation.ts';
import type { Attempt } from '../../plan/attempt.ts';
import type { Database } from './database.ts';
import { type LateEvent, LateEvents } from './late-events.ts';
import { LateObligations } from './late-obligations.ts';
import { noteStored, writeObligations } from './obligation-rows.ts';
import { placeOf, seqOf } from './place.ts';
import type { StoredRecord } from './record-rows.ts';
import { SessionInvocations } from './session-invocations.ts';
import { type LaneRow, SessionLanes } from './session-lanes.ts';

/** Records, and attempts, a session keeps at hand. */
const KEPT = 512;
/** A lone event's rows beside its own are written with those of this many others. */
const SETTLED_TOGETHER = 16;

const LATE = `
  SELECT e.seq, e.id, e.lane, l.root, e.pinned, e.tokens, e.exchange, e.event FROM events e CROSS JOIN lanes l ON l.lane = e.lane
  WHERE e.place BETWEEN ? AND ? ORDER BY e.place`;
const WRITE_IDS = `
  INSERT INTO event_ids (session, id, seq) SELECT session, id, seq FROM events WHERE place BETWEEN ? AND ?`;
const WRITE_UNCOVERED = `
  INSERT INTO uncovered (root, under, seq, lane)
  SELECT l.root, 0, e.seq, e.lane FROM events e CROSS JOIN lanes l ON l.lane = e.lane WHERE e.place BETWEEN ? AND ?`;

interface LateColumns extends Omit<LateEvent, 'pinned'> {
  readonly pinned: number;
  readonly id: EventId;
  readonly tokens: number;
  readonly exchange: ExchangeId;
  readonly event: string;
}

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
  readonly late: LateEvents = new LateEvents();
  readonly lateObligations: LateObligations = new LateObligations();
  #lastSeq: Seq;
  #lastId: EventId;
  /** Through which seq all rows are written. */
  #settled: Seq;
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
    this.#settled = head?.counted ?? 0;
    if (this.#settled < this.#lastSeq) this.#readLate();
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
  append(seq: Seq, id: EventId, lane: LaneRow, pinned: boolean): void {
    this.late.add({ seq, lane: lane.id, root: lane.root, pinned }, id);
    this.#lastSeq = seq;
    this.#lastId = id;
    this.#appended += 1;
  }

  /** Takes over events that were stored together, with what says where they are covered. */
  adopt(lastSeq: Seq, lastId: EventId): void {
    this.#lastSeq = lastSeq;
    this.#lastId = lastId;
    this.#writeIds();
    this.#saveSettled();
  }

  /** Writes what of the late events is not written yet: before anything looks for it with SQL. */
  settle(): void {
    this.lanes.save();
    if (this.#settled === this.#lastSeq) return;
    this.#writeIds();
    this.database.run(WRITE_UNCOVERED, this.place(this.#settled + 1), this.place(this.#lastSeq));
    writeObligations(this);
    this.#saveSettled();
    this.late.clear();
  }

  /** Writes what changed. A batch of events writes its lanes and invocations once. */
  flush(): void {
    const much = this.#appended > 1 || this.late.size >= SETTLED_TOGETHER;
    if (much || this.lanes.changed || this.lateObligations.areLasting) this.settle();
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

  #readLate(): void {
    const rows = this.database.all<LateColumns>(
      LATE,
      this.place(this.#settled + 1),
      this.place(this.#lastSeq),
    );
    for (const { id, tokens, exchange, event, pinned, ...late } of rows) {
      this.late.add({ ...late, pinned: pinned === 1 }, id);
      this.lanes.addUncounted(late.lane, late.root, tokens);
      noteStored(this, event, exchange);
    }
  }

  #writeIds(): void {
    this.database.run(WRITE_IDS, this.place(this.#settled + 1), this.place(this.#lastSeq));
  }

  #saveSettled(): void {
    this.#settled = this.#lastSeq;
    this.database.run('UPDATE sessions SET counted = ? WHERE session = ?', this.#settled, this.id);
  }
}
