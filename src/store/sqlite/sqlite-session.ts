import type { EventId, Seq } from '../../event/ids.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Database } from './database.ts';
import { placeOf, seqOf } from './place.ts';
import type { StoredRecord } from './record-rows.ts';
import { SessionInvocations } from './session-invocations.ts';
import { SessionLanes } from './session-lanes.ts';

/** Records a session keeps at hand. */
const KEPT = 512;
/** A lone event is counted on its lane's row with this many others: writing the row would be a fifth of its append. */
const COUNTED_TOGETHER = 16;

/**
 * What a connection knows of one session while nobody else writes to the file: its head, and the lanes, invocations,
 * records and raw events read so far. All of it is thrown away when another connection commits or a transaction fails.
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
  #lastSeq: Seq;
  #lastId: EventId;
  /** Through which seq the lanes' rows count. */
  #counted: Seq;
  #appended = 0;

  constructor(database: Database, id: number) {
    this.database = database;
    this.id = id;
    this.lanes = new SessionLanes(database, id);
    this.invocations = new SessionInvocations(database, id);
    const last = database.get<{ readonly place: number; readonly id: EventId }>(
      'SELECT place, id FROM events WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT 1',
      placeOf(id, 0),
      placeOf(id + 1, 0) - 1,
    );
    this.#lastSeq = last === undefined ? 0 : seqOf(last.place);
    this.#lastId = last?.id ?? ('' as EventId);
    const head = database.get<{ readonly counted: Seq }>(
      'SELECT counted FROM sessions WHERE session = ?',
      id,
    );
    this.#counted = head?.counted ?? 0;
    if (this.#counted < this.#lastSeq) this.lanes.readUncounted(this.#counted + 1, this.#lastSeq);
  }

  /** The newest event; 0 and '' while there is none. */
  get last(): { readonly seq: Seq; readonly id: EventId } {
    return { seq: this.#lastSeq, id: this.#lastId };
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
    this.#appended = 0;
    this.invocations.save();
    if (this.records.size > KEPT) this.records.clear();
  }

  #saveCounted(): void {
    this.#counted = this.#lastSeq;
    this.database.run('UPDATE sessions SET counted = ? WHERE session = ?', this.#counted, this.id);
  }
}
