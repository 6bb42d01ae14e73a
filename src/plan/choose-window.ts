import type { Strategy } from '../coverage/record.ts';
import type { View } from '../coverage/view.ts';
import { PARKED_AFTER } from '../event/exchange-standing.ts';
import type { LaneKey } from '../event/ids.ts';
import { isRootBranch, laneKey } from '../event/lane.ts';
import type { ExchangeId } from '../event/obligation.ts';
import { makeWindow, planOf } from './make-window.ts';
import type { NothingReason, Plan } from './plan.ts';
import { tokensOf, type Unit, unitsOf } from './unit.ts';

/** What may be covered for a reader, beyond what is held back from everybody. */
export interface Reach {
  /** The exchanges of the kept tail. */
  readonly kept: ReadonlySet<ExchangeId>;
  /** Covers what was undone, too. */
  readonly undone: boolean;
  /** Covers open asks and long-running calls, too, as if they had waited long enough. */
  readonly parked: boolean;
}

/** Which window of a lane's, or root view, is worth it. */
export interface WindowRules {
  readonly strategy: Strategy;
  readonly reach: Reach;
  /**
   * Stored tokens the window of a key takes at least (of the key null, the root view); infinite: none by itself. Null: it
   * waits after a failure, and a root view does not take its events either, which would be paid twice.
   */
  readonly least: (key: WindowKey | null) => number | null;
  /** Stored tokens a window takes at most; one exchange is never cut. */
  readonly most: number;
}

/** Names the window a lane's units would make. */
export interface WindowKey {
  readonly lane: LaneKey;
  /** The live root view they lie in. */
  readonly under: string | null;
}

/**
 * Where several lanes have something to cover, one takes so many times the least to be a window of its own at the root
 * while a root view can take it: two branches a turn would else cost two calls a turn and a summary for each.
 */
const ALONE = 4;

/**
 * The next window for a reader: of the lane with the most to cover, oldest first; then, at the root branch, one root
 * view over what is scattered in small pieces across lanes; then of lanes with less. `view` is of scope `reader`.
 */
export function chooseWindow(view: View, rules: WindowRules): Plan {
  const { strategy, reach } = rules;
  const units = unitsOf(view, true, parkedAfter(reach));
  const groups = groupUnits(units.filter((unit) => isCoverable(unit, reach, false)));
  const waiting = new Set<LaneKey>();
  let best: { readonly units: readonly Unit[]; readonly least: number; readonly tokens: number } | undefined;
  for (const group of groups.values()) {
    const tokens = tokensOf(group);
    const key = group[0] as Unit;
    const least = rules.least(key);
    if (least === null) waiting.add(key.lane);
    else if (tokens >= least && tokens > (best?.tokens ?? -1)) best = { units: group, least, tokens };
  }
  const scattered = isRootBranch(view.lane) && groups.size - waiting.size > 1;
  const least = scattered ? rules.least(null) : null;
  if (least !== null && (best === undefined || best.tokens < best.least * ALONE)) {
    const whole = unitsOf(view, false, parkedAfter(reach)).filter(
      (unit) =>
        isCoverable(unit, reach, true) && !unit.events.some((row) => waiting.has(laneKey(row.event.lane))),
    );
    if (tokensOf(whole) >= least) {
      const taken = oldest(whole, least, rules.most);
      return planOf(view, strategy, makeWindow(view, taken, true, 0));
    }
  }
  if (best !== undefined) {
    const taken = oldest(best.units, best.least, rules.most);
    return planOf(view, strategy, makeWindow(view, taken, false, 0));
  }
  if (waiting.size > 0 || (scattered && least === null)) return { kind: 'nothing', reason: 'backing_off' };
  return { kind: 'nothing', reason: whyNothing(units, groups.size > 0, reach) };
}

/** Stored tokens of all that could be covered for a reader. */
export function coverableTokens(view: View, reach: Reach): number {
  return tokensOf(unitsOf(view, true, parkedAfter(reach)).filter((unit) => isCoverable(unit, reach, false)));
}

/** The `parkedAfter` of a reach; see `exchangeStanding`. */
export function parkedAfter(reach: Pick<Reach, 'parked'>): number {
  return reach.parked ? 0 : PARKED_AFTER;
}

/** Whether a unit may be covered by a lane's window, or by a root view. */
export function isCoverable(unit: Unit, reach: Reach, rootView: boolean): boolean {
  if (unit.held !== null || reach.kept.has(unit.exchange)) return false;
  return reach.undone || !isUndone(unit, rootView);
}

/** Units by the window they would make, in the order of their first events. */
export function groupUnits(units: readonly Unit[]): ReadonlyMap<string, readonly Unit[]> {
  return Map.groupBy(units, windowKey);
}

/** The window a lane's units would make, as one string. */
export function windowKey(key: WindowKey): string {
  return `${key.lane}\u0000${key.under ?? ''}`;
}

function isUndone(unit: Unit, rootView: boolean): boolean {
  return unit.events.some((row) => row.undone !== null || (rootView && row.undoneView !== null));
}

/** The oldest units within `most` tokens, and as many more as make `least`. */
function oldest(units: readonly Unit[], least: number, most: number): readonly Unit[] {
  const taken: Unit[] = [];
  let tokens = 0;
  for (const unit of units) {
    const more = tokensOf([unit]);
    if (taken.length > 0 && tokens >= least && tokens + more > most) break;
    taken.push(unit);
    tokens += more;
  }
  return taken;
}

function whyNothing(units: readonly Unit[], someCoverable: boolean, reach: Reach): NothingReason {
  if (someCoverable) return 'not_enough';
  const beyond = units.filter((unit) => !reach.kept.has(unit.exchange));
  if (beyond.length === 0) return 'nothing_new';
  return beyond.some((unit) => unit.held === null) ? 'undone' : 'blocked';
}
