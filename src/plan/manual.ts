import type { RawEvent, View } from '../coverage/view.ts';
import type { LaneKey } from '../event/ids.ts';
import { isRootBranch } from '../event/lane.ts';
import type { ExchangeId } from '../event/obligation.ts';
import { makeWindow, planOf } from './make-window.ts';
import type { Plan } from './plan.ts';
import { tokensOf, type Unit, unitsOf } from './unit.ts';

/** The kept tail's two bounds; the larger holds. */
export interface KeptTail {
  readonly events: number;
  readonly tokens: number;
}

/** What a manual compaction covers. */
export interface ManualPolicy {
  readonly keep: KeptTail;
  /** Stored tokens under which a window is not worth a summary. */
  readonly minimumTokens: number;
}

/** Windows that were tried in this run and are not tried again: lanes, and root views. */
export interface Tried {
  readonly lanes: ReadonlySet<string>;
  readonly rootView: boolean;
}

/**
 * The exchanges a reader's kept tail holds: those of the newest `events` raw events and of the newest that fit
 * `tokens`, whichever is more, and always the newest exchange. A tail is made of whole exchanges, so that one long
 * unanswered call does not drag all that came after it along.
 */
export function keptTail(raw: readonly RawEvent[], keep: KeptTail): ReadonlySet<ExchangeId> {
  const kept = new Set<ExchangeId>();
  let events = 0;
  let tokens = 0;
  for (let at = raw.length - 1; at >= 0; at -= 1) {
    const row = raw[at] as RawEvent;
    events += 1;
    tokens += row.event.tokens;
    if (kept.size > 0 && events > keep.events && tokens > keep.tokens) break;
    kept.add(row.exchange);
  }
  return kept;
}

/**
 * The next window of "cover all that can be covered now": of the lane with the most to cover, until none has enough;
 * then, at the root branch, one root view over what is left in small pieces across lanes. `view` is of scope `reader`.
 */
export function planManual(view: View, policy: ManualPolicy, tried: Tried): Plan {
  const kept = keptTail(view.raw, policy.keep);
  const coverable = (unit: Unit): boolean => unit.held === null && !kept.has(unit.exchange);
  const groups = new Map<string, Unit[]>();
  const apart = unitsOf(view, true).filter(coverable);
  for (const unit of apart) {
    const key = windowKey(unit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [unit]);
    else group.push(unit);
  }
  const best = [...groups]
    .filter(([key, units]) => !tried.lanes.has(key) && tokensOf(units) >= policy.minimumTokens)
    .sort(([, a], [, b]) => tokensOf(b) - tokensOf(a))[0];
  if (best !== undefined) return planOf(view, 'manual', makeWindow(view, best[1], false, 0));
  if (isRootBranch(view.lane) && groups.size > 1 && !tried.rootView) {
    const whole = unitsOf(view, false).filter(coverable);
    if (tokensOf(whole) >= policy.minimumTokens)
      return planOf(view, 'manual', makeWindow(view, whole, true, 0));
  }
  if (apart.length > 0) return { kind: 'nothing', reason: 'not_enough' };
  return {
    kind: 'nothing',
    reason: view.raw.some((row) => !kept.has(row.exchange)) ? 'blocked' : 'nothing_new',
  };
}

/** Names the window a lane's units would make, for {@link Tried}. */
export function windowKey(unit: { readonly lane: LaneKey; readonly under: string | null }): string {
  return `${unit.lane}\u0000${unit.under ?? ''}`;
}
