import type { LiveRecord } from '../coverage/view.ts';
import type { RecordId } from '../event/ids.ts';

/** A live summary as roll-up looks at it. */
export interface Place {
  /** Null stands for the record a window is about to become. */
  readonly live: LiveRecord | null;
  readonly level: number;
  /** What it takes of the prompt. */
  readonly tokens: number;
}

/** What bounds a run beside levels. */
export interface RunLimits {
  /** Of each undone merge, what it was made from: not merged with each other again. */
  readonly parted: readonly (readonly RecordId[])[];
  /** A run of fewer tokens would be refused as not smaller again. */
  readonly leastTokens: number;
  /** Of a longer run only the oldest so many are merged at once. */
  readonly most: number;
}

/**
 * The run roll-up merges: at the lowest level l at which two neighbours are both of level l or lower, the newest run of
 * such neighbours, whole. `stretches` are what may be neighbours, oldest first; no run crosses from one to the next. Null
 * when there is none.
 */
export function runToMerge(
  stretches: readonly (readonly Place[])[],
  limits: RunLimits,
): readonly Place[] | null {
  for (const level of levelsOf(stretches)) {
    const run = newestRun(stretches, level, limits);
    if (run !== null) return run;
  }
  return null;
}

/** The newest run of at least two neighbours of a level or lower, or null. */
export function newestRun(
  stretches: readonly (readonly Place[])[],
  level: number,
  limits: RunLimits,
): readonly Place[] | null {
  for (const stretch of stretches.toReversed()) {
    for (const run of runsNewestFirst(stretch, level, limits)) {
      const cut = capped(run, limits);
      if (cut.length > 1 && tokensOf(cut) >= limits.leastTokens) return cut;
    }
  }
  return null;
}

/** What these summaries take of the prompt together. */
export function tokensOf(places: readonly Place[]): number {
  return places.reduce((sum, place) => sum + place.tokens, 0);
}

/** All levels there are, lowest first. */
function levelsOf(stretches: readonly (readonly Place[])[]): readonly number[] {
  return [...new Set(stretches.flat().map((place) => place.level))].sort((a, b) => a - b);
}

/** The longest runs of neighbours up to a level of which no two were parted by an undo; each in its order. */
function* runsNewestFirst(
  stretch: readonly Place[],
  level: number,
  { parted }: RunLimits,
): Iterable<readonly Place[]> {
  let run: Place[] = [];
  for (const place of stretch.toReversed()) {
    const fits = place.level <= level;
    if (run.length > 0 && (!fits || run.some((other) => areParted(place, other, parted)))) {
      yield run.toReversed();
      run = [];
    }
    if (fits) run.push(place);
  }
  yield run.toReversed();
}

function areParted(a: Place, b: Place, parted: RunLimits['parted']): boolean {
  const [one, other] = [a.live?.record.id, b.live?.record.id];
  if (one === undefined || other === undefined) return false;
  return parted.some((ids) => ids.includes(one) && ids.includes(other));
}

/** A run's oldest places, as many as may be merged at once, and more where those have too few tokens. */
function capped(run: readonly Place[], { most, leastTokens }: RunLimits): readonly Place[] {
  let tokens = 0;
  for (const [index, place] of run.entries()) {
    tokens += place.tokens;
    if (index + 1 >= most && tokens >= leastTokens) return run.slice(0, index + 1);
  }
  return run;
}
