import { isRootBranch, type Lane, lineage } from '../../event/lane.ts';
import { bestMatches, type Holder, MOST_PER_TERM, type Searched } from '../search/best-matches.ts';
import type { SearchRequest, SearchResult } from '../session-store.ts';
import { eventsAt } from './event-rows.ts';
import { seqOf } from './place.ts';
import type { SqliteSession } from './sqlite-session.ts';
import { laneMark, rootMark } from './term-rows.ts';

/** Events that a reader may see and that are covered for it, by their words. */
export function searchEvents(session: SqliteSession, { lane, text, limit }: SearchRequest): SearchResult {
  const best = bestMatches(text, isRootBranch(lane) ? atRoot(session, lane) : ofLanes(session, lane));
  const wanted = best.slice(0, Math.max(0, limit));
  const rows = new Map(eventsAt(session, wanted).map((row) => [row.event.seq, row]));
  const events = wanted.flatMap((seq) => rows.get(seq) ?? []);
  return Object.freeze({ events: Object.freeze(events), matches: best.length });
}

interface HolderColumns {
  readonly place: number;
  readonly tokens: number;
}
interface Count {
  readonly events: number;
}

const HOLDING = (covered: string): string => `
  SELECT t.rowid AS place, e.tokens FROM event_terms t CROSS JOIN events e ON e.place = t.rowid
  WHERE t.event_terms MATCH ?1 AND t.rowid BETWEEN ?2 AND ?3 AND ${covered}
  ORDER BY t.rowid DESC LIMIT ${MOST_PER_TERM}`;
/** At the root, all that is not raw there: ?2 is the place of seq 1. */
const COVERED_AT_ROOT = `NOT EXISTS (
  SELECT 1 FROM uncovered u WHERE u.root = ?4 AND u.under = 0 AND u.seq = t.rowid - ?2 + 1)`;
const COVERED_OF_LANES = `EXISTS (
  SELECT 1 FROM json_each(?4) l CROSS JOIN covered c ON c.lane = l.value AND c.seq = t.rowid - ?2 + 1)`;
const HOLDING_AT_ROOT = HOLDING(COVERED_AT_ROOT);
const HOLDING_OF_LANES = HOLDING(COVERED_OF_LANES);

const RAW_AT_ROOT = 'SELECT count(*) AS events FROM uncovered WHERE root = ? AND under = 0';
const RAW_OF_LANES = `
  SELECT (SELECT count(*) FROM uncovered
      WHERE root = ?1 AND under = 0 AND lane IN (SELECT value FROM json_each(?2)))
    + (SELECT count(*) FROM json_each(?2) l CROSS JOIN uncovered u ON u.lane = l.value AND u.under <> 0)
    AS events`;

const NOTHING: Searched = { covered: 0, holding: () => [] };

function atRoot(session: SqliteSession, lane: Lane): Searched {
  const root = session.lanes.find(lane);
  if (root === undefined) return NOTHING;
  const raw = session.database.get<Count>(RAW_AT_ROOT, root.id)?.events ?? 0;
  return {
    covered: root.isolationEvents - raw,
    holding: (term) => holding(session, HOLDING_AT_ROOT, term, [rootMark(root.id)], root.id),
  };
}

function ofLanes(session: SqliteSession, lane: Lane): Searched {
  const rows = lineage(lane).flatMap((one) => session.lanes.find(one) ?? []);
  const root = rows[0]?.root;
  if (root === undefined) return NOTHING;
  const ids = JSON.stringify(rows.map((row) => row.id));
  const raw = session.database.get<Count>(RAW_OF_LANES, root, ids)?.events ?? 0;
  const marks = rows.map((row) => laneMark(row.id));
  return {
    covered: rows.reduce((sum, row) => sum + row.events, 0) - raw,
    holding: (term) => holding(session, HOLDING_OF_LANES, term, marks, ids),
  };
}

/** `scope` is what the statement's condition reads. A term is of letters, digits and marks: it stands in quotes as it is. */
function holding(
  session: SqliteSession,
  statement: string,
  term: string,
  marks: readonly string[],
  scope: number | string,
): readonly Holder[] {
  const match = `"${term}" AND (${marks.map((mark) => `"${mark}"`).join(' OR ')})`;
  return session.database
    .all<HolderColumns>(statement, match, session.place(1), session.place(session.last.seq), scope)
    .map(({ place, tokens }) => ({ seq: seqOf(place), tokens }));
}
