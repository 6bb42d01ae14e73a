import type { RecordId } from '../event/ids.ts';
import { isRootBranch, type Lane, lineage } from '../event/lane.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import type { RecordGraph } from './record-graph.ts';
import type { Count, LiveRecord, RawEvent, ViewScope } from './view.ts';

/**
 * The live records in a view's scope, in the order of the first events they cover. At the root branch that is the live
 * root views and the lane records outside all of them; elsewhere the records of the lane (and, for a reader, of its
 * ancestors).
 */
export function visibleRecords(
  graph: RecordGraph,
  lane: Lane,
  scope: ViewScope,
): readonly CompactionRecord[] {
  // Extents once, not once a comparison: by far the most of a view of thousands of records.
  return statesInScope(graph, lane, scope)
    .map(({ record }) => ({ record, extent: graph.extent(record) }))
    .sort((a, b) => a.extent.first - b.extent.first || a.extent.last - b.extent.last)
    .map(({ record }) => record);
}

function statesInScope(graph: RecordGraph, lane: Lane, scope: ViewScope): readonly RecordState[] {
  if (scope === 'lane') return graph.liveOfLane(lane);
  if (!isRootBranch(lane)) return lineage(lane).flatMap((ancestor) => graph.liveOfLane(ancestor));
  return graph.seenAtRoot(lane.isolation);
}

/** What each visible record covers now: all it holds but the pinned, which are among the raw events. */
export function withCounts(
  graph: RecordGraph,
  records: readonly CompactionRecord[],
  raw: readonly RawEvent[],
): readonly LiveRecord[] {
  const pinned = raw.filter((row) => row.pinned);
  return records.map((record) => {
    const { first, last } = graph.extent(record);
    let covers: Count = { events: record.events, tokens: record.tokens.covered };
    for (const row of pinned) {
      if (!graph.holds(record, row.event)) continue;
      covers = { events: covers.events - 1, tokens: covers.tokens - row.event.tokens };
    }
    const under = underIn(graph, record);
    return Object.freeze({ record, firstSeq: first, lastSeq: last, covers: Object.freeze(covers), under });
  });
}

/** The live root view a lane's record lies in: in whole, so that its first event tells. */
function underIn(graph: RecordGraph, record: CompactionRecord): RecordId | null {
  if (record.rootView) return null;
  return graph.rootViewAt(record.lane.isolation, graph.extent(record).first)?.record.id ?? null;
}
