import type { SessionKey } from '../event/ids.ts';
import type { Invocation } from '../event/invocation.ts';
import { type Lane, laneKey, sees } from '../event/lane.ts';
import type { Surroundings } from './attempt-window.ts';
import { mergeAfter } from './merge.ts';
import type { CompactionOutcome } from './outcome.ts';
import { readLedger } from './read-ledger.ts';
import { retainTail } from './retain-tail.ts';
import { gather } from './run.ts';
import { slideAfter } from './slide.ts';

/** What a turn that ended sets off: sliding windows, unless it was compacted mid-way already; the tails of its lanes; roll-up. */
export function afterTurn(
  key: SessionKey,
  invocation: Invocation,
  around: Surroundings,
): Promise<readonly CompactionOutcome[]> {
  const { sliding, tail } = around.policy;
  const { lanes } = invocation;
  const settings = { cacheIsCold: false, insideTurn: false };
  return gather(
    lanes[0] ?? invocation.lane,
    () => undefined,
    async (run) => {
      if (sliding !== null && !(await compactedMidway(key, invocation, around)))
        await slideAfter(key, lanes, sliding, around, run);
      if (tail !== null)
        for (const lane of withRoots(lanes))
          await retainTail(key, { agent: '', lane }, settings, around, run);
      await mergeAfter(key, run.lanes(lanes), around, run);
    },
  );
}

/** Whether tail retention covered something a reader of the turn's lanes sees since the turn began: the ledger says. */
async function compactedMidway(
  key: SessionKey,
  { ordinal, lanes }: Invocation,
  { store, policy }: Surroundings,
): Promise<boolean> {
  if (policy.tail === null) return false;
  const attempts = await readLedger(key, store);
  return attempts.some(
    (attempt) =>
      attempt.trigger === 'token_threshold' &&
      attempt.state === 'committed' &&
      attempt.invocationCount >= ordinal &&
      lanes.some((lane) => sees(lane, attempt.lane)),
  );
}

/** The root of an isolation sees what was said on its branches. */
function withRoots(lanes: readonly Lane[]): Iterable<Lane> {
  const roots = lanes.map(({ isolation }) => ({ branch: '', isolation }));
  return new Map([...lanes, ...roots].map((lane) => [laneKey(lane), lane])).values();
}
