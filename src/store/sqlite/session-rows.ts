import type { SessionKey } from '../../event/ids.ts';
import { deepFreeze } from '../build-record.ts';
import { isKey } from '../session-key.ts';
import type { LaneInfo, SessionInfo } from '../session-store.ts';
import type { Database } from './database.ts';
import { placeOf, seqOf } from './place.ts';

interface SessionColumns {
  readonly session: number;
  readonly app: string;
  readonly user: string;
  readonly name: string;
  readonly created_at: string;
  readonly lineage: string | null;
  readonly last: number | null;
  readonly records: number;
  readonly invocations: number | null;
}

interface UncountedColumns {
  readonly lane: number;
  readonly events: number;
  readonly tokens: number;
}

interface LaneColumns extends UncountedColumns {
  readonly session: number;
  readonly isolation: string;
  readonly branch: string;
  readonly revision: number;
}

/** A session's number in its file, or undefined where there is none of that key. */
export function findSession(database: Database, key: SessionKey): number | undefined {
  if (!isKey(key)) return undefined;
  return database.get<{ readonly session: number }>(
    'SELECT session FROM sessions WHERE app = ? AND user = ? AND name = ?',
    key.app,
    key.user,
    key.session,
  )?.session;
}

export function insertSession(
  database: Database,
  key: SessionKey,
  createdAt: string,
  lineage: SessionInfo['lineage'],
): number {
  const row = database.get<{ readonly session: number }>(
    'INSERT INTO sessions (app, user, name, created_at, lineage, counted) VALUES (?, ?, ?, ?, ?, 0) RETURNING session',
    key.app,
    key.user,
    key.session,
    createdAt,
    lineage === null ? null : JSON.stringify(lineage),
  );
  return (row as { readonly session: number }).session;
}

const SESSIONS = `
  SELECT s.*,
    (SELECT max(place) FROM events WHERE place BETWEEN s.session * ?1 AND s.session * ?1 + ?1 - 1) AS last,
    (SELECT max(ordinal) FROM invocations i WHERE i.session = s.session) AS invocations,
    (SELECT count(*) FROM records r WHERE r.session = s.session) AS records
  FROM sessions s`;

/** What of each lane is not counted on its row yet. */
const UNCOUNTED = `
  SELECT e.lane, count(*) AS events, sum(e.tokens) AS tokens FROM sessions s
  CROSS JOIN events e ON e.place BETWEEN s.session * ?1 + s.counted + 1 AND s.session * ?1 + ?1 - 1`;

/** What the sessions are that fit, in the order they were made. */
export function readSessions(database: Database, filter: Partial<SessionKey>): readonly SessionInfo[] {
  const terms: string[] = [];
  const values: string[] = [];
  for (const [column, value] of [
    ['s.app', filter.app],
    ['s.user', filter.user],
    ['s.name', filter.session],
  ] as const) {
    if (value === undefined) continue;
    if (!value.isWellFormed()) return [];
    terms.push(`${column} = ?`);
    values.push(value);
  }
  const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
  const rows = database.all<SessionColumns>(
    `${SESSIONS} ${where} ORDER BY s.session`,
    placeOf(1, 0),
    ...values,
  );
  const uncounted = new Map(
    database
      .all<UncountedColumns>(`${UNCOUNTED} ${where} GROUP BY e.lane`, placeOf(1, 0), ...values)
      .map((row) => [row.lane, row]),
  );
  const lanes = new Map<number, LaneInfo[]>();
  const laneRows = database.all<LaneColumns>(
    `SELECT l.* FROM sessions s CROSS JOIN lanes l ON l.session = s.session AND l.events > 0
     ${where} ORDER BY l.session, l.first_seq`,
    ...values,
  );
  for (const { session, lane, isolation, branch, revision, events, tokens } of laneRows) {
    const more = uncounted.get(lane);
    const info: LaneInfo = {
      lane: { branch, isolation },
      revision,
      events: events + (more?.events ?? 0),
      tokens: tokens + (more?.tokens ?? 0),
    };
    const list = lanes.get(session);
    if (list === undefined) lanes.set(session, [info]);
    else list.push(info);
  }
  return rows.map((row) => toInfo(row, lanes.get(row.session) ?? []));
}

function toInfo(row: SessionColumns, lanes: readonly LaneInfo[]): SessionInfo {
  return deepFreeze({
    key: { app: row.app, user: row.user, session: row.name },
    events: row.last === null ? 0 : seqOf(row.last),
    records: row.records,
    invocations: row.invocations ?? 0,
    tokens: lanes.reduce((sum, lane) => sum + lane.tokens, 0),
    createdAt: row.created_at,
    lineage: row.lineage === null ? null : JSON.parse(row.lineage),
    lanes,
  });
}
