import type { SessionKey } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { SessionStore } from '../store/session-store.ts';

/** How much of a ledger back-off and what was learned look at. */
const DEPTH = 64;

/** The newest attempts, oldest first: of one lane, or of the whole session, whose prompts are made of several. */
export function readLedger(
  key: SessionKey,
  store: Pick<SessionStore, 'attempts'>,
  lane?: Lane,
): Promise<readonly Attempt[]> {
  return store.attempts(key, lane === undefined ? { newest: DEPTH } : { newest: DEPTH, lane });
}
