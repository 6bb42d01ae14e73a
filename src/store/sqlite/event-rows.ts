import type { CountInSpans } from '../../coverage/record-graph.ts';
import type { Span, Spans } from '../../coverage/span.ts';
import { StoreError } from '../../event/errors.ts';
import type { StoredEvent } from '../../event/event.ts';
import type { EventId, Seq } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import type { Link } from '../../event/link.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { deepFreeze } from '../build-record.ts';
import { takePreceding } from '../preceding.ts';
import { edgesOfLane, newestOfLane, seqsOfLane } from './lane-seqs.ts';
import { seqOf } from './place.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** Columns of an event `e` that {@link loggedIn} reads. */
export const LOGGED =
  'e.place, e.id, e.lane, e.exchange, e.pinned, e.lane_ordinal, e.isolation_ordinal, e.tokens, e.hash, e.event';

export interface LoggedColumns {
  readonly place: number;
  readonly id: string;
  readonly lane: number;
  readonly exchange: Seq;
  readonly pinned: number;
  readonly lane_ordinal: number;
  readonly isolation_ordinal: number;
  readonly tokens: number;
  readonly hash: string;
  readonly event: string;
}

/** Makes logged events of rows. `StoreError` naming the seq when a stored text is no event. */
export function loggedIn(session: SqliteSession): (row: LoggedColumns) => LoggedEvent {
  return (row) => {
    const event = parseEvent(row);
    return Object.freeze({
      event,
      exchange: row.exchange,
      pinned: row.pinned === 1,
      laneOrdinal: row.lane_ordinal,
      isolationOrdinal: row.isolation_ordinal,
      // A row that says otherwise than its text, and is what counts go by, has no hash that could be right: verify names it.
      hash: agrees(row, event, session.lanes.at(row.lane).lane) ? row.hash : '',
    });
  };
}

/** Whether what the row repeats of the event, for indexes and counts, is what the event says. */
function agrees(row: LoggedColumns, event: StoredEvent, lane: Lane): boolean {
  return (
    event.id === row.id &&
    event.tokens === row.tokens &&
    event.lane?.branch === lane.branch &&
    event.lane.isolation === lane.isolation
  );
}

function parseEvent(row: LoggedColumns): StoredEvent {
  let event: unknown;
  try {
    event = JSON.parse(row.event);
  } catch (cause) {
    throw unreadable(row.place, cause);
  }
  if (typeof event !== 'object' || event === null) throw unreadable(row.place, undefined);
  return deepFreeze(event as StoredEvent);
}

function unreadable(place: number, cause: unknown): StoreError {
  return new StoreError(`reading event ${seqOf(place)}`, { problem: 'its stored text is damaged', cause });
}

const INSERT = `
  INSERT INTO events (place, id, lane, invocation, exchange, pinned, reply, joins, lane_ordinal, isolation_ordinal,
    tokens, hash, event) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** What of an event's row is not the event itself. */
export interface Placing {
  readonly lane: LaneRow;
  readonly invocation: number;
  readonly exchange: Seq;
  readonly pinned: boolean;
  readonly link: Pick<Link, 'joins'>;
  readonly laneOrdinal: number;
  readonly isolationOrdinal: number;
  readonly hash: string;
}

export function insertEvent(session: SqliteSession, event: StoredEvent, placing: Placing): void {
  const { joins } = placing.link;
  session.database.run(
    INSERT,
    session.place(event.seq),
    event.id,
    placing.lane.id,
    placing.invocation,
    placing.exchange,
    placing.pinned ? 1 : 0,
    event.reply ?? null,
    joins.length === 0 ? null : JSON.stringify(joins),
    placing.laneOrdinal,
    placing.isolationOrdinal,
    event.tokens,
    placing.hash,
    JSON.stringify(event),
  );
}

export function eventAt(session: SqliteSession, seq: Seq): LoggedEvent | null {
  if (!Number.isSafeInteger(seq) || seq < 1 || seq > session.last.seq) return null;
  const row = session.database.get<LoggedColumns>(
    `SELECT ${LOGGED} FROM events e WHERE e.place = ?`,
    session.place(seq),
  );
  return row === undefined ? null : loggedIn(session)(row);
}

export function eventWithId(session: SqliteSession, id: EventId): LoggedEvent | null {
  // SQLite would take an ill-formed id for one with replacement characters; none is stored.
  if (!id.isWellFormed()) return null;
  const row = session.database.get<LoggedColumns>(
    `SELECT ${LOGGED} FROM events e WHERE e.session = ? AND e.id = ?`,
    session.id,
    id,
  );
  return row === undefined ? null : loggedIn(session)(row);
}

/** Events by seq, in seq order. */
export function eventsAt(session: SqliteSession, seqs: readonly Seq[]): readonly LoggedEvent[] {
  if (seqs.length === 0) return [];
  // Sorted here: SQLite would carry the events' texts through its sorter.
  return session.database
    .all<LoggedColumns>(
      `SELECT ${LOGGED} FROM json_each(?) s CROSS JOIN events e ON e.place = s.value`,
      JSON.stringify(seqs.map((seq) => session.place(seq))),
    )
    .sort((a, b) => a.place - b.place)
    .map(loggedIn(session));
}

/** Events in spans, in seq order; of one lane when one is given. */
export function eventsInSpans(session: SqliteSession, spans: Spans, lane?: Lane): readonly LoggedEvent[] {
  const laneRow = lane === undefined ? undefined : session.lanes.find(lane);
  if (lane !== undefined && laneRow === undefined) return [];
  return spans.flatMap((span) => {
    const { first, last } = clip(session, span);
    if (last < first) return [];
    if (laneRow !== undefined) return eventsAt(session, seqsOfLane(session, laneRow, { first, last }));
    return session.database
      .all<LoggedColumns>(
        `SELECT ${LOGGED} FROM events e WHERE e.place BETWEEN ? AND ? ORDER BY e.place`,
        session.place(first),
        session.place(last),
      )
      .map(loggedIn(session));
  });
}

/** The events of the newest invocations that have events of a lane before a seq. */
export function eventsBefore(
  session: SqliteSession,
  lane: Lane,
  before: Seq,
  invocations: number,
  limit: number,
): readonly LoggedEvent[] {
  const row = session.lanes.find(lane);
  if (row === undefined || limit <= 0) return [];
  const newestFirst = newestOfLane(session, row, before, limit);
  const taken = takePreceding(newestFirst, (seq) => invocationOf(session, seq), invocations, limit);
  return eventsAt(session, taken);
}

function invocationOf(session: SqliteSession, seq: Seq): number | undefined {
  return session.database.get<{ readonly invocation: number }>(
    'SELECT invocation FROM events WHERE place = ?',
    session.place(seq),
  )?.invocation;
}

/** A span as far as the session has events; empty where `last` is below `first`. */
function clip(session: SqliteSession, span: Span): Span {
  return { first: Math.max(1, span.first), last: Math.min(session.last.seq, span.last) };
}

/** What a record is made from: hash and tokens of the events its spans hold, in seq order. */
export function membersInSpans(
  session: SqliteSession,
  lane: LaneRow,
  everyBranch: boolean,
  spans: Spans,
): readonly { readonly hash: string; readonly tokens: number }[] {
  type Row = { readonly hash: string; readonly tokens: number };
  return spans.flatMap((span) =>
    everyBranch
      ? session.database.all<Row>(
          `SELECT e.hash, e.tokens FROM events e CROSS JOIN lanes l ON l.lane = e.lane AND l.root = ?
           WHERE e.place BETWEEN ? AND ? ORDER BY e.place`,
          lane.id,
          session.place(span.first),
          session.place(span.last),
        )
      : session.database.all<Row>(
          'SELECT e.hash, e.tokens FROM json_each(?) s CROSS JOIN events e ON e.place = ? + s.value',
          JSON.stringify(seqsOfLane(session, lane, span)),
          session.place(0),
        ),
  );
}

// Spans end on events of their scope, so these walk no further than their first row.
const FIRST_OF_ISOLATION = `
  SELECT e.isolation_ordinal AS ordinal FROM events e CROSS JOIN lanes l ON l.lane = e.lane AND l.root = ?
  WHERE e.place BETWEEN ? AND ? ORDER BY e.place LIMIT 1`;
const LAST_OF_ISOLATION = `
  SELECT e.isolation_ordinal AS ordinal FROM events e CROSS JOIN lanes l ON l.lane = e.lane AND l.root = ?
  WHERE e.place BETWEEN ? AND ? ORDER BY e.place DESC LIMIT 1`;

/** Counts events in spans by the ordinals of the first and the last: what a span costs does not depend on its length. */
export function countInSpans(session: SqliteSession): CountInSpans {
  return (lane, everyBranch, spans) => {
    const row = session.lanes.find(everyBranch ? { branch: '', isolation: lane.isolation } : lane);
    if (row === undefined) return 0;
    let total = 0;
    for (const span of spans) {
      const clipped = clip(session, span);
      if (clipped.last < clipped.first) continue;
      total += everyBranch ? countOfIsolation(session, row, clipped) : countOfLane(session, row, clipped);
    }
    return total;
  };
}

function countOfLane(session: SqliteSession, lane: LaneRow, span: Span): number {
  const ordinal = ordinalsOf(session, false);
  if (isOfLane(session, lane, span.first) && isOfLane(session, lane, span.last))
    return ordinal(span.last) - ordinal(span.first) + 1;
  const edges = edgesOfLane(session, lane, span);
  return edges === null ? 0 : ordinal(edges.last) - ordinal(edges.first) + 1;
}

function isOfLane(session: SqliteSession, lane: LaneRow, seq: Seq): boolean {
  const row = session.database.get<{ readonly lane: number }>(
    'SELECT lane FROM events WHERE place = ?',
    session.place(seq),
  );
  return row?.lane === lane.id;
}

/** The places of events among those of their lane, or of their isolation; 0 where there is no event. */
export function ordinalsOf(session: SqliteSession, everyBranch: boolean): (seq: Seq) => number {
  const column = everyBranch ? 'isolation_ordinal' : 'lane_ordinal';
  const sql = `SELECT ${column} AS ordinal FROM events WHERE place = ?`;
  return (seq) => session.database.get<{ readonly ordinal: number }>(sql, session.place(seq))?.ordinal ?? 0;
}

function countOfIsolation(session: SqliteSession, root: LaneRow, { first, last }: Span): number {
  const ordinal = (sql: string): number | undefined =>
    session.database.get<{ readonly ordinal: number }>(
      sql,
      root.id,
      session.place(first),
      session.place(last),
    )?.ordinal;
  const begin = ordinal(FIRST_OF_ISOLATION);
  const end = ordinal(LAST_OF_ISOLATION);
  return begin === undefined || end === undefined ? 0 : end - begin + 1;
}
