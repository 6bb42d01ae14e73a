import type { LiveRecord } from '../coverage/view.ts';

/** A live summary as roll-up looks at it. */
export interface Place {
  /** Null stands for the record a window is about to become. */
  readonly live: LiveRecord | null;
  readonly level: number;
  /** What it takes of the prompt. */
  readonly tokens: number;
}

/**
 * The runs roll-up may merge, the one to merge first: at the lowest level l at which two neighbours are both of level l or
 * lower, the newest run of such neighbours, whole; then older ones, and those of higher levels. `stretches` are what may
 * be neighbours, oldest first; no run crosses from one to the next.
 */
export function* runsToMerge(stretches: readonly (readonly Place[])[]): Iterable<readonly Place[]> {
  const levels = new Set(stretches.flat().map((place) => place.level));
  for (const level of [...levels].sort((a, b) => a - b)) {
    for (const stretch of stretches.toReversed()) yield* runsUpTo(stretch, level);
  }
}

/** The longest runs of at least two neighbours up to a level, newest first. */
function* runsUpTo(stretch: readonly Place[], level: number): Iterable<readonly Place[]> {
  let end = stretch.length;
  for (let at = end - 1; at >= -1; at -= 1) {
    const place = stretch[at];
    if (place !== undefined && place.level <= level) continue;
    if (end - at > 2) yield stretch.slice(at + 1, end);
    end = at;
  }
}
