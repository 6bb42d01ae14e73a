import type { SessionKey } from '../event/ids.ts';
import { type Lane, laneKey } from '../event/lane.ts';
import { windowKey } from '../plan/choose-window.ts';
import { planManual } from '../plan/manual.ts';
import { attemptAll } from './attempt-all.ts';
import type { Surroundings } from './attempt-window.ts';
import { mergeAfter } from './merge.ts';
import type { CompactionOutcome } from './outcome.ts';
import { gather, type OnOutcome } from './run.ts';
import type { Keep } from './session.ts';

/** Covers all that can be covered now for a reader in `lane`, but the kept tail; then merges summaries, where the policy has them merged. */
export function coverAll(
  key: SessionKey,
  lane: Lane,
  keep: Required<Keep>,
  around: Surroundings,
  onOutcome: OnOutcome,
): Promise<readonly CompactionOutcome[]> {
  return gather(lane, onOutcome, async (run) => {
    const tried = { lanes: new Set<string>(), rootView: false };
    await attemptAll(
      key,
      {
        lane,
        strategy: 'manual',
        next: async () => {
          const view = await around.store.view(key, lane, 'reader');
          const plan = planManual(view, { keep, minimumTokens: around.policy.minimumTokens }, tried);
          return { plan };
        },
        goesOn: (outcome, { window }) => {
          if (window.rootView) tried.rootView = true;
          else
            tried.lanes.add(
              windowKey({ lane: laneKey(window.lane), under: window.events[0]?.under ?? null }),
            );
          return outcome.kind !== 'error';
        },
      },
      around,
      run,
    );
    await mergeAfter(key, run.lanes([lane]), around, run);
  });
}
