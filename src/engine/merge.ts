import type { ViewScope } from '../coverage/view.ts';
import type { SessionKey } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import { planRollUp } from '../plan/roll-up.ts';
import { attemptAll } from './attempt-all.ts';
import type { Surroundings } from './attempt-window.ts';
import { readLedger } from './read-ledger.ts';
import type { Run } from './run.ts';

/** Rolls up the summaries of lanes that may have more of them now, and of the roots of their isolations. */
export async function mergeAfter(
  key: SessionKey,
  lanes: readonly Lane[],
  around: Surroundings,
  run: Run,
): Promise<void> {
  if (around.policy.rollUp === null) return;
  // The root lane's own, too: what lies under root views the branches' readers still see.
  for (const lane of lanes) await merge(key, lane, 'lane', around, run);
  for (const isolation of new Set(lanes.map((lane) => lane.isolation)))
    await merge(key, { branch: '', isolation }, 'reader', around, run);
}

async function merge(
  key: SessionKey,
  lane: Lane,
  scope: ViewScope,
  around: Surroundings,
  run: Run,
): Promise<void> {
  const { rollUp } = around.policy;
  if (rollUp === null) return;
  await attemptAll(
    key,
    {
      lane,
      strategy: 'roll_up',
      next: async () => {
        const view = await around.store.view(key, lane, scope);
        // Most often there is nothing to merge, and then the ledger is not read.
        if (view.records.length < 2) return null;
        const attempts = await readLedger(key, around.store);
        const plan = planRollUp(view, rollUp, attempts);
        return plan.kind === 'nothing' && plan.reason === 'below_trigger' ? null : { plan };
      },
    },
    around,
    run,
  );
}
