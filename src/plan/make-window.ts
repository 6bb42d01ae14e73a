import type { Strategy } from '../coverage/record.ts';
import { spansOf } from '../coverage/span.ts';
import type { RawEvent, View } from '../coverage/view.ts';
import { isDead } from '../event/exchange-standing.ts';
import type { InvocationId, Seq } from '../event/ids.ts';
import { type Lane, laneKey, laneOf } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Plan, Window } from './plan.ts';
import type { Unit } from './unit.ts';

/** The window that covers these units: of one lane, or a root view of the view's isolation. */
export function makeWindow(view: View, units: readonly Unit[], rootView: boolean, overlap: number): Window {
  const events = units.flatMap((unit) => unit.events).sort((a, b) => a.event.seq - b.event.seq);
  const first = units[0] as Unit;
  const lane: Lane = rootView ? { branch: '', isolation: view.lane.isolation } : laneOf(first.lane);
  const invocations = new Set<InvocationId>();
  for (const unit of units) {
    invocations.add(unit.invocation?.id ?? (unit.events[0] as RawEvent).event.invocation);
  }
  return {
    lane,
    rootView,
    spans: spansOf(
      events.map((row) => ({
        seq: row.event.seq,
        ordinal: rootView ? row.isolationOrdinal : row.laneOrdinal,
      })),
    ),
    events,
    unanswered: deadCalls(view, units),
    context: contextOf(view, events, lane, rootView),
    overlap,
    supersedes: [],
    over: [],
    summaries: [],
    tokens: events.reduce((sum, row) => sum + row.event.tokens, 0),
    invocations: invocations.size,
  };
}

/** The plan to cover a window, with what it was made from. */
export function planOf(view: View, strategy: Strategy, window: Window): Plan {
  const revision = view.lanes.get(laneKey(window.lane))?.revision ?? view.revision;
  const basis = { revision, throughSeq: view.through.seq, throughEventId: view.through.id };
  return { kind: 'window', strategy, window, basis };
}

function deadCalls(view: View, units: readonly Unit[]): ReadonlyMap<Seq, readonly string[]> {
  const dead = new Map<Seq, string[]>();
  for (const unit of units) {
    const exchange = view.exchanges.get(unit.exchange);
    if (exchange === undefined) continue;
    for (const call of exchange.open) {
      if (!isDead(call, exchange, view)) continue;
      const ids = dead.get(call.seq);
      if (ids === undefined) dead.set(call.seq, [call.id]);
      else if (!ids.includes(call.id)) ids.push(call.id);
    }
  }
  return dead;
}

/**
 * What the summarizer reads beside the window: the covered rest of its exchanges and the questions now being answered.
 * Only from the record's own lane (a root view: its isolation), which every reader of the record sees.
 */
function contextOf(
  view: View,
  events: readonly LoggedEvent[],
  lane: Lane,
  rootView: boolean,
): readonly LoggedEvent[] {
  const exchanges = new Set(events.map((row) => row.exchange));
  const inWindow = new Set(events.map((row) => row.event.seq));
  const questions = new Set<Seq>();
  for (const invocation of view.invocations.values()) {
    if (invocation.state === 'running' && invocation.openedBy !== null) questions.add(invocation.openedBy);
  }
  const key = laneKey(lane);
  return [...view.recovered, ...view.raw]
    .filter((row) => {
      if (inWindow.has(row.event.seq)) return false;
      if (!rootView && laneKey(row.event.lane) !== key) return false;
      return exchanges.has(row.exchange) || questions.has(row.event.seq);
    })
    .sort((a, b) => a.event.seq - b.event.seq);
}
