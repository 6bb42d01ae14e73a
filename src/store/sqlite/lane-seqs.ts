import type { Span } from '../../coverage/span.ts';
import type { Seq } from '../../event/ids.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** The events of a lane: those covered, and those raw, under no root view or under one. Each part is in seq order. */
const PARTS = (columns: string, tail: string): readonly string[] => [
  `SELECT ${columns} FROM covered WHERE lane = ?1 AND seq BETWEEN ?3 AND ?4 ${tail}`,
  `SELECT ${columns} FROM uncovered WHERE root = ?2 AND under = 0 AND seq BETWEEN ?3 AND ?4 AND lane = ?1 ${tail}`,
  `SELECT ${columns} FROM uncovered WHERE lane = ?1 AND under <> 0 AND seq BETWEEN ?3 AND ?4 ${tail}`,
];

const SEQS = `${PARTS('seq', '').join(' UNION ALL ')} ORDER BY seq`;
/** One aggregate a query: SQLite takes it from an end of the index, and would walk all of it for two. */
const EDGE = (aggregate: 'min' | 'max'): string => `
  SELECT ${aggregate}(seq) AS seq FROM (${PARTS(`${aggregate}(seq) AS seq`, '').join(' UNION ALL ')})`;
const FIRST = EDGE('min');
const LAST = EDGE('max');
const NEWEST = PARTS('seq', 'ORDER BY seq DESC LIMIT ?5');

/** The seqs of a lane's events within a span, in order. */
export function seqsOfLane(session: SqliteSession, lane: LaneRow, { first, last }: Span): readonly Seq[] {
  return session.database
    .all<{ readonly seq: Seq }>(SEQS, lane.id, lane.root, first, last)
    .map((row) => row.seq);
}

/** The seqs of a lane's events before one, newest first, at most `limit`. */
export function newestOfLane(
  session: SqliteSession,
  lane: LaneRow,
  before: Seq,
  limit: number,
): readonly Seq[] {
  return NEWEST.flatMap((sql) =>
    session.database.all<{ readonly seq: Seq }>(sql, lane.id, lane.root, 1, before - 1, limit),
  )
    .map((row) => row.seq)
    .sort((a, b) => b - a)
    .slice(0, limit);
}

/** The first and the last event of a lane within a span; null where it has none there. */
export function edgesOfLane(session: SqliteSession, lane: LaneRow, { first, last }: Span): Span | null {
  const edge = (sql: string): Seq | null =>
    session.database.get<{ readonly seq: Seq | null }>(sql, lane.id, lane.root, first, last)?.seq ?? null;
  const begin = edge(FIRST);
  const end = begin === null ? null : edge(LAST);
  return begin === null || end === null ? null : { first: begin, last: end };
}
