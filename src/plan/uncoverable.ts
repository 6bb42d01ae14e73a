import type { View } from '../coverage/view.ts';
import type { Uncoverable } from '../event/errors.ts';
import { isRootBranch } from '../event/lane.ts';
import type { ExchangeId } from '../event/obligation.ts';
import { groupUnits, isCoverable, parkedAfter, windowKey } from './choose-window.ts';
import { reachUnderPressure } from './held-back.ts';
import { tokensOf, unitsOf } from './unit.ts';

/** How many events an error names. */
const MOST_NAMED = 20;

/**
 * What a reader's prompt shows that cannot be covered even under pressure, and why; the largest first, at most 20. What
 * could be covered and was not is `too_small` where a window of it is not worth a summary, else `failed`.
 */
export function uncoverableOf(view: View, minimumTokens: number): readonly Uncoverable[] {
  const reach = reachUnderPressure(view);
  const units = unitsOf(view, true, parkedAfter(reach));
  const left = units.filter((unit) => isCoverable(unit, reach, false));
  const groups = groupUnits(left);
  const together = isRootBranch(view.lane) && groups.size > 1 && tokensOf(left) >= minimumTokens;
  const named: Uncoverable[] = [];
  const reasons = new Map<ExchangeId, Uncoverable['why']>();
  for (const unit of units) {
    let why: Uncoverable['why'];
    if (unit.held !== null) why = unit.held;
    else if (reach.kept.has(unit.exchange)) why = 'newest';
    else {
      const enough = together || tokensOf(groups.get(windowKey(unit)) ?? []) >= minimumTokens;
      why = enough ? 'failed' : 'too_small';
    }
    reasons.set(unit.exchange, why);
    for (const { event } of unit.events) named.push({ seq: event.seq, tokens: event.tokens, why });
  }
  // Shown again with what is raw of its exchange, and for the same reason.
  for (const row of view.recovered) {
    const why = reasons.get(row.exchange);
    if (why !== undefined) named.push({ seq: row.event.seq, tokens: row.event.tokens, why });
  }
  return named.sort((a, b) => b.tokens - a.tokens || a.seq - b.seq).slice(0, MOST_NAMED);
}
