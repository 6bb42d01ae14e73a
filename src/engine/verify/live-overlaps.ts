import type { Problem } from '../../coverage/problem.ts';
import type { CompactionRecord } from '../../coverage/record.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import { intersectSpans } from '../../coverage/span.ts';
import { laneKey } from '../../event/lane.ts';
import type { EventAudit } from './event-audit.ts';

/** Live records of one lane are disjoint, and so is what the root sees: a lane's record lies wholly inside a root view or outside it. */
export function liveOverlaps(graph: RecordGraph, audit: EventAudit): readonly Problem[] {
  const problems: Problem[] = [];
  const byScope = new Map<string, CompactionRecord[]>();
  for (const { record } of graph.live()) {
    const scope = record.rootView
      ? `view\u0000${record.lane.isolation}`
      : `lane\u0000${laneKey(record.lane)}`;
    const list = byScope.get(scope);
    if (list === undefined) byScope.set(scope, [record]);
    else list.push(record);
  }
  for (const records of byScope.values()) problems.push(...overlapsOf(graph, records));
  for (const { record } of graph.live()) {
    if (record.rootView) continue;
    for (const { record: view } of graph.across(record, graph.extent(record))) {
      const shared = intersectSpans(graph.fullSpans(record), graph.fullSpans(view));
      const inside = audit.countInSpans(record.lane, false, shared);
      if (inside !== 0 && inside !== record.events) {
        problems.push({
          kind: 'overlap',
          record: record.id,
          detail: `lies across the edge of root view ${view.id}`,
        });
      }
    }
  }
  return problems;
}

function overlapsOf(graph: RecordGraph, records: readonly CompactionRecord[]): readonly Problem[] {
  const spans = records
    .flatMap((record) => graph.fullSpans(record).map((span) => ({ ...span, record })))
    .sort((a, b) => a.first - b.first);
  const problems: Problem[] = [];
  for (const [index, span] of spans.entries()) {
    const before = spans[index - 1];
    if (before !== undefined && span.first <= before.last && span.record !== before.record) {
      problems.push({
        kind: 'overlap',
        record: span.record.id,
        seq: span.first,
        detail: `is covered by ${before.record.id} too`,
      });
    }
  }
  return problems;
}
