import type { EventId } from '../event/ids.ts';
import { type Lane, laneKey } from '../event/lane.ts';
import type { View, ViewScope } from './view.ts';

/** The view of a session that has no event yet. */
export function emptyView(lane: Lane, scope: ViewScope): View {
  return Object.freeze({
    scope,
    lane,
    revision: 1,
    through: { seq: 0, id: '' as EventId },
    total: { events: 0, tokens: 0 },
    invocationCount: 0,
    records: [],
    raw: [],
    recovered: [],
    exchanges: new Map(),
    invocations: new Map(),
    parked: { newest: [], total: 0 },
    parted: [],
    lanes: new Map([[laneKey(lane), { lane, revision: 1, firstUserSeq: null }]]),
  });
}
