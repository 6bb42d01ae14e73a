import { judge } from '../../coverage/judge.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { Span, Spans } from '../../coverage/span.ts';
import type { RecordId, Seq } from '../../event/ids.ts';
import { findRecord, graphOf, inOrder, reachingInto } from './record-rows.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';
import { indexEvents } from './term-rows.ts';

/** An event to judge, and where it is now: if it is raw, whether under a root view (1) or none (0); null if it is covered. */
export interface ToJudge {
  readonly seq: Seq;
  readonly lane: number;
  readonly under: 0 | 1 | null;
}

/** The raw events of a lane within a span. */
export function rawOfLane(session: SqliteSession, lane: LaneRow, { first, last }: Span): readonly ToJudge[] {
  return session.database.all<ToJudge>(
    `SELECT seq, lane, under FROM uncovered
     WHERE root = ?1 AND under = 0 AND seq BETWEEN ?3 AND ?4 AND lane = ?2
     UNION ALL SELECT seq, lane, under FROM uncovered
     WHERE lane = ?2 AND seq BETWEEN ?3 AND ?4 AND under <> 0`,
    lane.root,
    lane.id,
    first,
    last,
  );
}

/** The raw events of an isolation within a span: under root views, or under none. */
export function rawOfIsolation(
  session: SqliteSession,
  root: number,
  under: 0 | 1,
  { first, last }: Span,
): readonly ToJudge[] {
  return session.database.all<ToJudge>(
    'SELECT seq, lane, under FROM uncovered WHERE root = ? AND under = ? AND seq BETWEEN ? AND ?',
    root,
    under,
    first,
    last,
  );
}

/** The covered events of a lane in spans. */
export function coveredOfLane(session: SqliteSession, lane: LaneRow, spans: Spans): readonly ToJudge[] {
  return spans.flatMap(({ first, last }) =>
    session.database.all<ToJudge>(
      'SELECT seq, lane, NULL AS under FROM covered WHERE lane = ? AND seq BETWEEN ? AND ?',
      lane.id,
      first,
      last,
    ),
  );
}

/** The pinned events of a session within a span: few, whatever its length. */
export function pinnedSeqs(session: SqliteSession, { first, last }: Span): readonly Seq[] {
  return session.database
    .all<{ readonly seq: Seq }>(
      'SELECT seq FROM events WHERE session = ? AND pinned = 1 AND place BETWEEN ? AND ?',
      session.id,
      session.place(first),
      session.place(last),
    )
    .map((row) => row.seq);
}

/** Events that go from one place to another with the same marks. */
interface Move {
  readonly lane: LaneRow;
  readonly from: ToJudge['under'];
  readonly to: {
    readonly under: 0 | 1;
    readonly undone: number | null;
    readonly undoneView: number | null;
  } | null;
  readonly seqs: Seq[];
}

/** Judges events anew and writes what the judgement is. */
export function judgeRows(session: SqliteSession, rows: readonly ToJudge[], graph: RecordGraph): void {
  if (rows.length === 0) return;
  const rowOf = (id: RecordId | null): number | null =>
    id === null ? null : (findRecord(session, id)?.row ?? null);
  const pinned = new Set(pinnedSeqs(session, extentOf(rows)));
  const moves = new Map<string, Move>();
  for (const { seq, lane, under } of rows) {
    const laneRow = session.lanes.at(lane);
    const marks = judge({ pinned: pinned.has(seq), event: { seq, lane: laneRow.lane } }, graph);
    if (marks === null && under === null) continue;
    const key = `${lane} ${under} ${marks === null ? '' : `${marks.under !== null} ${marks.undone} ${marks.undoneView}`}`;
    const known = moves.get(key);
    if (known !== undefined) {
      known.seqs.push(seq);
      continue;
    }
    const to =
      marks === null
        ? null
        : {
            under: marks.under === null ? (0 as const) : (1 as const),
            undone: rowOf(marks.undone),
            undoneView: rowOf(marks.undoneView),
          };
    moves.set(key, { lane: laneRow, from: under, to, seqs: [seq] });
  }
  for (const move of moves.values()) {
    write(session, move);
    if (move.from === 0 && move.to?.under !== 0) indexEvents(session, move.seqs);
  }
}

function extentOf(rows: readonly ToJudge[]): Span {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { seq } of rows) {
    first = Math.min(first, seq);
    last = Math.max(last, seq);
  }
  return { first, last };
}

function write({ database }: SqliteSession, { lane, from, to, seqs }: Move): void {
  const list = JSON.stringify(seqs);
  if (from === null) {
    database.run(
      'DELETE FROM covered WHERE lane = ? AND seq IN (SELECT value FROM json_each(?))',
      lane.id,
      list,
    );
  } else {
    database.run(
      'DELETE FROM uncovered WHERE root = ? AND under = ? AND seq IN (SELECT value FROM json_each(?))',
      lane.root,
      from,
      list,
    );
  }
  if (to === null) {
    database.run('INSERT INTO covered (lane, seq) SELECT ?, value FROM json_each(?)', lane.id, list);
  } else {
    database.run(
      `INSERT INTO uncovered (root, under, seq, lane, undone, undone_view)
       SELECT ?, ?, value, ?, ?, ? FROM json_each(?)`,
      lane.root,
      to.under,
      lane.id,
      to.undone,
      to.undoneView,
      list,
    );
  }
}

/** Judges single events anew, each by the records that reach it. */
export function judgeEvents(session: SqliteSession, seqs: readonly Seq[]): void {
  for (const seq of seqs) {
    const { lane: id } = session.database.get<{ readonly lane: number }>(
      'SELECT lane FROM events WHERE place = ?',
      session.place(seq),
    ) as { readonly lane: number };
    const lane = session.lanes.at(id);
    const at = { first: seq, last: seq };
    const [raw] = rawOfLane(session, lane, at);
    const graph = graphOf(inOrder(reachingInto(session, lane.root, at)));
    judgeRows(session, [raw ?? { seq, lane: id, under: null }], graph);
  }
}
