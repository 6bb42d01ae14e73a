import type { LaneKey } from './ids.ts';

/**
 * Where an event was said: a branch of the agents' tree (a dot path, `''` is the root) and an isolation scope
 * (`''` is the main conversation). Scopes never mix: nobody sees across isolations.
 */
export interface Lane {
  readonly branch: string;
  readonly isolation: string;
}

/** Who a prompt is made for: an agent and the lane it acts in. */
export interface Reader {
  readonly agent: string;
  readonly lane: Lane;
}

/** The root lane of the main conversation. */
export const ROOT_LANE: Lane = Object.freeze({ branch: '', isolation: '' });

/** The lane as one string: equal exactly when the lanes are equal. Neither part may hold U+0000 (checked at append). */
export function laneKey(lane: Lane): LaneKey {
  return `${lane.isolation}\u0000${lane.branch}` as LaneKey;
}

/** The lane a key was made from. */
export function laneOf(key: LaneKey): Lane {
  const at = key.indexOf('\u0000');
  return { isolation: key.slice(0, at), branch: key.slice(at + 1) };
}

/** Whether two lanes are one. */
export function sameLane(a: Lane, b: Lane): boolean {
  return a.branch === b.branch && a.isolation === b.isolation;
}

/** Whether the lane is the root branch of its isolation; a reader there sees every branch of it. */
export function isRootBranch(lane: Lane): boolean {
  return lane.branch === '';
}

/**
 * The one definition of visibility: whether a reader in lane `reader` sees what was said in lane `lane`. Isolations
 * must be equal; the branch must be the root, the reader's own or an ancestor of it, unless the reader is at the root
 * branch, which sees every branch.
 */
export function sees(reader: Lane, lane: Lane): boolean {
  if (reader.isolation !== lane.isolation) return false;
  if (reader.branch === '' || lane.branch === '' || lane.branch === reader.branch) return true;
  return reader.branch.startsWith(`${lane.branch}.`);
}

/** The branches a reader on a branch other than the root sees, from the root to its own: `a.b` gives `''`, `a`, `a.b`. */
export function lineage(lane: Lane): readonly Lane[] {
  const lanes: Lane[] = [{ branch: '', isolation: lane.isolation }];
  if (lane.branch === '') return lanes;
  let end = lane.branch.indexOf('.');
  while (end !== -1) {
    lanes.push({ branch: lane.branch.slice(0, end), isolation: lane.isolation });
    end = lane.branch.indexOf('.', end + 1);
  }
  lanes.push({ branch: lane.branch, isolation: lane.isolation });
  return lanes;
}
