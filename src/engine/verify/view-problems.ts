import { isDeepStrictEqual } from 'node:util';
import { judge } from '../../coverage/judge.ts';
import type { Problem } from '../../coverage/problem.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { View } from '../../coverage/view.ts';
import { visibleRecords } from '../../coverage/visible-records.ts';
import { hashEvent } from '../../event/hash-event.ts';
import type { LaneKey, Seq } from '../../event/ids.ts';
import { laneOf, sees } from '../../event/lane.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { EventAudit } from './event-audit.ts';

/**
 * One reader's prompt against the events and records: every event the reader may see is raw, or covered by exactly one
 * record whose summary is there; no exchange is shown in part; the accounting adds up.
 */
export function viewProblems(
  view: View,
  prompt: Prompt,
  graph: RecordGraph,
  audit: EventAudit,
  key: LaneKey,
): readonly Problem[] {
  const problems: Problem[] = [];
  const lane = laneOf(key);
  const reader = `reader in lane ${JSON.stringify(lane.branch)} of ${JSON.stringify(lane.isolation)}`;
  const raw = new Set(view.raw.map((row) => row.event.seq));
  const recovered = new Set(view.recovered.map((row) => row.event.seq));
  const records = visibleRecords(graph, lane, 'reader');
  const shown = new Set(
    prompt.entries.flatMap((entry) => (entry.kind === 'summary' ? [entry.record.id] : [])),
  );
  for (const record of records) {
    if (!shown.has(record.id))
      problems.push({ kind: 'cover', record: record.id, detail: `is live and not shown to ${reader}` });
  }
  if (shown.size > records.length)
    problems.push({ kind: 'cover', detail: `${reader} is shown a summary that is not live` });
  for (const row of [...view.raw, ...view.recovered]) {
    if (!sees(lane, row.event.lane)) {
      problems.push({
        kind: 'cover',
        seq: row.event.seq,
        detail: `is shown to ${reader}, who may not see it`,
      });
    }
  }
  problems.push(...copyProblems(view, graph, audit));
  const exchanges = new Set<Seq>();
  for (const row of audit.seenBy(lane)) {
    const { seq } = row.event;
    const covering = records.filter((record) => graph.covers(record, row));
    if (covering.length > 1)
      problems.push({
        kind: 'overlap',
        seq,
        detail: `is covered by ${covering.length} records for ${reader}`,
      });
    if ((covering.length === 0) !== raw.has(seq)) {
      problems.push({
        kind: 'cover',
        seq,
        detail: `is ${raw.has(seq) ? 'raw and covered' : 'neither raw nor covered'} for ${reader}`,
      });
    }
    if (raw.has(seq)) exchanges.add(row.storedExchange);
  }
  for (const exchange of exchanges) {
    for (const seq of audit.members(exchange)) {
      const member = audit.row(seq);
      if (member === undefined || !sees(lane, member.event.lane)) continue;
      if (!raw.has(seq) && !recovered.has(seq)) {
        problems.push({
          kind: 'split',
          seq,
          detail: `its exchange ${exchange} is shown to ${reader} without it`,
        });
      }
    }
  }
  const { total, raw: rawCount, recovered: recoveredCount, covered } = prompt.accounting;
  if (rawCount.events + recoveredCount.events + covered.events !== total.events) {
    problems.push({ kind: 'accounting', detail: `events do not add up for ${reader}` });
  }
  if (rawCount.tokens + recoveredCount.tokens + covered.tokens !== total.tokens) {
    problems.push({ kind: 'accounting', detail: `tokens do not add up for ${reader}` });
  }
  return problems;
}

/** What a view repeats of events, records and lanes must be what is stored of them. */
function copyProblems(view: View, graph: RecordGraph, audit: EventAudit): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { record } of view.records) {
    const stored = graph.get(record.id)?.record;
    if (stored !== undefined && !isDeepStrictEqual(record, stored))
      problems.push({ kind: 'cover', record: record.id, detail: 'is shown otherwise than it is stored' });
  }
  for (const row of [...view.raw, ...view.recovered]) {
    const { seq } = row.event;
    const stored = audit.row(seq);
    if (stored === undefined) {
      problems.push({ kind: 'cover', seq, detail: 'is shown and not stored' });
    } else if (hashEvent(row.event) !== stored.hash) {
      problems.push({ kind: 'cover', seq, detail: 'is shown otherwise than it is stored' });
    } else if (row.exchange !== stored.storedExchange || row.pinned !== stored.pinned) {
      problems.push({
        kind: 'event_facts',
        seq,
        detail: 'is shown in another exchange, or pinned otherwise',
      });
    }
  }
  for (const row of view.raw) {
    const marks = judge(row, graph);
    if (marks === null) continue;
    if (row.under !== marks.under || row.undone !== marks.undone || row.undoneView !== marks.undoneView)
      problems.push({ kind: 'event_facts', seq: row.event.seq, detail: 'is marked with other records' });
  }
  for (const { lane, firstUserSeq } of view.lanes.values()) {
    const first = audit.firstUserOf(lane);
    if (first !== firstUserSeq)
      problems.push({
        kind: 'event_facts',
        seq: first ?? firstUserSeq ?? 0,
        detail: 'first user event of a lane is wrong',
      });
  }
  return problems;
}
