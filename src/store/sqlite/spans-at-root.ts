import { type Placed, type Spans, spansOf } from '../../coverage/span.ts';
import type { RecordId } from '../../event/ids.ts';
import { requireLaneRecords } from '../lane-records.ts';
import { seqsOfLane } from './lane-seqs.ts';
import { requireRecord } from './record-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** The events that lane records hold, as spans of their isolation. No event is read, only where it stands. */
export function spansAtRoot(
  session: SqliteSession,
  ids: readonly RecordId[],
): { readonly spans: Spans; readonly members: number } {
  const records = ids.map((id) => requireRecord(session, id));
  requireLaneRecords(records.map((stored) => stored.record));
  const places = new Set<number>();
  for (const { record, covers } of records) {
    const lane = session.lanes.ensure(record.lane);
    for (const span of covers) {
      for (const seq of seqsOfLane(session, lane, span)) places.add(session.place(seq));
    }
  }
  const placed = session.database
    .all<Placed>(
      'SELECT e.seq, e.isolation_ordinal AS ordinal FROM json_each(?) p CROSS JOIN events e ON e.place = p.value',
      JSON.stringify([...places]),
    )
    .sort((a, b) => a.seq - b.seq);
  return Object.freeze({ spans: Object.freeze(spansOf(placed)), members: placed.length });
}
