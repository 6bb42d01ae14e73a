import type { LiveRecord, View } from '../coverage/view.ts';
import type { RecordId } from '../event/ids.ts';
import { isRootBranch, type Lane, laneKey, laneOf, sameLane } from '../event/lane.ts';
import { planOf } from './make-window.ts';
import type { NothingReason, Plan, Window } from './plan.ts';
import type { Progress } from './progress.ts';
import { newestRun, type Place, type RunLimits, runToMerge, tokensOf } from './run-to-merge.ts';

/** How many summaries stay live. */
export interface RollUpPolicy {
  /** The most live summaries: of what the root sees, and of each lane. 1 is the rolling summary. */
  readonly maxLive: number;
  /** The most tokens all of them may take; over it they are merged as over `maxLive`. Null: no bound. */
  readonly maxSummariesTokens: number | null;
}

/** What earlier merges mean for the next one. */
export type RollUpProgress = Pick<Progress, 'waitForInvocation'> & { readonly leastTokens: number };

/**
 * At most so many summaries go into one, where there are not more than {@link RollUpPolicy.maxLive} and one: only what
 * grew while nothing was rolled up has longer runs, and one summary says too little of hundreds.
 */
const MOST_AT_ONCE = 16;

/**
 * The next merge where more summaries are live than the policy allows; each plan is one merge, so plan again until there
 * is nothing. `view` is of scope `reader` at the root branch, whose K counts what the root sees; or of scope `lane`, whose
 * K counts the lane's own records, whether they lie in a root view or not. A run of one lane's records is merged into one
 * of that lane; any other becomes a root view, which supersedes the root views in it and lies over the lanes' records. In
 * a lane, records inside one root view are merged first, all into one; those inside different ones never are.
 */
export function planRollUp(view: View, policy: RollUpPolicy, progress: RollUpProgress): Plan {
  const records = countedRecords(view);
  const places = records.map(placeOf);
  if (!isOver(places, view, policy)) return nothing('below_trigger');
  if (view.invocationCount < progress.waitForInvocation) return nothing('backing_off');
  const limits = limitsOf(view, policy, progress.leastTokens);
  const run = chooseRun(view, places, null, limits);
  if (run !== null)
    return planOf(
      view,
      'roll_up',
      mergeWindow(
        view,
        run.flatMap(({ live }) => live ?? []),
      ),
    );
  // Were it not for what an undo parted, would there be one?
  return nothing(chooseRun(view, places, null, { ...limits, parted: [] }) === null ? 'not_enough' : 'undone');
}

/**
 * A plan for events, made to replace the run of summaries that its record would at once be merged with: one call instead
 * of two. That is so where the record brings `view` over the policy, and the run roll-up names holds it and otherwise only
 * records of its own lane, or for a root view only root views. `view` is the root's, of scope `reader`, for windows of the
 * root lane and for root views; and of scope `lane` for windows of other lanes or inside a root view. Any other plan comes
 * back as it is.
 */
export function withRollUp(plan: Plan, view: View, policy: RollUpPolicy): Plan {
  if (plan.kind === 'nothing') return plan;
  const { window } = plan;
  const first = window.events[0];
  if (first === undefined || window.supersedes.length > 0 || window.over.length > 0) return plan;
  const under = window.rootView ? null : first.under;
  // The root does not see what lies inside a root view.
  if (view.scope === 'reader' && under !== null) return plan;
  const places = countedRecords(view).map(placeOf);
  const made: Place = { live: null, level: 1, tokens: 0 };
  const at = places.findIndex(({ live }) => live !== null && live.firstSeq > first.event.seq);
  places.splice(at === -1 ? places.length : at, 0, made);
  if (!isOver(places, view, policy)) return plan;
  const run = chooseRun(view, places, under, limitsOf(view, policy, 0));
  if (run === null || !run.includes(made)) return plan;
  const summaries = run.flatMap(({ live }) => live ?? []);
  if (
    !summaries.every(
      ({ record }) => record.rootView === window.rootView && sameLane(record.lane, window.lane),
    )
  )
    return plan;
  const supersedes = summaries.map(({ record }) => record.id);
  return { ...plan, window: { ...window, supersedes, summaries } };
}

/** The records a view's K counts. */
function countedRecords(view: View): readonly LiveRecord[] {
  if (view.scope === 'lane' || isRootBranch(view.lane)) return view.records;
  return view.records.filter(({ record }) => sameLane(record.lane, view.lane));
}

function placeOf(live: LiveRecord): Place {
  return { live, level: live.record.level, tokens: live.record.tokens.summary };
}

function limitsOf(view: View, policy: RollUpPolicy, leastTokens: number): RunLimits {
  return { parted: view.parted, leastTokens, most: Math.max(policy.maxLive + 1, MOST_AT_ONCE) };
}

/** An undone merge takes one place, as it did; else all that comes after it would be merged at once, again and again. */
function isOver(places: readonly Place[], view: View, policy: RollUpPolicy): boolean {
  if (places.length < 2) return false;
  const parted = new Set(view.parted.flat()).size - view.parted.length;
  if (places.length - Math.max(0, parted) > policy.maxLive) return true;
  return policy.maxSummariesTokens !== null && tokensOf(places) > policy.maxSummariesTokens;
}

/** The run to merge; `under` is the root view a place without a record lies in. */
function chooseRun(
  view: View,
  places: readonly Place[],
  under: RecordId | null,
  limits: RunLimits,
): readonly Place[] | null {
  if (view.scope === 'reader' && isRootBranch(view.lane)) return runToMerge([places], limits);
  const outside: Place[][] = [[]];
  const inside = new Map<RecordId, Place[]>();
  for (const place of places) {
    const lies = place.live === null ? under : place.live.under;
    if (lies === null) {
      outside.at(-1)?.push(place);
      continue;
    }
    const group = inside.get(lies);
    if (group === undefined) inside.set(lies, [place]);
    else group.push(place);
    if (outside.at(-1)?.length !== 0) outside.push([]);
  }
  const groups = [...inside.values()];
  const within = runToMerge(groups, limits);
  if (within === null) return runToMerge(outside, limits);
  const whole = groups.find((group) => group.includes(within[0] as Place)) ?? within;
  return newestRun([whole], Number.POSITIVE_INFINITY, limits) ?? within;
}

/** The window that merges a run: no event of its own. */
function mergeWindow(view: View, run: readonly LiveRecord[]): Window {
  const first = (run[0] as LiveRecord).record;
  const rootView = !run.every(({ record }) => !record.rootView && sameLane(record.lane, first.lane));
  const lane: Lane = rootView ? { branch: '', isolation: view.lane.isolation } : laneOf(laneKey(first.lane));
  const replaced = run.filter(({ record }) => record.rootView === rootView);
  const over = run.filter(({ record }) => record.rootView !== rootView);
  return {
    lane,
    rootView,
    spans: [],
    events: [],
    unanswered: new Map(),
    context: [],
    overlap: 0,
    supersedes: replaced.map(({ record }) => record.id),
    over: over.map(({ record }) => record.id),
    summaries: run,
    tokens: 0,
    invocations: 0,
  };
}

function nothing(reason: NothingReason): Plan {
  return { kind: 'nothing', reason };
}
