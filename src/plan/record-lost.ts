import { inSpans } from '../coverage/span.ts';
import { sameLane } from '../event/lane.ts';
import type { Attempt } from './attempt.ts';
import type { Plan } from './plan.ts';

/**
 * A plan to cover what the ledger says was covered before, and nobody undid, is none: the store did not keep the record,
 * and would not keep the next. Else the same events would be paid for before every model call.
 *
 * @param attempts The newest of the ledger, oldest first.
 */
export function unlessLost(plan: Plan, attempts: readonly Attempt[]): Plan {
  if (plan.kind === 'nothing') return plan;
  const { lane, rootView, events } = plan.window;
  const committed = attempts.filter(
    (attempt) =>
      attempt.state === 'committed' && attempt.rootView === rootView && sameLane(attempt.lane, lane),
  );
  const isLost = events.some(
    ({ event, undone, undoneView }) =>
      undone === null &&
      undoneView === null &&
      committed.some(({ window }) => inSpans(window.spans, event.seq)),
  );
  return isLost ? { kind: 'nothing', reason: 'record_lost' } : plan;
}
