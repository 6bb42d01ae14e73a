import type { LiveRecord, View } from '../coverage/view.ts';
import type { RecordId } from '../event/ids.ts';

/** A live summary as roll-up looks at it. */
export interface Place {
  /** Null stands for the record a window is about to become. */
  readonly live: LiveRecord | null;
  /** The live root view it lies in, where a view shows that. */
  readonly under: RecordId | null;
  readonly level: number;
  /** What it takes of the prompt. */
  readonly tokens: number;
}

/** What may be merged with what: neighbours in a stretch, and what lies in one root view. */
interface Apart {
  /** Stretches of neighbours outside all root views, oldest first. */
  readonly outside: readonly (readonly Place[])[];
  /** The summaries inside each root view. */
  readonly inside: readonly (readonly Place[])[];
}

/** What an undo parted, as ids, and how many undone merges that was. */
export interface Parted {
  readonly ids: ReadonlySet<RecordId>;
  readonly merges: number;
}

/** Of what undone merges were made from, what is among these places. */
export function partedOf(view: View, places: readonly Place[]): Parted {
  const here = new Set(places.map(({ live }) => live?.record.id ?? null));
  const sets = view.parted.map((ids) => ids.filter((id) => here.has(id))).filter((ids) => ids.length > 1);
  return { ids: new Set(sets.flat()), merges: sets.length };
}

/** Sorts places by what they may be merged with. What an undo parted, or what lies in a root view, ends a stretch. */
export function apartBy(places: readonly Place[], parted: Parted): Apart {
  let stretch: Place[] = [];
  const outside = [stretch];
  const inside = new Map<RecordId, Place[]>();
  for (const place of places) {
    const isParted = place.live !== null && parted.ids.has(place.live.record.id);
    if (place.under === null && !isParted) {
      stretch.push(place);
      continue;
    }
    stretch = [];
    outside.push(stretch);
    if (place.under === null || isParted) continue;
    const group = inside.get(place.under);
    if (group === undefined) inside.set(place.under, [place]);
    else group.push(place);
  }
  return { outside, inside: [...inside.values()] };
}

/**
 * The runs roll-up may merge, the one to merge first: at the lowest level l at which two neighbours are both of level l or
 * lower, the newest run of such neighbours, whole; then older ones, and those of higher levels.
 */
export function* outsideRuns({ outside }: Apart): Iterable<readonly Place[]> {
  yield* runsToMerge(outside);
}

/** All that lies in one root view: of the view where the rule finds a run first. */
export function* insideRuns({ inside }: Apart): Iterable<readonly Place[]> {
  for (const run of runsToMerge(inside)) yield inside.find((group) => group.includes(run[0] as Place)) ?? run;
}

function* runsToMerge(stretches: readonly (readonly Place[])[]): Iterable<readonly Place[]> {
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
