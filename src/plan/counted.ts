import type { View } from '../coverage/view.ts';
import type { RecordId } from '../event/ids.ts';
import { isRootBranch } from '../event/lane.ts';
import { type Place, runsToMerge } from './run-to-merge.ts';

/** What K counts, and of it what an undo parted: those records are not merged with each other, nor with anything else. */
export interface Counted {
  readonly places: readonly Place[];
  readonly parted: ReadonlySet<RecordId>;
  /** How many undone merges those were of. */
  readonly undone: number;
  readonly atRoot: boolean;
}

/** Of these places of a view, what K counts. */
export function countedIn(view: View, places: readonly Place[]): Counted {
  const ids = new Set(places.map(idOf));
  const sets = view.parted.map((set) => set.filter((id) => ids.has(id))).filter((set) => set.length > 1);
  return { places, parted: new Set(sets.flat()), undone: sets.length, atRoot: isRootReader(view) };
}

/** The runs that may be merged, the rule's first; `under` is the root view a place without a record lies in. */
export function* runsIn(
  { places, parted, atRoot }: Counted,
  under: RecordId | null,
): Iterable<readonly Place[]> {
  const { outside, inside } = apart(places, parted, under);
  if (!atRoot) {
    for (const run of runsToMerge(inside)) {
      const whole = inside.find((group) => group.includes(run[0] as Place));
      yield whole ?? run;
    }
  }
  yield* runsToMerge(outside);
}

/** Those inside each root view, and the stretches between them. What was parted ends a stretch and is in none. */
function apart(
  places: readonly Place[],
  parted: ReadonlySet<RecordId>,
  under: RecordId | null,
): { readonly outside: readonly (readonly Place[])[]; readonly inside: readonly (readonly Place[])[] } {
  let stretch: Place[] = [];
  const outside = [stretch];
  const inside = new Map<RecordId, Place[]>();
  for (const place of places) {
    const lies = place.live === null ? under : place.live.under;
    const id = idOf(place);
    const isParted = id !== null && parted.has(id);
    if (lies === null && !isParted) {
      stretch.push(place);
      continue;
    }
    stretch = [];
    outside.push(stretch);
    if (lies === null || isParted) continue;
    const group = inside.get(lies);
    if (group === undefined) inside.set(lies, [place]);
    else group.push(place);
  }
  return { outside, inside: [...inside.values()] };
}

function idOf({ live }: Place): RecordId | null {
  return live?.record.id ?? null;
}

/** Whether a view is what a reader at the root branch sees. */
export function isRootReader(view: View): boolean {
  return view.scope === 'reader' && isRootBranch(view.lane);
}
