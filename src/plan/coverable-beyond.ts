import type { View } from '../coverage/view.ts';
import { keptTail } from './manual.ts';
import type { Window } from './plan.ts';
import { tokensOf, unitsOf } from './unit.ts';

/** Stored tokens of what could still be covered for a reader once a window is; the newest exchange never is. */
export function coverableBeyond(view: View, window: Window): number {
  const kept = keptTail(view.raw, { events: 0, tokens: 0 });
  const inWindow = new Set(window.events.map((row) => row.event.seq));
  return tokensOf(
    unitsOf(view, true).filter(
      (unit) =>
        unit.held === null &&
        !kept.has(unit.exchange) &&
        !unit.events.some((row) => inWindow.has(row.event.seq)),
    ),
  );
}
