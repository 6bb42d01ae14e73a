import type { View } from '../coverage/view.ts';
import type { InvocationId, LaneKey, SessionKey } from '../event/ids.ts';
import { isRootBranch, type Lane, laneKey, laneOf } from '../event/lane.ts';
import { keptTail } from '../plan/kept-tail.ts';
import { progressOf } from '../plan/progress.ts';
import { unlessLost } from '../plan/record-lost.ts';
import { withRollUp } from '../plan/roll-up.ts';
import { planRootView, planSlidingWindow, type SlidingPolicy } from '../plan/sliding-window.ts';
import { attemptAll } from './attempt-all.ts';
import type { Surroundings } from './attempt-window.ts';
import { mergeAfter } from './merge.ts';
import type { CompactionOutcome } from './outcome.ts';
import { readLedger } from './read-ledger.ts';
import { gather, type OnOutcome, type Run } from './run.ts';
import type { Keep, SlidingWindow } from './session.ts';

/** Drains the lanes an invocation appended to, and the root of their isolations, window by window. */
export async function slideAfter(
  key: SessionKey,
  lanes: readonly Lane[],
  sliding: Required<SlidingWindow>,
  around: Surroundings,
  run: Run,
): Promise<void> {
  const policy = { ...sliding, minimumTokens: around.policy.minimumTokens };
  for (const lane of lanes) await slideLane(key, lane, policy, around, run);
  for (const isolation of new Set(lanes.map((lane) => lane.isolation)))
    await slideRoot(key, { branch: '', isolation }, policy, around, run);
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
    for (const facts of view.lanes.values()) await slideLane(key, facts.lane, policy, around, run);
    if (isRootBranch(lane)) await slideRoot(key, lane, policy, around, run);
    await mergeAfter(key, run.lanes([lane]), around, run);
  });
}

/** At the root, lanes that have enough by themselves come first; one root view takes what is spread thin. */
async function slideRoot(
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
    if ((await slideLane(key, lane, policy, around, run))?.kind === 'busy') return;
  }
  await slide(key, root, 'reader', planRootView, policy, around, run);
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

function slideLane(
  key: SessionKey,
  lane: Lane,
  policy: SlidingPolicy,
  around: Surroundings,
  run: Run,
): Promise<CompactionOutcome | null> {
  return slide(key, lane, 'lane', planSlidingWindow, policy, around, run);
}

function slide(
  key: SessionKey,
  lane: Lane,
  scope: View['scope'],
  planner: typeof planSlidingWindow,
  policy: SlidingPolicy,
  around: Surroundings,
  run: Run,
): Promise<CompactionOutcome | null> {
  const { store } = around;
  const { rollUp } = around.policy;
  const next = async () => {
    const view = await store.view(key, lane, scope);
    const attempts = await readLedger(key, store, lane);
    const plan = unlessLost(planner(view, policy, progressOf(attempts, scope === 'reader')), attempts);
    return { plan: rollUp === null ? plan : withRollUp(plan, view, rollUp, attempts) };
  };
  return attemptAll(key, { lane, strategy: 'sliding_window', next }, around, run);
}
