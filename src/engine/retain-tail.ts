import type { SessionKey } from '../event/ids.ts';
import type { Reader } from '../event/lane.ts';
import type { Plan } from '../plan/plan.ts';
import { progressIn } from '../plan/progress.ts';
import { unlessLost } from '../plan/record-lost.ts';
import { withRollUp } from '../plan/roll-up.ts';
import { planTail } from '../plan/tail.ts';
import { attemptAll, type Planned } from './attempt-all.ts';
import type { Surroundings } from './attempt-window.ts';
import { type Moment, momentOf } from './moment.ts';
import type { CheckedPolicy } from './policy.ts';
import { readLedger } from './read-ledger.ts';
import type { Run } from './run.ts';
import { waitForLease } from './wait-for-lease.ts';

/**
 * Covers everything but the kept tail, oldest first, until the request is no longer due. Over the limit it waits, at most
 * as long as a call may take, for whoever is at work on the same lane. Inside a turn somebody waits for the answer: what
 * has only grown is covered one window a call, and the rest of a large backlog once the turn is over.
 */
export async function retainTail(
  key: SessionKey,
  reader: Reader,
  { cacheIsCold, insideTurn }: { readonly cacheIsCold: boolean; readonly insideTurn: boolean },
  around: Surroundings,
  run: Run,
): Promise<void> {
  const { store, policy } = around;
  const read = async (): Promise<Moment> => {
    const view = await store.view(key, reader.lane, 'reader');
    const attempts = await readLedger(key, store);
    return momentOf({ reader, view, attempts, cacheIsCold }, store.counter, policy);
  };
  const next = async (): Promise<Planned | null> => {
    const moment = await read();
    if (moment.decision !== 'act') return null;
    if (insideTurn && !moment.over && policy.tail?.trigger.kind === 'growth' && run.hasCommitted) return null;
    const { ratio, overhead, promptTokens, storedTokens } = moment.size;
    const measured = { agent: reader.agent, promptTokens, storedTokens, ratio, overhead };
    return { plan: planFor(moment, policy), measured };
  };
  let left = policy.deadlineMilliseconds;
  for (;;) {
    const planning = { lane: reader.lane, strategy: 'token_threshold' as const, next };
    const last = await attemptAll(key, planning, around, run);
    if (last?.kind !== 'busy' || left <= 0) break;
    if (!(await read()).over) break;
    left -= await waitForLease(last.expiresInMilliseconds, left, around.setTimer);
  }
}

function planFor({ view, attempts, over }: Moment, policy: CheckedPolicy): Plan {
  const { tail, keep, minimumTokens, maxWindowTokens, rollUp } = policy;
  const settings = { keep: tail?.keep ?? keep, minimumTokens, maxWindowTokens };
  const tailPlan = planTail(view, settings, progressIn(attempts), { pressure: over });
  const plan = unlessLost(tailPlan, attempts);
  return rollUp === null ? plan : withRollUp(plan, view, rollUp, attempts);
}
