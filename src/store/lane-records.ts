import type { CompactionRecord } from '../coverage/record.ts';
import { RefusedError } from '../event/errors.ts';

/** Refuses what is not the record of a lane, and records of more than one isolation. */
export function requireLaneRecords(records: readonly CompactionRecord[]): void {
  for (const { id, lane, rootView } of records) {
    if (rootView) throw new RefusedError(id, `record ${id} is a root view, not the record of a lane`);
    if (lane.isolation !== records[0]?.lane.isolation) {
      throw new RefusedError(id, `record ${id} is of another isolation than the first`);
    }
  }
}
