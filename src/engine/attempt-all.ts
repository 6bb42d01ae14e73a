import type { Strategy } from '../coverage/record.ts';
import type { SessionKey } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { Measured } from '../plan/attempt.ts';
import type { Plan } from '../plan/plan.ts';
import { NOT_SMALLER } from '../plan/progress.ts';
import { attemptWindow, type Surroundings, type WindowPlan } from './attempt-window.ts';
import type { CompactionOutcome } from './outcome.ts';
import { aborted, type Run } from './run.ts';

/** How often a plan is made again after somebody else was faster, in one run. */
const MAX_RACES = 8;

/** A plan, and the prompt it is to shrink where that was measured. */
export interface Planned {
  readonly plan: Plan;
  readonly measured?: Measured;
}

/** For whom and by what plans are made: what an outcome of nothing says. */
export interface Planning {
  readonly lane: Lane;
  readonly strategy: Strategy;
  /** Reads the session as it is now and plans; null ends the run without a word. */
  readonly next: () => Promise<Planned | null>;
  /** Whether to plan again after an outcome; missing: after a commit, and after a window that was refused as not smaller, which is planned larger. */
  readonly goesOn?: (outcome: CompactionOutcome, plan: WindowPlan) => boolean;
}

/** Plans and attempts, one window after the other, until nothing is left or an outcome ends it. The outcome that did, or null. */
export async function attemptAll(
  key: SessionKey,
  planning: Planning,
  around: Surroundings,
  run: Run,
): Promise<CompactionOutcome | null> {
  const { lane, strategy, next, goesOn = madeProgress } = planning;
  let races = 0;
  while (!aborted(around)) {
    const planned = await next();
    if (planned === null) return null;
    const { plan, measured } = planned;
    if (plan.kind === 'nothing') {
      const nothing: CompactionOutcome = { kind: 'nothing', lane, strategy, reason: plan.reason };
      run.add(nothing);
      return nothing;
    }
    const outcome = await attemptWindow(key, plan, { reader: lane, measured }, around);
    if (outcome !== 'stale') run.add(outcome);
    if (outcome === 'stale' || outcome.kind === 'discarded') {
      races += 1;
      if (races > MAX_RACES) return outcome === 'stale' ? null : outcome;
    } else if (!goesOn(outcome, plan)) return outcome;
  }
  return null;
}

function madeProgress(outcome: CompactionOutcome): boolean {
  return outcome.kind === 'committed' || (outcome.kind === 'declined' && outcome.reason === NOT_SMALLER);
}
