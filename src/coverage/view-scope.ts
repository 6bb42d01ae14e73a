import { type Lane, sameLane, sees } from '../event/lane.ts';
import type { ViewScope } from './view.ts';

/** How many parked obligations a view names. */
export const PARKED_SHOWN = 20;

/** Whether events of a lane are in the scope of a view. */
export function inView(viewLane: Lane, scope: ViewScope, lane: Lane): boolean {
  return scope === 'lane' ? sameLane(lane, viewLane) : sees(viewLane, lane);
}
