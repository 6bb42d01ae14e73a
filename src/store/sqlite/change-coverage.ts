import { redoRefusal, undoRefusal } from '../../coverage/changes.ts';
import { extentOf } from '../../coverage/live-records.ts';
import type { CompactionRecord } from '../../coverage/record.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import { closeGaps, type Span, type Spans, subtractSpans, uniteSpans } from '../../coverage/span.ts';
import type { RecordId, Seq } from '../../event/ids.ts';
import { countInSpans, ordinalsOf } from './event-rows.ts';
import { membersOf } from './exchange-rows.ts';
import {
  dependents,
  graphOf,
  inOrder,
  insertRecord,
  reachingInto,
  requireRecord,
  type StoredRecord,
  saveRecord,
  saveStanding,
  viewsReachingInto,
} from './record-rows.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';
import {
  coveredOfLane,
  judgeEvents,
  judgeRows,
  rawOfIsolation,
  rawOfLane,
  type ToJudge,
} from './uncovered-rows.ts';

/**
 * The live or undone records a commit can touch, of those it names and all others: the ones that reach into its own
 * spans, and the root views that the named ones lie in. What is named and not live is left out, as if there were none.
 */
export function recordsTouched(
  session: SqliteSession,
  lane: LaneRow,
  named: readonly StoredRecord[],
  spans: Spans,
): readonly StoredRecord[] {
  const live = named.filter((stored) => stored.live);
  const views = live
    .filter((stored) => stored.under)
    .flatMap(({ covers }) => viewsReachingInto(session, lane.root, beginOf(covers)));
  return inOrder(live, views, spans.length === 0 ? [] : reachingInto(session, lane.root, extentOf(spans)));
}

/** Takes in a record that may be committed. `touched` is what {@link recordsTouched} gave for it. */
export function addRecord(
  session: SqliteSession,
  lane: LaneRow,
  record: CompactionRecord,
  touched: readonly StoredRecord[],
): void {
  const replaced = touched.filter((stored) => record.supersedes.includes(stored.record.id));
  const ordinalAt = ordinalsOf(session, record.rootView);
  const covers = closeGaps(
    uniteSpans([record.spans, ...replaced.map((stored) => stored.covers)]),
    ({ first, last }) => ordinalAt(first - 1) + 1 === ordinalAt(last + 1),
  );
  const added = insertRecord(session, lane, { record, undone: false, covers });
  const records = inOrder(touched, [added]);
  const graph = graphOf(records);
  saveStanding(session, records, graph);
  // What it replaces covered its events before, and they lie under a root view as they did: only its own are judged anew.
  const rows = record.spans.flatMap((span) =>
    record.rootView ? rawOfIsolation(session, lane.root, 0, span) : rawOfLane(session, lane, span),
  );
  judgeRows(session, rows, graph);
  session.lanes.raise([lane]);
}

function beginOf(covers: Spans): Span {
  const { first } = extentOf(covers);
  return { first, last: first };
}

/** Marks a record undone, or no longer so; throws what refuses it. */
export function markRecord(session: SqliteSession, id: RecordId, undone: boolean): void {
  const stored = requireRecord(session, id);
  const lane = session.lanes.ensure(stored.record.lane);
  const extent = extentOf(stored.covers);
  const records = inOrder(dependents(session, stored), reachingInto(session, lane.root, extent));
  const state = { record: stored.record, undone: stored.undone };
  const refuse = undone ? undoRefusal : redoRefusal;
  const refusal = refuse(graphOf(records), state, countInSpans(session));
  if (refusal !== null) throw refusal;
  const marked = { ...stored, undone };
  saveRecord(session, stored, marked);
  const changed = inOrder(records, [marked]);
  const graph = graphOf(changed);
  saveStanding(session, changed, graph);
  judgeRows(session, rowsOf(session, lane, marked, graph), graph);
  session.lanes.raise([lane]);
}

/** Marks an exchange and judges its events anew; they and the root's prompt are other than they were. */
export function pinExchange(session: SqliteSession, exchange: Seq, pinned: boolean): readonly Seq[] {
  const members = membersOf(session, [exchange]).get(exchange) ?? [];
  const seqs = members.map((member) => member.seq);
  setPinned(session, seqs, pinned);
  return Object.freeze(seqs);
}

/** Marks events, which are whole exchanges or become part of one, and judges them anew. */
export function setPinned(session: SqliteSession, seqs: readonly Seq[], pinned: boolean): void {
  const lanes: LaneRow[] = [];
  for (const seq of seqs) {
    session.tail.delete(seq);
    const { lane } = session.database.get<{ readonly lane: number }>(
      'UPDATE events SET pinned = ? WHERE place = ? RETURNING lane',
      pinned ? 1 : 0,
      session.place(seq),
    ) as { readonly lane: number };
    const laneRow = session.lanes.at(lane);
    lanes.push(laneRow, session.lanes.rootOf(laneRow));
  }
  judgeEvents(session, seqs);
  session.lanes.raise(lanes);
}

/** The events whose judgement a changed mark can alter: those raw in the record's reach, and those it alone covered. */
function rowsOf(
  session: SqliteSession,
  lane: LaneRow,
  { record, covers, undone }: StoredRecord,
  graph: RecordGraph,
): readonly ToJudge[] {
  const extent = extentOf(covers);
  if (record.rootView) {
    return ([0, 1] as const).flatMap((under) => rawOfIsolation(session, lane.root, under, extent));
  }
  const raw = rawOfLane(session, lane, extent);
  if (!undone) return raw;
  const stillCovered = uniteSpans(
    graph.liveOfLane(record.lane).map((state) => graph.fullSpans(state.record)),
  );
  const known = new Set(raw.map((row) => row.seq));
  const bared = coveredOfLane(session, lane, subtractSpans(covers, stillCovered));
  return [...raw, ...bared.filter((row) => !known.has(row.seq))];
}
