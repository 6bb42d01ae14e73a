import { recordsThrough } from '../../coverage/changes.ts';
import { type Spans, subtractSpans, uniteSpans } from '../../coverage/span.ts';
import { mergeExchanges } from '../../event/exchange-ledger.ts';
import type { EventId, InvocationId, Seq } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import type { ExchangeId } from '../../event/obligation.ts';
import { countInSpans } from './event-rows.ts';
import { renameExchange } from './exchange-rows.ts';
import { allRecords, graphOf, insertRecord, saveStanding } from './record-rows.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';
import { indexPlaces } from './term-rows.ts';
import { coveredOfLane, judgeRows, pinnedSeqs, type ToJudge } from './uncovered-rows.ts';

/** Fills a new session with the prefix of another, as that stood when its last event was appended. */
export function copyPrefix(source: SqliteSession, throughSeq: Seq, target: SqliteSession): void {
  const lanes = copyLanes(source, throughSeq, target);
  copyInvocations(source, throughSeq, target);
  target.flush();
  copyEvents(source, throughSeq, target);
  regroup(source, throughSeq, target);
  copyObligations(source, throughSeq, target);
  copyRecords(source, throughSeq, target, lanes);
  target.flush();
}

function copyLanes(source: SqliteSession, throughSeq: Seq, target: SqliteSession): readonly LaneRow[] {
  const counts = source.database.all<{
    readonly lane: number;
    readonly events: number;
    readonly tokens: number;
    readonly first: number;
  }>(
    `SELECT lane, count(*) AS events, sum(tokens) AS tokens, min(seq) AS first
     FROM events WHERE place BETWEEN ? AND ? GROUP BY lane ORDER BY first`,
    source.place(1),
    source.place(throughSeq),
  );
  return counts.map(({ lane: id, events, tokens, first }) => {
    const from = source.lanes.at(id);
    const lane = target.lanes.ensure(from.lane);
    const root = target.lanes.rootOf(lane);
    // Usage reported at one of the source's revisions must not look current in the fork.
    target.lanes.change(root, {
      revision: source.lanes.rootOf(from).revision + 1,
      isolationEvents: root.isolationEvents + events,
      isolationTokens: root.isolationTokens + tokens,
    });
    target.lanes.change(lane, {
      revision: from.revision + 1,
      events,
      tokens,
      firstSeq: first,
      firstUserSeq: from.firstUserSeq !== null && from.firstUserSeq <= throughSeq ? from.firstUserSeq : null,
    });
    return lane;
  });
}

function copyInvocations(source: SqliteSession, throughSeq: Seq, target: SqliteSession): void {
  const rows = source.database.all<{ readonly invocation: number; readonly lane: number }>(
    `SELECT invocation, lane, min(place) AS first FROM events WHERE place BETWEEN ? AND ?
     GROUP BY invocation, lane ORDER BY first`,
    source.place(1),
    source.place(throughSeq),
  );
  const lanes = new Map<InvocationId, Lane[]>();
  const openedBy = new Map<InvocationId, Seq | null>();
  for (const row of rows) {
    const from = source.invocations.at(row.invocation);
    const { lane } = source.lanes.at(row.lane);
    const known = lanes.get(from.id);
    if (known !== undefined) {
      known.push(lane);
      continue;
    }
    lanes.set(from.id, [lane]);
    openedBy.set(from.id, from.openedBy !== null && from.openedBy <= throughSeq ? from.openedBy : null);
  }
  for (const [id, appendedTo] of lanes) {
    target.invocations.set(
      Object.freeze({
        id,
        ordinal: target.invocations.count + 1,
        lane: appendedTo[0] as Lane,
        lanes: Object.freeze(appendedTo),
        openedBy: openedBy.get(id) ?? null,
        state: 'ended',
        leaseExpiresAt: null,
      }),
    );
  }
}

function copyEvents(source: SqliteSession, throughSeq: Seq, target: SqliteSession): void {
  source.database.run(
    `INSERT INTO events (place, id, lane, invocation, exchange, pinned, reply, joins, lane_ordinal,
       isolation_ordinal, tokens, hash, event)
     SELECT ?4 + e.seq, e.id, tl.lane, ti.ordinal, e.exchange, e.pinned, e.reply, e.joins, e.lane_ordinal,
       e.isolation_ordinal, e.tokens, e.hash, e.event
     FROM events e
     CROSS JOIN lanes l ON l.lane = e.lane
     CROSS JOIN lanes tl ON tl.session = ?3 AND tl.isolation = l.isolation AND tl.branch = l.branch
     CROSS JOIN invocations i ON i.session = ?5 AND i.ordinal = e.invocation
     CROSS JOIN invocations ti ON ti.session = ?3 AND ti.id = i.id
     WHERE e.place BETWEEN ?1 AND ?2 ORDER BY e.place`,
    source.place(1),
    source.place(throughSeq),
    target.id,
    target.place(0),
    source.id,
  );
  const last = source.database.get<{ readonly id: EventId }>(
    'SELECT id FROM events WHERE place = ?',
    source.place(throughSeq),
  );
  target.adopt(throughSeq, (last as { readonly id: EventId }).id);
  target.database.run(
    'INSERT INTO covered (lane, seq) SELECT lane, seq FROM events WHERE place BETWEEN ? AND ? ORDER BY lane, seq',
    target.place(1),
    target.place(throughSeq),
  );
}

/** Exchanges that events after the prefix made one are several again. */
function regroup(source: SqliteSession, throughSeq: Seq, target: SqliteSession): void {
  const rows = source.database.all<{
    readonly seq: Seq;
    readonly exchange: ExchangeId;
    readonly joins: string | null;
  }>(
    `WITH grown AS (
       SELECT DISTINCT exchange FROM events
       WHERE session = ?1 AND exchange <= ?2 AND exchange <> seq AND seq > ?2
     )
     SELECT e.seq, e.exchange, e.joins FROM grown g CROSS JOIN events e ON e.place = ?3 + g.exchange
     UNION ALL
     SELECT e.seq, e.exchange, e.joins FROM grown g
       CROSS JOIN events e ON e.session = ?1 AND e.exchange = g.exchange AND e.exchange <> e.seq
       WHERE e.seq <= ?2
     ORDER BY 1`,
    source.id,
    throughSeq,
    source.place(0),
  );
  const members = new Map<ExchangeId, readonly Seq[]>();
  for (const { seq, joins } of rows) {
    const joined: readonly ExchangeId[] = joins === null ? [] : JSON.parse(joins);
    const merger = mergeExchanges(
      seq,
      joined.map((id) => ({ id, members: members.get(id) ?? [], pinned: false })),
    );
    for (const id of joined) members.delete(id);
    members.set(merger.id, merger.members);
  }
  const before = new Map(rows.map((row) => [row.seq, row.exchange]));
  for (const [exchange, seqs] of members) {
    renameExchange(
      target,
      seqs.filter((seq) => before.get(seq) !== exchange),
      exchange,
    );
  }
}

function copyObligations(source: SqliteSession, throughSeq: Seq, target: SqliteSession): void {
  source.database.run(
    `INSERT INTO obligations (session, seq, position, kind, id, name, about, lane, root, invocation, exchange,
       long_running, answered_by)
     SELECT ?3, o.seq, o.position, o.kind, o.id, o.name, o.about, e.lane, l.root, e.invocation, e.exchange,
       o.long_running, CASE WHEN o.answered_by <= ?2 THEN o.answered_by END
     FROM obligations o CROSS JOIN events e ON e.place = ?4 + o.seq CROSS JOIN lanes l ON l.lane = e.lane
     WHERE o.session = ?1 AND o.seq <= ?2`,
    source.id,
    throughSeq,
    target.id,
    target.place(0),
  );
}

function copyRecords(
  source: SqliteSession,
  throughSeq: Seq,
  target: SqliteSession,
  lanes: readonly LaneRow[],
): void {
  const stored = allRecords(source);
  const byId = new Map(stored.map((one) => [one.record.id, one]));
  const copies = recordsThrough(graphOf(stored), throughSeq, countInSpans(source))
    .flatMap((state) => byId.get(state.record.id) ?? [])
    .map((one) => insertRecord(target, target.lanes.ensure(one.record.lane), one));
  const graph = graphOf(copies);
  saveStanding(target, copies, graph);
  const whole: Spans = [{ first: 1, last: throughSeq }];
  const raw = lanes.flatMap((lane): readonly ToJudge[] => {
    const covered = uniteSpans(graph.liveOfLane(lane.lane).map((state) => graph.fullSpans(state.record)));
    return coveredOfLane(target, lane, subtractSpans(whole, covered));
  });
  const known = new Set(raw.map((row) => row.seq));
  const pinned = pinnedSeqs(target, { first: 1, last: throughSeq }).filter((seq) => !known.has(seq));
  const kept = pinned.map((seq): ToJudge => ({ seq, lane: laneOf(target, seq), under: null }));
  judgeRows(target, [...raw, ...kept], graph);
  indexPlaces(target.database, target.place(1), target.place(throughSeq));
}

function laneOf(session: SqliteSession, seq: Seq): number {
  const row = session.database.get<{ readonly lane: number }>(
    'SELECT lane FROM events WHERE place = ?',
    session.place(seq),
  );
  return (row as { readonly lane: number }).lane;
}
