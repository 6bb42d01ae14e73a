import { redoRefusal, undoRefusal } from '../../coverage/changes.ts';
import type { CompactionRecord } from '../../coverage/record.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import { closeGaps, type Span, subtractSpans, uniteSpans } from '../../coverage/span.ts';
import type { RecordId, Seq } from '../../event/ids.ts';
import { countInSpans } from './event-rows.ts';
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

/** The records a commit over these spans and records can touch. */
export function recordsTouched(
  session: SqliteSession,
  lane: LaneRow,
  superseded: readonly StoredRecord[],
  spans: readonly Span[],
): readonly StoredRecord[] {
  const all = [...spans, ...superseded.flatMap((stored) => extentOf(stored) ?? [])];
  if (all.length === 0) return inOrder(superseded);
  const reach = {
    first: Math.min(...all.map((span) => span.first)),
    last: Math.max(...all.map((span) => span.last)),
  };
  return inOrder(superseded, reachingInto(session, lane.root, reach));
}

/** Takes in a record that may be committed. `touched` is what {@link recordsTouched} gave for it. */
export function addRecord(
  session: SqliteSession,
  lane: LaneRow,
  record: CompactionRecord,
  touched: readonly StoredRecord[],
): void {
  const replaced = touched.filter((stored) => record.supersedes.includes(stored.record.id));
  const count = countInSpans(session);
  const covers = closeGaps(
    uniteSpans([record.spans, ...replaced.map((stored) => stored.covers)]),
    (gap) => count(record.lane, record.rootView, [gap]) === 0,
  );
  const added = insertRecord(session, lane, { record, undone: false, covers });
  settle(session, lane, added, inOrder(touched, [added]));
  session.lanes.raise([lane]);
}

/** Marks a record undone, or no longer so; throws what refuses it. */
export function markRecord(session: SqliteSession, id: RecordId, undone: boolean): void {
  const stored = requireRecord(session, id);
  const lane = session.lanes.ensure(stored.record.lane);
  const extent = extentOf(stored);
  const records = inOrder(
    dependents(session, stored),
    extent === null ? [] : reachingInto(session, lane.root, extent),
  );
  const graph = graphOf(records);
  const state = { record: stored.record, undone: stored.undone };
  const refuse = undone ? undoRefusal : redoRefusal;
  const refusal = refuse(graph, state, countInSpans(session));
  if (refusal !== null) throw refusal;
  const marked = { ...stored, undone };
  saveRecord(session, stored, marked);
  settle(session, lane, marked, inOrder(records, [marked]));
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

/** After a record came or its mark changed: what is live, what lies under what, and which of its events are raw. */
function settle(
  session: SqliteSession,
  lane: LaneRow,
  changed: StoredRecord,
  records: readonly StoredRecord[],
): void {
  const graph = graphOf(records);
  saveStanding(session, records, graph);
  const extent = extentOf(changed);
  if (extent !== null) judgeRows(session, rowsOf(session, lane, changed, records, graph, extent), graph);
}

/** The events whose judgement a change of a record can alter: those raw in its reach, and those it alone covered. */
function rowsOf(
  session: SqliteSession,
  lane: LaneRow,
  { record, covers, undone }: StoredRecord,
  records: readonly StoredRecord[],
  graph: RecordGraph,
  extent: Span,
): readonly ToJudge[] {
  if (record.rootView) {
    const views = records.filter((stored) => stored.record.rootView).map((stored) => stored.row);
    return rawOfIsolation(session, lane.root, views, extent);
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

function extentOf({ covers }: StoredRecord): Span | null {
  const first = covers[0]?.first;
  const last = covers.at(-1)?.last;
  return first === undefined || last === undefined ? null : { first, last };
}
