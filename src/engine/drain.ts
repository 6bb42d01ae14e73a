import type { Strategy } from '../coverage/record.ts';
import type { View } from '../coverage/view.ts';
import type { InvocationId, LaneKey, SessionKey } from '../event/ids.ts';
import { isRootBranch, type Lane, laneKey, laneOf, ROOT_LANE } from '../event/lane.ts';
import { windowKey } from '../plan/choose-window.ts';
import { keptTail } from '../plan/kept-tail.ts';
import { planManual } from '../plan/manual.ts';
import { progressOf } from '../plan/progress.ts';
import { planRootView, planSlidingWindow, type SlidingPolicy } from '../plan/sliding-window.ts';
import { attemptWindow, type Surroundings } from './attempt-window.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { Keep, SlidingWindow } from './session.ts';

/** How much of a lane's ledger back-off looks at. */
const LEDGER_DEPTH = 64;
/** How often a plan is made again after somebody else was faster, in one run. */
const MAX_RACES = 8;

/** Hears each outcome as it happens. */
export type OnOutcome = (outcome: CompactionOutcome) => void;

/** Collects the outcomes of one run; "nothing to do" is only worth telling when nothing else happened. */
class Run {
  readonly outcomes: CompactionOutcome[] = [];
  #nothing: CompactionOutcome | undefined;
  readonly #onOutcome: OnOutcome;

  constructor(onOutcome: OnOutcome) {
    this.#onOutcome = onOutcome;
  }

  add(outcome: CompactionOutcome): void {
    if (outcome.kind === 'nothing') {
      this.#nothing ??= outcome;
      return;
    }
    this.outcomes.push(outcome);
    this.#onOutcome(outcome);
  }

  done(): readonly CompactionOutcome[] {
    if (this.outcomes.length === 0 && this.#nothing !== undefined) this.outcomes.push(this.#nothing);
    return this.outcomes;
  }
}

/**
 * The outcomes of one run. A store that fails between attempts ends it: what happened until then is told all the same,
 * the failure last; where nothing had happened, it is thrown.
 */
async function gather(
  lane: Lane,
  onOutcome: OnOutcome,
  work: (run: Run) => Promise<void>,
): Promise<readonly CompactionOutcome[]> {
  const run = new Run(onOutcome);
  try {
    await work(run);
  } catch (cause) {
    if (run.outcomes.length === 0) throw cause;
    run.add({ kind: 'error', lane, reason: 'store', cause });
  }
  return run.done();
}

/** Covers all that can be covered now for a reader in `lane`, but the kept tail. */
export function compactAll(
  key: SessionKey,
  lane: Lane,
  keep: Required<Keep>,
  around: Surroundings,
  onOutcome: OnOutcome,
): Promise<readonly CompactionOutcome[]> {
  return gather(lane, onOutcome, (run) => coverAll(key, lane, keep, around, run));
}

async function coverAll(
  key: SessionKey,
  lane: Lane,
  keep: Required<Keep>,
  around: Surroundings,
  run: Run,
): Promise<void> {
  const tried = { lanes: new Set<string>(), rootView: false };
  let races = 0;
  while (!aborted(around)) {
    const view = await around.store.view(key, lane, 'reader');
    const plan = planManual(view, { keep, minimumTokens: around.policy.minimumTokens }, tried);
    if (plan.kind === 'nothing') {
      run.add({ kind: 'nothing', lane, strategy: 'manual', reason: plan.reason });
      return;
    }
    const outcome = await attemptWindow(key, plan, around);
    if (outcome !== 'stale') run.add(outcome);
    if (outcome === 'stale' || outcome.kind === 'discarded') {
      races += 1;
      if (races > MAX_RACES) return;
      continue;
    }
    if (plan.window.rootView) tried.rootView = true;
    else
      tried.lanes.add(
        windowKey({ lane: laneKey(plan.window.lane), under: plan.window.events[0]?.under ?? null }),
      );
    if (outcome.kind === 'error') return;
  }
}

/** Drains the lanes an invocation appended to, and the root of their isolations, window by window. */
export function slideAfter(
  key: SessionKey,
  lanes: readonly Lane[],
  sliding: Required<SlidingWindow>,
  around: Surroundings,
  onOutcome: OnOutcome,
): Promise<readonly CompactionOutcome[]> {
  const policy = { ...sliding, minimumTokens: around.policy.minimumTokens };
  return gather(lanes[0] ?? ROOT_LANE, onOutcome, async (run) => {
    for (const lane of lanes) await drainLane(key, lane, policy, around, run);
    for (const isolation of new Set(lanes.map((lane) => lane.isolation))) {
      await drainRoot(key, { branch: '', isolation }, policy, around, run);
    }
  });
}

/** Drains all a reader in `lane` sees in sliding windows, at a person's request. */
export async function slideAll(
  key: SessionKey,
  lane: Lane,
  sliding: Required<SlidingWindow>,
  keep: Required<Keep> | null,
  around: Surroundings,
  onOutcome: OnOutcome,
): Promise<readonly CompactionOutcome[]> {
  const view = await around.store.view(key, lane, 'reader');
  const policy: SlidingPolicy = {
    ...sliding,
    minimumTokens: around.policy.minimumTokens,
    onRequest: true,
    ...(keep === null ? {} : { kept: keptTail(view.raw, keep) }),
  };
  return gather(lane, onOutcome, async (run) => {
    for (const facts of view.lanes.values()) await drainLane(key, facts.lane, policy, around, run);
    if (isRootBranch(lane)) await drainRoot(key, lane, policy, around, run);
  });
}

async function drainLane(
  key: SessionKey,
  lane: Lane,
  policy: SlidingPolicy,
  around: Surroundings,
  run: Run,
): Promise<'busy' | 'done'> {
  return drain(key, lane, 'lane', planSlidingWindow, policy, around, run);
}

/** At the root, lanes that have enough by themselves come first; one root view takes what is spread thin. */
async function drainRoot(
  key: SessionKey,
  root: Lane,
  policy: SlidingPolicy,
  around: Surroundings,
  run: Run,
): Promise<void> {
  const view = await around.store.view(key, root, 'reader');
  if (view.lanes.size < 2) return;
  for (const lane of lanesWithEnough(view, policy.interval)) {
    // Somebody else is at work on it: a root view over its events now would be paid twice.
    if ((await drainLane(key, lane, policy, around, run)) === 'busy') return;
  }
  await drain(key, root, 'reader', planRootView, policy, around, run);
}

function lanesWithEnough(view: View, interval: number): readonly Lane[] {
  const invocations = new Map<LaneKey, Set<InvocationId>>();
  for (const { event } of view.raw) {
    const key = laneKey(event.lane);
    const seen = invocations.get(key);
    if (seen === undefined) invocations.set(key, new Set([event.invocation]));
    else seen.add(event.invocation);
  }
  return [...invocations].filter(([, seen]) => seen.size >= interval).map(([key]) => laneOf(key));
}

async function drain(
  key: SessionKey,
  lane: Lane,
  scope: View['scope'],
  planner: typeof planSlidingWindow,
  policy: SlidingPolicy,
  around: Surroundings,
  run: Run,
): Promise<'busy' | 'done'> {
  let races = 0;
  while (!aborted(around)) {
    const view = await around.store.view(key, lane, scope);
    const attempts = await around.store.attempts(key, { lane, newest: LEDGER_DEPTH });
    const plan = planner(view, policy, progressOf(attempts, scope === 'reader'));
    if (plan.kind === 'nothing') {
      const strategy: Strategy = 'sliding_window';
      run.add({ kind: 'nothing', lane, strategy, reason: plan.reason });
      return 'done';
    }
    const outcome = await attemptWindow(key, plan, around);
    if (outcome !== 'stale') run.add(outcome);
    if (outcome === 'stale' || outcome.kind === 'discarded') {
      races += 1;
      if (races > MAX_RACES) return 'done';
      continue;
    }
    // A window refused as not smaller is planned anew with more invocations; after a failure the lane backs off.
    if (outcome.kind === 'declined' && outcome.reason === 'not_smaller') continue;
    if (outcome.kind !== 'committed') return outcome.kind === 'busy' ? 'busy' : 'done';
  }
  return 'done';
}

function aborted(around: Surroundings): boolean {
  return around.signal?.aborted === true;
}
