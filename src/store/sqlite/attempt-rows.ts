import { CommitConflict, NotFoundError } from '../../event/errors.ts';
import type { AttemptId } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import type { Attempt } from '../../plan/attempt.ts';
import { deepFreeze } from '../build-record.ts';
import { type AnyEnd, endedAttempt } from '../end-attempt.ts';
import type { AttemptFilter } from '../session-store.ts';
import type { Moment } from './commit-record.ts';
import type { LaneRow } from './session-lanes.ts';
import { addSpendRow } from './spend-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

interface AttemptColumns {
  readonly attempt: number;
  readonly body: string;
}

export interface LeaseRow {
  readonly attempt: AttemptId;
  readonly holder: string;
  readonly expiresAt: number;
}

/** Before each model call the newest attempts are looked at, mostly the same ones: an equal text is parsed once. */
function toAttempt(session: SqliteSession, { attempt: row, body }: AttemptColumns): Attempt {
  const known = session.attempts.get(row);
  if (known?.body === body) return known.attempt;
  const attempt = deepFreeze<Attempt>(JSON.parse(body));
  session.attempts.set(row, { body, attempt });
  return attempt;
}

function findRow(session: SqliteSession, id: AttemptId): AttemptColumns | undefined {
  return session.database.get<AttemptColumns>(
    'SELECT attempt, body FROM attempts WHERE session = ? AND id = ?',
    session.id,
    id,
  );
}

export function findAttempt(session: SqliteSession, id: AttemptId): Attempt | undefined {
  const row = findRow(session, id);
  return row === undefined ? undefined : toAttempt(session, row);
}

export function readAttempts(session: SqliteSession, filter: AttemptFilter): readonly Attempt[] {
  const newest = filter.newest ?? -1;
  const rows =
    filter.lane === undefined
      ? session.database.all<AttemptColumns>(
          'SELECT attempt, body FROM attempts WHERE session = ? ORDER BY attempt DESC LIMIT ?',
          session.id,
          newest,
        )
      : session.database.all<AttemptColumns>(
          'SELECT attempt, body FROM attempts WHERE lane = ? ORDER BY attempt DESC LIMIT ?',
          laneId(session, filter.lane),
          newest,
        );
  return rows.reverse().map((row) => toAttempt(session, row));
}

/** A lane without a row has no attempts either. */
function laneId(session: SqliteSession, lane: Lane): number {
  return session.lanes.find(lane)?.id ?? 0;
}

export function leaseOf(session: SqliteSession, lane: LaneRow | undefined): LeaseRow | undefined {
  if (lane === undefined) return undefined;
  return session.database.get<LeaseRow>(
    `SELECT a.id AS attempt, l.holder, l.expires_at AS expiresAt
     FROM leases l JOIN attempts a ON a.attempt = l.attempt WHERE l.lane = ?`,
    lane.id,
  );
}

/** Starts an attempt that holds the lane's lease. */
export function startAttempt(
  session: SqliteSession,
  lane: LaneRow,
  attempt: Attempt,
  holder: string,
  expiresAt: number,
): void {
  const row = insertAttempt(session, lane, attempt);
  session.database.run('INSERT INTO leases VALUES (?, ?, ?, ?)', lane.id, row, holder, expiresAt);
}

/** Stores an attempt, which need not hold a lease; its row. */
export function insertAttempt(session: SqliteSession, lane: LaneRow, attempt: Attempt): number {
  const { row } = session.database.get<{ readonly row: number }>(
    'INSERT INTO attempts (session, id, lane, body) VALUES (?, ?, ?, ?) RETURNING attempt AS row',
    session.id,
    attempt.id,
    lane.id,
    JSON.stringify(attempt),
  ) as { readonly row: number };
  return row;
}

export function renewAttempt(session: SqliteSession, id: AttemptId, expiresAt: number): void {
  const held = session.database.get(
    'UPDATE leases SET expires_at = ? WHERE attempt = ? RETURNING attempt',
    expiresAt,
    findRow(session, id)?.attempt ?? 0,
  );
  if (held === undefined) throw new CommitConflict('lease', id);
}

/** Frees the attempt's lease and ends it, unless it is over already; what it cost is spent. */
export function finishAttempt(
  session: SqliteSession,
  id: AttemptId,
  end: AnyEnd,
  { now, time }: Pick<Moment, 'now' | 'time'>,
): Attempt {
  const row = findRow(session, id);
  if (row === undefined) throw new NotFoundError('attempt', id);
  session.database.run('DELETE FROM leases WHERE attempt = ?', row.attempt);
  const attempt = toAttempt(session, row);
  const ended = endedAttempt(attempt, end, time);
  if (ended === null) return attempt;
  if (end.spend !== undefined) addSpendRow(session, now, end.spend);
  const body = JSON.stringify(ended);
  session.database.run('UPDATE attempts SET body = ? WHERE attempt = ?', body, row.attempt);
  return toAttempt(session, { attempt: row.attempt, body });
}
