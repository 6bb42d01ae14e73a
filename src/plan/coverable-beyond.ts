import type { View } from '../coverage/view.ts';
import { isCoverable, parkedAfter, type Reach } from './choose-window.ts';
import { keptTail, NEWEST_ONLY } from './kept-tail.ts';
import type { Window } from './plan.ts';
import { tokensOf, unitsOf } from './unit.ts';

/** Stored tokens of what could still be covered for a reader, under pressure, once a window is; the newest exchange never is. */
export function coverableBeyond(view: View, window: Window): number {
  const reach: Reach = { kept: keptTail(view.raw, NEWEST_ONLY), undone: true, parked: true };
  const inWindow = new Set(window.events.map((row) => row.event.seq));
  return tokensOf(
    unitsOf(view, true, parkedAfter(reach)).filter(
      (unit) => isCoverable(unit, reach, false) && !unit.events.some((row) => inWindow.has(row.event.seq)),
    ),
  );
}
