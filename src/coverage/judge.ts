import type { CoverageFacts, RecordGraph } from './record-graph.ts';
import type { RawEvent } from './view.ts';

/** What a raw event is marked with. */
export type RawMarks = Pick<RawEvent, 'under' | 'undone' | 'undoneView'>;

/**
 * The one definition of raw: null when a live record of the event's lane covers it, else its marks. A store judges an
 * event again whenever its pin, its exchange or a record that holds it changes.
 */
export function judge(event: CoverageFacts, graph: RecordGraph): RawMarks | null {
  const { seq, lane } = event.event;
  if (!event.pinned && graph.laneRecordAt(lane, seq) !== null) return null;
  let undone = null;
  let undoneView = null;
  for (const { record } of graph.undone) {
    if (!graph.holds(record, event.event)) continue;
    if (record.rootView) undoneView = record.id;
    else undone = record.id;
  }
  const under = event.pinned ? null : (graph.rootViewAt(lane.isolation, seq)?.record.id ?? null);
  return { under, undone, undoneView };
}
