import { judge } from '../../coverage/judge.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { Span, Spans } from '../../coverage/span.ts';
import type { RecordId, Seq } from '../../event/ids.ts';
import { findRecord, graphOf, inOrder, reachingInto } from './record-rows.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** An event to judge, and where it is now: under which root view if it is raw (0 for none), null if it is covered. */
export interface ToJudge {
  readonly seq: Seq;
  readonly lane: number;
  readonly pinned: number;
  readonly under: number | null;
}

const UNCOVERED =
  'SELECT u.seq, u.lane, u.under, e.pinned FROM uncovered u JOIN events e ON e.place = ?1 + u.seq';

/** The raw events of a lane within a span. */
export function rawOfLane(session: SqliteSession, lane: LaneRow, { first, last }: Span): readonly ToJudge[] {
  return session.database.all<ToJudge>(
    `${UNCOVERED} WHERE u.root = ?2 AND u.under = 0 AND u.seq BETWEEN ?4 AND ?5 AND u.lane = ?3
     UNION ALL ${UNCOVERED} WHERE u.lane = ?3 AND u.seq BETWEEN ?4 AND ?5 AND u.under <> 0`,
    session.place(0),
    lane.root,
    lane.id,
    first,
    last,
  );
}

/** The raw events of an isolation within a span, under none or one of the given root views. */
export function rawOfIsolation(
  session: SqliteSession,
  root: number,
  views: readonly number[],
  { first, last }: Span,
): readonly ToJudge[] {
  return session.database.all<ToJudge>(
    `SELECT u.seq, u.lane, u.under, e.pinned FROM json_each(?3) v
     CROSS JOIN uncovered u ON u.root = ?2 AND u.under = v.value AND u.seq BETWEEN ?4 AND ?5
     CROSS JOIN events e ON e.place = ?1 + u.seq`,
    session.place(0),
    root,
    JSON.stringify([0, ...views]),
    first,
    last,
  );
}

/** The covered events of a lane in spans. */
export function coveredOfLane(session: SqliteSession, lane: LaneRow, spans: Spans): readonly ToJudge[] {
  return spans.flatMap(({ first, last }) =>
    session.database.all<ToJudge>(
      `SELECT c.seq, c.lane, e.pinned, NULL AS under FROM covered c CROSS JOIN events e ON e.place = ?1 + c.seq
       WHERE c.lane = ?2 AND c.seq BETWEEN ?3 AND ?4`,
      session.place(0),
      lane.id,
      first,
      last,
    ),
  );
}

/** The events of those seqs with the rows they have. */
export function eventsToJudge(session: SqliteSession, seqs: readonly Seq[]): readonly ToJudge[] {
  return seqs.map((seq) => {
    const event = session.database.get<Omit<ToJudge, 'under'>>(
      'SELECT seq, lane, pinned FROM events WHERE place = ?',
      session.place(seq),
    ) as Omit<ToJudge, 'under'>;
    const raw = rawOfLane(session, session.lanes.at(event.lane), { first: seq, last: seq });
    return { ...event, under: raw[0]?.under ?? null };
  });
}

/** Judges events anew and writes what the judgement is. */
export function judgeRows(session: SqliteSession, rows: readonly ToJudge[], graph: RecordGraph): void {
  const rowOf = (id: RecordId | null): number | null =>
    id === null ? null : (findRecord(session, id)?.row ?? null);
  const { database } = session;
  for (const { seq, lane, pinned, under } of rows) {
    const laneRow = session.lanes.at(lane);
    const marks = judge({ pinned: pinned === 1, event: { seq, lane: laneRow.lane } }, graph);
    if (marks === null && under === null) continue;
    if (under === null) database.run('DELETE FROM covered WHERE lane = ? AND seq = ?', lane, seq);
    else
      database.run(
        'DELETE FROM uncovered WHERE root = ? AND under = ? AND seq = ?',
        laneRow.root,
        under,
        seq,
      );
    if (marks === null) {
      database.run('INSERT INTO covered (lane, seq) VALUES (?, ?)', lane, seq);
      continue;
    }
    database.run(
      'INSERT INTO uncovered (root, under, seq, lane, undone, undone_view) VALUES (?, ?, ?, ?, ?, ?)',
      laneRow.root,
      rowOf(marks.under) ?? 0,
      seq,
      lane,
      rowOf(marks.undone),
      rowOf(marks.undoneView),
    );
  }
}

/** Judges single events anew, each by the records that reach it. */
export function judgeEvents(session: SqliteSession, seqs: readonly Seq[]): void {
  for (const row of eventsToJudge(session, seqs)) {
    const { root } = session.lanes.at(row.lane);
    const records = inOrder(reachingInto(session, root, { first: row.seq, last: row.seq }));
    judgeRows(session, [row], graphOf(records));
  }
}
