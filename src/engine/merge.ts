import type { ViewScope } from '../coverage/view.ts';
import type { SessionKey } from '../event/ids.ts';
import { type Lane, laneKey, lineage } from '../event/lane.ts';
import { planRollUp } from '../plan/roll-up.ts';
import { attemptAll } from './attempt-all.ts';
import type { Surroundings } from './attempt-window.ts';
import { readLedger } from './read-ledger.ts';
import type { Run } from './run.ts';

/**
 * Rolls up the summaries of lanes that may have more of them now. The root comes first: where what it sees is bounded, a
 * lane has too many summaries only inside root views. A reader on a branch sees its ancestors' too.
 */
export async function mergeAfter(
  key: SessionKey,
  lanes: readonly Lane[],
  around: Surroundings,
  run: Run,
): Promise<void> {
  if (around.policy.rollUp === null) return;
  for (const isolation of new Set(lanes.map((lane) => lane.isolation)))
    await merge(key, { branch: '', isolation }, 'reader', around, run);
  // The root lane's own, too: what lies under root views the branches' readers still see.
  const read = new Map(lanes.flatMap(lineage).map((lane) => [laneKey(lane), lane]));
  for (const lane of read.values()) await merge(key, lane, 'lane', around, run);
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
