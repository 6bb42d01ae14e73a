import type { View } from '../coverage/view.ts';
import { isCoverable, parkedAfter, type Reach } from './choose-window.ts';
import { keptTail, NEWEST_ONLY } from './kept-tail.ts';
import { unitsOf } from './unit.ts';

/** What is covered under pressure: all but the newest exchange. */
export function reachUnderPressure(view: View): Reach {
  return { kept: keptTail(view.raw, NEWEST_ONLY), undone: true, parked: true };
}

/** The view once all is covered that can be under pressure, but for the summaries of it: what no compaction takes out of a prompt. */
export function heldBackView(view: View): View {
  const reach = reachUnderPressure(view);
  const held = new Set(
    unitsOf(view, true, parkedAfter(reach))
      .filter((unit) => !isCoverable(unit, reach, false))
      .flatMap((unit) => unit.events),
  );
  const raw = view.raw.filter((row) => held.has(row));
  const shown = new Set(raw.map(({ exchange }) => exchange));
  return { ...view, raw, recovered: view.recovered.filter(({ exchange }) => shown.has(exchange)) };
}
