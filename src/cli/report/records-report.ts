import type { CompactionRecord } from '../../coverage/record.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { Look } from '../look.ts';
import { shortIds } from '../pick.ts';
import { whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { laneText, spansText } from './spans-text.ts';
import { table } from './table.ts';

/** How a record stands: in prompts, revoked, replaced by another, or hidden by a newer root view. */
export type RecordStanding = 'live' | 'undone' | 'superseded' | 'hidden';

/** How a record stands now. */
export function standingOf(graph: RecordGraph, record: CompactionRecord): RecordStanding {
  if (graph.isLive(record.id)) return 'live';
  if (graph.get(record.id)?.undone === true) return 'undone';
  return graph.supersedersOf(record.id).length > 0 ? 'superseded' : 'hidden';
}

/** The rows of `records --json`, oldest first: the record as stored, and how it stands. */
export function recordRows(graph: RecordGraph): readonly object[] {
  return graph.states.map(({ record }) => ({ ...record, standing: standingOf(graph, record) }));
}

/** The records of a session, oldest first. */
export function recordsReport(look: Look, graph: RecordGraph): string[] {
  if (graph.states.length === 0) return ['no records: nothing was compacted yet'];
  const short = shortIds(graph.states.map(({ record }) => record.id));
  const rows = graph.states.map(({ record }) => [
    short.get(record.id) ?? record.id,
    standingOf(graph, record),
    record.rootView ? `${laneText(record.lane)} (all branches)` : laneText(record.lane),
    spansText(record.spans),
    whole(record.events),
    `${whole(record.tokens.covered)} ${look.marks.arrow} ${whole(record.tokens.summary)}`,
    record.literals.found === 0 ? '' : `${whole(record.literals.kept)} of ${whole(record.literals.found)}`,
    visible(record.model.model ?? record.model.summarizer),
  ]);
  return table(
    look,
    [
      { title: 'id ends in' },
      { title: 'state' },
      { title: 'lane' },
      { title: 'spans' },
      { title: 'events', number: true },
      { title: 'tokens', number: true },
      { title: 'values', number: true },
      { title: 'by' },
    ],
    rows,
  );
}
