import type { LiveRecord, View } from '../coverage/view.ts';
import type { RecordId } from '../event/ids.ts';
import { sameLane } from '../event/lane.ts';
import type { Window } from './plan.ts';

/** The window made from these summaries and no event. */
export function makeMerge(view: View, summaries: readonly LiveRecord[]): Window {
  const [first] = summaries as readonly [LiveRecord, ...LiveRecord[]];
  const ofOneLane = summaries.every(
    ({ record }) => !record.rootView && sameLane(record.lane, first.record.lane),
  );
  const ids = (rootViews: boolean): readonly RecordId[] =>
    summaries.filter(({ record }) => record.rootView === rootViews).map(({ record }) => record.id);
  return {
    lane: ofOneLane ? first.record.lane : { branch: '', isolation: view.lane.isolation },
    rootView: !ofOneLane,
    spans: [],
    events: [],
    unanswered: new Map(),
    context: [],
    overlap: 0,
    supersedes: ids(!ofOneLane),
    over: ofOneLane ? [] : ids(false),
    summaries,
    tokens: 0,
    invocations: 0,
  };
}
