import type { SetTimer } from '../summary/call.ts';
import { platformTimer } from '../summary/call.ts';

/** How often somebody else's lease is looked at again. */
const LOOK_AGAIN_MILLISECONDS = 100;

/** Waits a while for somebody else's lease, at most as long as it lasts and `atMost`. Returns how long, in milliseconds. */
export function waitForLease(
  expiresInMilliseconds: number,
  atMost: number,
  setTimer: SetTimer = platformTimer,
): Promise<number> {
  const milliseconds = Math.min(Math.max(1, expiresInMilliseconds), atMost, LOOK_AGAIN_MILLISECONDS);
  return new Promise((resolve) => setTimer(() => resolve(milliseconds), milliseconds));
}
