import { forkOf, forksAround } from '../../coverage/fork.ts';
import { extentOf } from '../../coverage/live-records.ts';
import type { CompactionRecord, RecordState } from '../../coverage/record.ts';
import { RecordGraph } from '../../coverage/record-graph.ts';
import type { Span, Spans } from '../../coverage/span.ts';
import { NotFoundError, StoreError } from '../../event/errors.ts';
import type { RecordId } from '../../event/ids.ts';
import { deepFreeze } from '../build-record.ts';
import type { Database } from './database.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** A record and what the file keeps beside it, derived from all records. */
export interface StoredRecord {
  readonly row: number;
  readonly record: CompactionRecord;
  /** What it covers, itself and through what it supersedes, in the fewest spans. */
  readonly covers: Spans;
  readonly undone: boolean;
  readonly live: boolean;
  /** Of a live lane's record: whether it lies in a live root view. */
  readonly under: boolean;
}

interface RecordColumns {
  readonly record: number;
  readonly id: string;
  readonly undone: number;
  readonly live: number;
  readonly under: number;
  readonly covers: string;
  readonly body: string;
}

type RowId = { readonly record: number };

function toStored(row: RecordColumns): StoredRecord {
  try {
    const record: CompactionRecord = deepFreeze(JSON.parse(row.body));
    const covers: Spans = deepFreeze(JSON.parse(row.covers));
    return {
      row: row.record,
      record,
      covers,
      undone: row.undone === 1,
      live: row.live === 1,
      under: row.under !== 0,
    };
  } catch (cause) {
    throw new StoreError(`reading record ${row.id}`, { problem: 'its stored text is damaged', cause });
  }
}

export function recordAt(session: SqliteSession, row: number): StoredRecord {
  const known = session.records.get(row);
  if (known !== undefined) return known;
  const columns = session.database.get<RecordColumns>('SELECT * FROM records WHERE record = ?', row);
  if (columns === undefined) throw new StoreError('reading a record', { problem: `there is no row ${row}` });
  return keep(session, columns);
}

/** The record of that id, or undefined. */
export function findRecord(session: SqliteSession, id: RecordId): StoredRecord | undefined {
  const row = session.database.get<RowId>(
    'SELECT record FROM records WHERE session = ? AND id = ?',
    session.id,
    id,
  );
  return row === undefined ? undefined : recordAt(session, row.record);
}

export function requireRecord(session: SqliteSession, id: RecordId): StoredRecord {
  const stored = findRecord(session, id);
  if (stored === undefined) throw new NotFoundError('record', id);
  return stored;
}

/** Every record, oldest first. */
export function allRecords(session: SqliteSession): readonly StoredRecord[] {
  return session.database
    .all<RecordColumns>('SELECT * FROM records WHERE session = ? ORDER BY record', session.id)
    .map(toStored);
}

/** The live records the root branch of an isolation sees. */
export function seenAtRoot(session: SqliteSession, root: number): readonly StoredRecord[] {
  return load(
    session,
    session.database.all<RowId>(
      'SELECT record FROM records WHERE root = ? AND live = 1 AND under = 0 ORDER BY first',
      root,
    ),
  );
}

/** The live records of a lane itself. */
export function liveOfLane(session: SqliteSession, lane: number): readonly StoredRecord[] {
  return load(
    session,
    session.database.all<RowId>(
      'SELECT record FROM records WHERE lane = ? AND live = 1 AND root_view = 0 ORDER BY first',
      lane,
    ),
  );
}

const REACHING = (kinds: string): string => `
  SELECT record FROM records
    WHERE root = ?1 AND root_view IN (${kinds}) AND fork BETWEEN ?2 AND ?3 AND (live = 1 OR undone = 1)
  UNION ALL SELECT r.record FROM json_each(?4) f
    CROSS JOIN records r ON r.root = ?1 AND r.root_view IN (${kinds}) AND r.fork = f.value
    WHERE (r.live = 1 OR r.undone = 1) AND r.last >= ?2
  UNION ALL SELECT r.record FROM json_each(?5) f
    CROSS JOIN records r ON r.root = ?1 AND r.root_view IN (${kinds}) AND r.fork = f.value
    WHERE (r.live = 1 OR r.undone = 1) AND r.first <= ?3`;
const REACHING_RECORDS = REACHING('0, 1');
const REACHING_VIEWS = REACHING('1');

/** The records of an isolation that are live or undone and reach into a span: all that judging its events takes. */
export function reachingInto(session: SqliteSession, root: number, span: Span): readonly StoredRecord[] {
  return reaching(session, REACHING_RECORDS, root, span);
}

/** The live root views of an isolation that reach into a span. */
export function viewsReachingInto(session: SqliteSession, root: number, span: Span): readonly StoredRecord[] {
  return reaching(session, REACHING_VIEWS, root, span).filter((stored) => stored.live);
}

function reaching(session: SqliteSession, sql: string, root: number, span: Span): readonly StoredRecord[] {
  const { below, above } = forksAround(span, session.last.seq);
  const { first, last } = span;
  const rows = session.database.all<RowId>(
    sql,
    root,
    first,
    last,
    JSON.stringify(below),
    JSON.stringify(above),
  );
  return load(session, rows);
}

/** Fills the forks of records that were stored before there were any. */
export function fillForks(database: Database): void {
  const rows = database.all<Span & RowId>('SELECT record, first, last FROM records');
  for (const { record, first, last } of rows)
    database.run('UPDATE records SET fork = ? WHERE record = ?', forkOf({ first, last }), record);
}

/**
 * The records whose fate hangs on a record's: those it supersedes (and, through undone ones, those they do), and
 * whatever supersedes any of them.
 */
export function dependents(session: SqliteSession, of: StoredRecord): readonly StoredRecord[] {
  const found = new Map<number, StoredRecord>([[of.row, of]]);
  const below = [of];
  for (let next = below.pop(); next !== undefined; next = below.pop()) {
    for (const id of next.record.supersedes) {
      const child = findRecord(session, id);
      if (child === undefined || found.has(child.row)) continue;
      found.set(child.row, child);
      if (child.undone) below.push(child);
    }
  }
  const above = [...found.keys()];
  for (let next = above.pop(); next !== undefined; next = above.pop()) {
    const rows = session.database.all<RowId>('SELECT record FROM supersessions WHERE superseded = ?', next);
    for (const { record } of rows) {
      if (found.has(record)) continue;
      found.set(record, recordAt(session, record));
      above.push(record);
    }
  }
  return [...found.values()];
}

/** The undone records that were made from the summaries of these. */
export function undoneNaming(
  session: SqliteSession,
  records: readonly StoredRecord[],
): readonly StoredRecord[] {
  if (records.length === 0) return [];
  const rows = JSON.stringify(records.map((stored) => stored.row));
  return load(session, session.database.all<RowId>(UNDONE_NAMING, rows));
}

const UNDONE_NAMING = `
  SELECT r.record FROM json_each(?1) v
    CROSS JOIN supersessions s ON s.superseded = v.value
    CROSS JOIN records r ON r.record = s.record AND r.undone = 1
  UNION
  SELECT r.record FROM json_each(?1) v
    CROSS JOIN overs o ON o.below = v.value
    CROSS JOIN records r ON r.record = o.record AND r.undone = 1`;

/** Records by row, each once, in the order of their commits. */
export function inOrder(...lists: readonly (readonly StoredRecord[])[]): readonly StoredRecord[] {
  const byRow = new Map<number, StoredRecord>();
  for (const list of lists) for (const stored of list) byRow.set(stored.row, stored);
  return [...byRow.values()].sort((a, b) => a.row - b.row);
}

/** The graph of some of a session's records, in the order of their commits. */
export function graphOf(records: readonly StoredRecord[]): RecordGraph {
  const covers = new Map(records.map((stored) => [stored.record.id, stored.covers]));
  return new RecordGraph(records.map(stateOf), { fullSpans: covers });
}

export function stateOf({ record, undone }: StoredRecord): RecordState {
  return Object.freeze({ record, undone });
}

/** Adds a record's row; what it derives is settled after. */
export function insertRecord(
  session: SqliteSession,
  lane: LaneRow,
  { record, undone, covers }: Pick<StoredRecord, 'record' | 'undone' | 'covers'>,
): StoredRecord {
  const extent = extentOf(covers);
  const { row } = session.database.get<{ readonly row: number }>(
    `INSERT INTO records (session, id, lane, root, root_view, first, last, fork, undone, live, under, covers, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?) RETURNING record AS row`,
    session.id,
    record.id,
    lane.id,
    lane.root,
    record.rootView ? 1 : 0,
    extent.first,
    extent.last,
    forkOf(extent),
    undone ? 1 : 0,
    JSON.stringify(covers),
    JSON.stringify(record),
  ) as { readonly row: number };
  for (const id of record.supersedes) {
    const superseded = findRecord(session, id);
    if (superseded === undefined) continue;
    session.database.run('INSERT OR IGNORE INTO supersessions VALUES (?, ?)', superseded.row, row);
  }
  for (const id of record.over) {
    const below = findRecord(session, id);
    if (below !== undefined)
      session.database.run('INSERT OR IGNORE INTO overs VALUES (?, ?)', below.row, row);
  }
  const stored = { row, record, covers, undone, live: false, under: false };
  session.records.set(row, stored);
  return stored;
}

/** Writes what the graph says of records: which are live, and which of them lie under a live root view. */
export function saveStanding(
  session: SqliteSession,
  records: readonly StoredRecord[],
  graph: RecordGraph,
): void {
  for (const stored of records) {
    const { record } = stored;
    const live = graph.isLive(record.id);
    const isUnder = (): boolean =>
      graph.rootViewAt(record.lane.isolation, graph.extent(record).first) !== null;
    const under = live && !record.rootView && isUnder();
    saveRecord(session, stored, { ...stored, live, under });
  }
}

/** Writes a record's marks if they changed. */
export function saveRecord(session: SqliteSession, before: StoredRecord, after: StoredRecord): void {
  if (before.undone === after.undone && before.live === after.live && before.under === after.under) return;
  session.records.set(after.row, after);
  session.database.run(
    'UPDATE records SET undone = ?, live = ?, under = ? WHERE record = ?',
    after.undone ? 1 : 0,
    after.live ? 1 : 0,
    after.under ? 1 : 0,
    after.row,
  );
}

function keep(session: SqliteSession, columns: RecordColumns): StoredRecord {
  const stored = toStored(columns);
  session.records.set(stored.row, stored);
  return stored;
}

function load(session: SqliteSession, rows: readonly RowId[]): readonly StoredRecord[] {
  const missing = rows.filter((row) => !session.records.has(row.record)).map((row) => row.record);
  if (missing.length > 0) {
    const columns = session.database.all<RecordColumns>(
      'SELECT r.* FROM json_each(?) v CROSS JOIN records r ON r.record = v.value',
      JSON.stringify(missing),
    );
    for (const row of columns) keep(session, row);
  }
  return rows.map((row) => recordAt(session, row.record));
}
