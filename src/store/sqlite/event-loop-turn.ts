import { setImmediate } from 'node:timers/promises';

/** How long synchronous work of this process's stores may follow on itself before the event loop gets its turn, in milliseconds. */
const LONGEST_HOLD = 8;

let holdingSince = performance.now();
let turn: Promise<void> | null = null;

/**
 * Whether store calls followed on one another for some milliseconds. SQLite's calls are synchronous: whoever awaits one
 * after the other would keep timers and sockets waiting to the end, and so would many stores that each do a little. To be
 * asked again after a turn, right before the work: others waited for the same turn.
 */
export function loopIsHeld(): boolean {
  return performance.now() - holdingSince >= LONGEST_HOLD;
}

/** The event loop's next turn. */
export function loopTurn(): Promise<void> {
  turn ??= setImmediate().then(() => {
    turn = null;
    holdingSince = performance.now();
  });
  return turn;
}
