import type { StoredEvent } from '../event/event.ts';
import type { LaneKey } from '../event/ids.ts';
import { type Lane, laneKey, sameLane, sees } from '../event/lane.ts';
import type { CompactionRecord } from './record.ts';
import type { ViewScope } from './view.ts';

/** How many parked obligations a view names. */
export const PARKED_SHOWN = 20;

/** Whether events of a lane are in the scope of a view. */
export function inView(viewLane: Lane, scope: ViewScope, lane: Lane): boolean {
  return scope === 'lane' ? sameLane(lane, viewLane) : sees(viewLane, lane);
}

/** The lanes a view tells of: its own, and those of its raw events and its records. */
export function lanesIn(
  own: Lane,
  raw: readonly { readonly event: Pick<StoredEvent, 'lane'> }[],
  records: readonly Pick<CompactionRecord, 'lane'>[],
): ReadonlyMap<LaneKey, Lane> {
  const lanes = new Map([[laneKey(own), own]]);
  for (const { event } of raw) lanes.set(laneKey(event.lane), event.lane);
  for (const { lane } of records) lanes.set(laneKey(lane), lane);
  return lanes;
}
