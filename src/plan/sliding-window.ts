import type { RawEvent, View } from '../coverage/view.ts';
import type { InvocationId, LaneKey } from '../event/ids.ts';
import { isOver } from '../event/invocation.ts';
import { laneKey } from '../event/lane.ts';
import type { ExchangeId } from '../event/obligation.ts';
import { makeWindow, planOf } from './make-window.ts';
import type { NothingReason, Plan } from './plan.ts';
import type { Progress } from './progress.ts';
import { tokensOf, type Unit, unitsOf } from './unit.ts';

/** The sliding window's settings as planning needs them. */
export interface SlidingPolicy {
  /** How many invocations that are over make a window. */
  readonly interval: number;
  /** How many invocations before the window are read as context. */
  readonly overlap: number;
  /** Stored tokens under which a window is not worth a summary; following invocations join it. */
  readonly minimumTokens: number;
  /** Exchanges of a kept tail: left raw. */
  readonly kept?: ReadonlySet<ExchangeId>;
  /** Asked for by a person: undone windows are covered again, and nothing waits for a failure to be forgotten. */
  readonly onRequest?: boolean;
}

/** How many windows' worth of invocations and tokens the root lets gather for the sake of a lane that has enough alone. */
const PATIENCE = 4;

/** Names the group of what lies in no root view. */
const OUTSIDE = '';

/** The units of one invocation, in the order the invocations first appeared. */
interface Turn {
  readonly ordinal: number;
  readonly units: Unit[];
}

/**
 * The next window of one lane: the first `interval` invocations that are over and have coverable events there. `view`
 * is of scope `lane`. A window lies wholly inside one live root view or outside all of them. What lies inside one does not
 * wait for `interval`: no turn to come adds to it, so it is covered once it is worth a summary.
 */
export function planSlidingWindow(view: View, policy: SlidingPolicy, progress: Progress): Plan {
  if (isBackingOff(view, policy, progress)) return nothing('backing_off');
  const units = unitsOf(view, true);
  const groups = new Map<string, Unit[]>();
  for (const unit of units) {
    if (!isReady(unit, policy) || unit.events.some((row) => row.undone !== null && policy.onRequest !== true))
      continue;
    const key = unit.under ?? OUTSIDE;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [unit]);
    else group.push(unit);
  }
  for (const [under, group] of groups) {
    const turns = turnsOf(group);
    const interval = under === OUTSIDE ? policy.interval : Math.min(policy.interval, turns.length);
    const taken = takeTurns(turns, interval, policy, progress);
    if (taken !== null) return planOf(view, 'sliding_window', makeWindow(view, taken, false, policy.overlap));
  }
  return nothing(whyNothing(units, groups.size > 0));
}

/**
 * One root view over the oldest `interval` invocations of an isolation, when no lane alone has enough but the lanes
 * together have twice as many; or {@link PATIENCE} times as many, whatever one has. `view` is of scope `reader` at the
 * root branch.
 */
export function planRootView(view: View, policy: SlidingPolicy, progress: Progress): Plan {
  if (isBackingOff(view, policy, progress)) return nothing('backing_off');
  const units = unitsOf(view, false);
  const isUndone = (row: RawEvent): boolean => row.undone !== null || row.undoneView !== null;
  const ready = units.filter(
    (unit) => isReady(unit, policy) && (policy.onRequest === true || !unit.events.some(isUndone)),
  );
  const lanes = new Map<LaneKey, Set<InvocationId>>();
  for (const unit of ready) {
    for (const { event } of unit.events) {
      const key = laneKey(event.lane);
      const seen = lanes.get(key);
      const id = unit.invocation?.id ?? event.invocation;
      if (seen === undefined) lanes.set(key, new Set([id]));
      else seen.add(id);
    }
  }
  const turns = turnsOf(ready);
  const laneHasEnough = [...lanes.values()].some((seen) => seen.size >= policy.interval);
  // Such a lane is covered by itself, and first; where that does not come about (too small to be worth it, refused as no
  // smaller, failing), the rest of the isolation does not wait for it for ever.
  const hasWaited =
    turns.length >= PATIENCE * policy.interval && tokensOf(ready) >= PATIENCE * policy.minimumTokens;
  if (lanes.size > 1 && (laneHasEnough ? hasWaited : turns.length >= 2 * policy.interval)) {
    const taken = takeTurns(turns, policy.interval, policy, progress);
    if (taken !== null) return planOf(view, 'sliding_window', makeWindow(view, taken, true, policy.overlap));
  }
  return nothing(whyNothing(units, ready.length > 0));
}

function isBackingOff(view: View, policy: SlidingPolicy, progress: Progress): boolean {
  return policy.onRequest !== true && view.invocationCount < progress.waitForInvocation;
}

function isReady(unit: Unit, policy: SlidingPolicy): boolean {
  if (unit.held !== null || policy.kept?.has(unit.exchange) === true) return false;
  return unit.invocation !== undefined && isOver(unit.invocation);
}

function turnsOf(units: readonly Unit[]): readonly Turn[] {
  const turns = new Map<InvocationId, Turn>();
  for (const unit of units) {
    const invocation = unit.invocation;
    if (invocation === undefined) continue;
    const turn = turns.get(invocation.id);
    if (turn === undefined) turns.set(invocation.id, { ordinal: invocation.ordinal, units: [unit] });
    else turn.units.push(unit);
  }
  return [...turns.values()].sort((a, b) => a.ordinal - b.ordinal);
}

/** The oldest `interval` turns, and following ones until the window is worth it; null when there are not enough. */
function takeTurns(
  turns: readonly Turn[],
  interval: number,
  policy: SlidingPolicy,
  progress: Progress,
): readonly Unit[] | null {
  const least = Math.max(interval, progress.joinAtLeast);
  const taken: Unit[] = [];
  let tokens = 0;
  for (const [index, turn] of turns.entries()) {
    taken.push(...turn.units);
    tokens += tokensOf(turn.units);
    if (index + 1 >= least && tokens >= policy.minimumTokens) return taken;
  }
  return null;
}

function whyNothing(units: readonly Unit[], someReady: boolean): NothingReason {
  if (someReady) return 'not_enough';
  if (units.length === 0) return 'nothing_new';
  const waiting = units.filter((unit) => unit.held === null);
  if (waiting.length === 0) return 'blocked';
  const undone = waiting.some((unit) =>
    unit.events.some((row) => row.undone !== null || row.undoneView !== null),
  );
  return undone ? 'undone' : 'not_enough';
}

function nothing(reason: NothingReason): Plan {
  return { kind: 'nothing', reason };
}
