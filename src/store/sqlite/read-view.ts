import { extentOf } from '../../coverage/live-records.ts';
import { partedOf } from '../../coverage/parted.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { Count, LaneFacts, RawEvent, View, ViewScope } from '../../coverage/view.ts';
import { inView, lanesIn, PARKED_SHOWN } from '../../coverage/view-scope.ts';
import { visibleRecords, withCounts } from '../../coverage/visible-records.ts';
import type { InvocationId, LaneKey, RecordId, Seq } from '../../event/ids.ts';
import type { Invocation } from '../../event/invocation.ts';
import { isRootBranch, type Lane, lineage } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Exchange, ExchangeId } from '../../event/obligation.ts';
import { asOf } from '../note-invocation.ts';
import { eventsAt } from './event-rows.ts';
import { exchangesOf, type Member, membersOf } from './exchange-rows.ts';
import { type ObligationColumns, toObligation } from './obligation-rows.ts';
import {
  graphOf,
  inOrder,
  liveOfLane,
  recordAt,
  type StoredRecord,
  seenAtRoot,
  undoneNaming,
  viewsReachingInto,
} from './record-rows.ts';
import { FIRST_REVISION, type LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** Raw events a session keeps at hand beside those of its last view. */
const TAIL_KEPT = 512;

/** The lanes of a view as rows; those that have none have no events either. */
interface Scope {
  readonly lane: Lane;
  readonly scope: ViewScope;
  readonly wholeIsolation: boolean;
  readonly rows: readonly LaneRow[];
  readonly root: LaneRow | undefined;
}

interface RawColumns {
  readonly seq: Seq;
  readonly under: number;
  readonly undone: number | null;
  readonly undone_view: number | null;
}

/** Reads a view in a handful of indexed queries, whose cost follows the raw tail and the live summaries. */
export function readView(session: SqliteSession, lane: Lane, viewScope: ViewScope, now: number): View {
  const scope = scopeOf(session, lane, viewScope);
  const found = findRaw(session, scope);
  const seen = inOrder(...readRecords(session, scope));
  const records = inOrder(seen, undoneNaming(session, seen), viewsOver(session, scope, found, seen));
  const graph = graphOf(records);
  const raw = readRaw(session, scope, found, graph);
  const visible = visibleRecords(graph, lane, viewScope);
  const members = membersOf(session, new Set(raw.map((row) => row.exchange)), session.tail);
  const exchanges = exchangesOf(session, members);
  return Object.freeze({
    scope: viewScope,
    lane,
    revision: session.lanes.find(lane)?.revision ?? FIRST_REVISION,
    through: session.last,
    total: totalOf(scope),
    invocationCount: session.invocations.count,
    records: withCounts(graph, visible, raw),
    raw,
    recovered: readRecovered(session, scope, raw, members),
    exchanges,
    invocations: readInvocations(session, raw, exchanges, now),
    parked: readParked(session, scope, raw, exchanges),
    parted: partedOf(graph, visible),
    lanes: lanesOf(session, lanesIn(lane, raw, visible)),
  });
}

function scopeOf(session: SqliteSession, lane: Lane, scope: ViewScope): Scope {
  const lanes = scope === 'lane' ? [lane] : lineage(lane);
  return {
    lane,
    scope,
    wholeIsolation: scope === 'reader' && isRootBranch(lane),
    rows: lanes.flatMap((one) => session.lanes.find(one) ?? []),
    root: session.lanes.find({ branch: '', isolation: lane.isolation }),
  };
}

const RAW_AT_ROOT = `
  SELECT seq, under, undone, undone_view FROM uncovered WHERE root = ? AND under = 0 ORDER BY seq`;
const RAW_OF_LANES = `
  SELECT seq, under, undone, undone_view FROM uncovered
  WHERE root = ?1 AND under = 0 AND lane IN (SELECT value FROM json_each(?2))
  UNION ALL
  SELECT seq, under, undone, undone_view FROM json_each(?2) l
  CROSS JOIN uncovered u ON u.lane = l.value AND u.under <> 0
  ORDER BY seq`;

function findRaw(session: SqliteSession, { wholeIsolation, rows, root }: Scope): readonly RawColumns[] {
  if (root === undefined || rows.length === 0) return [];
  return wholeIsolation
    ? session.database.all<RawColumns>(RAW_AT_ROOT, root.id)
    : session.database.all<RawColumns>(RAW_OF_LANES, root.id, JSON.stringify(rows.map((row) => row.id)));
}

/** The live root views that what is raw and what is seen lies in. */
function viewsOver(
  session: SqliteSession,
  { root }: Scope,
  raw: readonly RawColumns[],
  seen: readonly StoredRecord[],
): readonly StoredRecord[] {
  const seqs = [
    ...raw.filter((row) => row.under !== 0).map((row) => row.seq),
    ...seen.filter((stored) => stored.under).map((stored) => extentOf(stored.covers).first),
  ].sort((a, b) => a - b);
  const [first] = seqs;
  const last = seqs.at(-1);
  if (root === undefined || first === undefined || last === undefined) return [];
  return viewsReachingInto(session, root.id, { first, last });
}

function readRaw(
  session: SqliteSession,
  { lane }: Scope,
  found: readonly RawColumns[],
  graph: RecordGraph,
): readonly RawEvent[] {
  readTail(session, found);
  const idAt = (row: number | null): RecordId | null =>
    row === null ? null : recordAt(session, row).record.id;
  return found.map((row) =>
    Object.freeze({
      ...(session.tail.get(row.seq) as LoggedEvent),
      under: row.under === 0 ? null : (graph.rootViewAt(lane.isolation, row.seq)?.record.id ?? null),
      undone: idAt(row.undone),
      undoneView: idAt(row.undone_view),
    }),
  );
}

/** Sees to it that the session has these events at hand, and few others. */
function readTail(session: SqliteSession, rows: readonly RawColumns[]): void {
  const { tail } = session;
  if (tail.size > 2 * rows.length + TAIL_KEPT) tail.clear();
  const missing = rows.filter((row) => !tail.has(row.seq)).map((row) => row.seq);
  for (const row of eventsAt(session, missing)) tail.set(row.event.seq, row);
}

function readRecords(
  session: SqliteSession,
  { wholeIsolation, rows, root }: Scope,
): readonly (readonly StoredRecord[])[] {
  if (wholeIsolation) return root === undefined ? [] : [seenAtRoot(session, root.id)];
  return rows.map((row) => liveOfLane(session, row.id));
}

function totalOf({ wholeIsolation, rows, root }: Scope): Count {
  if (wholeIsolation) return { events: root?.isolationEvents ?? 0, tokens: root?.isolationTokens ?? 0 };
  return {
    events: rows.reduce((sum, row) => sum + row.events, 0),
    tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
  };
}

function readRecovered(
  session: SqliteSession,
  { lane, scope }: Scope,
  raw: readonly RawEvent[],
  members: ReadonlyMap<ExchangeId, readonly Member[]>,
): readonly LoggedEvent[] {
  const shown = new Set(raw.map((row) => row.event.seq));
  const hidden: Seq[] = [];
  for (const list of members.values()) {
    for (const { seq, lane: of } of list) {
      if (!shown.has(seq) && inView(lane, scope, of)) hidden.push(seq);
    }
  }
  return eventsAt(session, hidden);
}

function readInvocations(
  session: SqliteSession,
  raw: readonly RawEvent[],
  exchanges: ReadonlyMap<ExchangeId, Exchange>,
  now: number,
): ReadonlyMap<InvocationId, Invocation> {
  const ids = new Set<InvocationId>();
  session.invocations.readThoseOf(raw.map((row) => row.event));
  for (const row of raw) ids.add(row.event.invocation);
  for (const exchange of exchanges.values()) {
    ids.add(exchange.invocation);
    for (const obligation of exchange.open) ids.add(obligation.invocation);
  }
  const invocations = new Map<InvocationId, Invocation>();
  for (const id of ids) {
    const invocation = session.invocations.find(id);
    if (invocation !== undefined) invocations.set(id, asOf(invocation, now));
  }
  return invocations;
}

const LASTING = "o.answered_by IS NULL AND (o.kind = 'ask' OR o.long_running = 1)";

/** Of the obligations that are still open, those whose event no longer stands in the prompt. */
function readParked(
  session: SqliteSession,
  { wholeIsolation, rows, root }: Scope,
  raw: readonly RawEvent[],
  exchanges: ReadonlyMap<ExchangeId, Exchange>,
): View['parked'] {
  if (root === undefined) return { newest: [], total: 0 };
  const where = `FROM obligations o WHERE o.root = ?1 AND ${LASTING}
    ${wholeIsolation ? '' : 'AND o.lane IN (SELECT value FROM json_each(?2))'}`;
  const values = wholeIsolation ? [root.id] : [root.id, JSON.stringify(rows.map((row) => row.id))];
  const { open } = session.database.get<{ readonly open: number }>(
    `SELECT count(*) AS open ${where}`,
    ...values,
  ) as { readonly open: number };
  if (open === 0) return { newest: [], total: 0 };
  const shown = new Set(raw.map((row) => row.event.seq));
  const stillShown = [...exchanges.values()].flatMap((exchange) =>
    exchange.open.filter((owed) => shown.has(owed.seq) && (owed.kind === 'ask' || owed.longRunning)),
  );
  const newest = session.database
    .all<ObligationColumns>(
      `SELECT o.* ${where} ORDER BY o.seq DESC, o.position DESC LIMIT ${PARKED_SHOWN + stillShown.length}`,
      ...values,
    )
    .filter((row) => !shown.has(row.seq))
    .slice(0, PARKED_SHOWN)
    .reverse();
  return {
    newest: newest.map((row) => toObligation(session, row)),
    total: open - stillShown.length,
  };
}

function lanesOf(session: SqliteSession, lanes: ReadonlyMap<LaneKey, Lane>): View['lanes'] {
  const facts = new Map<LaneKey, LaneFacts>();
  for (const [key, lane] of lanes) {
    const row = session.lanes.find(lane);
    facts.set(key, {
      lane,
      revision: row?.revision ?? FIRST_REVISION,
      firstUserSeq: row?.firstUserSeq ?? null,
    });
  }
  return facts;
}
