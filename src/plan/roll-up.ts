import type { LiveRecord, View } from '../coverage/view.ts';
import { isRootBranch, type Lane, sameLane } from '../event/lane.ts';
import type { Attempt } from './attempt.ts';
import { makeMerge } from './make-merge.ts';
import { planOf } from './make-window.ts';
import type { NothingReason, Plan, Window } from './plan.ts';
import { mergeProgressIn, type ProgressIn, progressIn } from './progress.ts';
import { apartBy, insideRuns, outsideRuns, type Parted, type Place, partedOf } from './run-to-merge.ts';

/** How many summaries stay live. */
export interface RollUpPolicy {
  /** The most live summaries: of what the root sees, and of each lane. 1 is the rolling summary. */
  readonly maxLive: number;
  /** The most tokens all of them may take; over it they are merged as over `maxLive`. Null: no bound. */
  readonly maxSummariesTokens: number | null;
}

/** So many summaries go into one at most, unless more may stay live. */
const MOST_AT_ONCE = 16;

/**
 * The next merge where more summaries are live than the policy allows; each plan is one merge, so plan again until there
 * is nothing. `view` is of scope `reader` at the root branch, whose K counts what the root sees; or of scope `lane`, whose
 * K counts the lane's own records, whether they lie in a root view or not. A run of one lane's records is merged into one
 * of that lane; any other becomes a root view, which supersedes the root views in it and lies over the lanes' records. In
 * a lane, records inside one root view are merged first, all into one; those inside different ones never are.
 *
 * @param attempts The session's ledger, oldest first. Of each lane, and of root views, only the merges are read: after one
 * failed, others are tried.
 */
export function planRollUp(view: View, policy: RollUpPolicy, attempts: readonly Attempt[]): Plan {
  const places = recordsOf(view, view.lane).map(placeOf);
  const parted = partedOf(view, places);
  if (!isOver(places, parted, policy)) return nothing('below_trigger');
  const progress = mergeProgressIn(attempts);
  let waits = false;
  let tooSmall = false;
  const apart = apartBy(places, parted);
  for (const run of [...insideRuns(apart), ...outsideRuns(apart)]) {
    const window = mergeWindow(view, run, policy, progress);
    if (window === null) tooSmall = true;
    else if (view.invocationCount < progress(window.lane, window.rootView).waitForInvocation) waits = true;
    else return planOf(view, 'roll_up', window);
  }
  if (waits) return nothing('backing_off');
  return nothing(parted.merges > 0 && !tooSmall ? 'undone' : 'not_enough');
}

/**
 * A plan for events, made to replace the run of summaries that its record would at once be merged with: one call instead
 * of two. That is so where the record brings `view` over the policy, and the run roll-up names holds it and otherwise only
 * records of its own lane that lie where it does, or for a root view only root views. Any other plan comes back as it is;
 * so does one of a lane whose newest window or merge came to nothing: they are not asked for in one call then.
 *
 * @param view The root's, of scope `reader`, for root views and windows of the root lane; of scope `lane` for a window of
 * another lane or inside a root view. A view of another scope that shows the window's lane counts that lane's records.
 * @param attempts The session's ledger, or the lane's, oldest first.
 */
export function withRollUp(plan: Plan, view: View, policy: RollUpPolicy, attempts: readonly Attempt[]): Plan {
  if (plan.kind === 'nothing') return plan;
  const { window } = plan;
  const first = window.events[0];
  if (first === undefined || window.summaries.length > 0) return plan;
  const under = window.rootView ? null : first.under;
  const made: Place = { live: null, under, level: 1, tokens: 0 };
  const places = recordsOf(view, window.lane).map(placeOf);
  const at = places.findIndex(({ live }) => live !== null && live.firstSeq > first.event.seq);
  places.splice(at === -1 ? places.length : at, 0, made);
  const parted = partedOf(view, places);
  // Outside all root views a lane's records are what the root sees of it, and K counts those.
  const counted = under === null ? places.filter((place) => place.under === null) : places;
  if (!isOver(counted, parted, policy) || cameToNothing(window, attempts)) return plan;
  const apart = apartBy(places, parted);
  const [run] = under === null ? outsideRuns(apart) : insideRuns(apart);
  if (run === undefined || !run.includes(made) || run.length > mostAtOnce(policy)) return plan;
  const summaries = run.flatMap(({ live }) => live ?? []);
  const isAlike = ({ record }: LiveRecord): boolean =>
    record.rootView === window.rootView && sameLane(record.lane, window.lane);
  if (!summaries.every(isAlike)) return plan;
  const supersedes = summaries.map(({ record }) => record.id);
  return { ...plan, window: { ...window, supersedes, summaries } };
}

function isRootReader(view: View): boolean {
  return view.scope === 'reader' && isRootBranch(view.lane);
}

/** The records K counts: what the root sees, or one lane's. */
function recordsOf(view: View, lane: Lane): readonly LiveRecord[] {
  if (isRootReader(view)) return view.records;
  return view.records.filter(({ record }) => sameLane(record.lane, lane));
}

function placeOf(live: LiveRecord): Place {
  return { live, under: live.under, level: live.record.level, tokens: live.record.tokens.summary };
}

/** An undone merge takes one place, as it did: else all that comes after it would be merged at once, again and again. */
function isOver(places: readonly Place[], { ids, merges }: Parted, policy: RollUpPolicy): boolean {
  if (places.length < 2) return false;
  if (places.length - ids.size + Math.min(merges, ids.size) > policy.maxLive) return true;
  return policy.maxSummariesTokens !== null && tokensOf(places) > policy.maxSummariesTokens;
}

function tokensOf(places: readonly Place[]): number {
  return places.reduce((sum, place) => sum + place.tokens, 0);
}

/** Only what gathered while nothing was rolled up has longer runs; one summary of hundreds would say too little. */
function mostAtOnce({ maxLive }: RollUpPolicy): number {
  return Math.max(maxLive + 1, MOST_AT_ONCE);
}

/** Merges a run's oldest summaries: as many as go into one, and more where those were refused as not smaller. Null where all are too few. */
function mergeWindow(
  view: View,
  run: readonly Place[],
  policy: RollUpPolicy,
  progress: ProgressIn,
): Window | null {
  for (let size = Math.min(run.length, mostAtOnce(policy)); size <= run.length; size += 1) {
    const part = run.slice(0, size);
    const window = makeMerge(
      view,
      part.flatMap(({ live }) => live ?? []),
    );
    if (tokensOf(part) >= progress(window.lane, window.rootView).leastTokens) return window;
  }
  return null;
}

/** Whether a lane's newest window or newest merge came to nothing. */
function cameToNothing({ lane, rootView }: Window, attempts: readonly Attempt[]): boolean {
  const windows = progressIn(attempts)(lane, rootView);
  const merges = mergeProgressIn(attempts)(lane, rootView);
  return windows.triedAt > 0 || merges.triedAt > 0;
}

function nothing(reason: NothingReason): Plan {
  return { kind: 'nothing', reason };
}
