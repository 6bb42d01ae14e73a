import type { CompactionRecord } from './record.ts';
import { namedBy, type RecordGraph } from './record-graph.ts';
import type { View } from './view.ts';

const NONE: View['parted'] = Object.freeze([]);

/** Of each undone record made from two or more of these: which of them. */
export function partedOf(graph: RecordGraph, records: readonly CompactionRecord[]): View['parted'] {
  if (graph.undone.length === 0) return NONE;
  const ids = new Set(records.map((record) => record.id));
  return graph
    .undoneNaming(ids)
    .map(({ record }) => Object.freeze(namedBy(record).filter((id) => ids.has(id))))
    .filter((parted) => parted.length > 1);
}
