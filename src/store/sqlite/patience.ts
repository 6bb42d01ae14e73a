import { setTimeout as sleep } from 'node:timers/promises';
import { loopIsHeld, loopTurn } from './event-loop-turn.ts';
import { isBusy } from './sqlite-error.ts';

/** Longest wait between two tries, in milliseconds. */
const LONGEST_PAUSE = 25;

/** How a store waits; replaced in tests. */
export interface Waiting {
  sleep(milliseconds: number): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
}

export const realWaiting: Waiting = {
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
  random: Math.random,
};

/** Does synchronous work when the event loop allows, again while other connections hold the file, until a limit. */
export class Patience {
  readonly #limit: number;
  readonly #waiting: Waiting;

  constructor(limitMilliseconds: number, waiting: Waiting) {
    this.#limit = limitMilliseconds;
    this.#waiting = waiting;
  }

  /** What `work` returns, once it does; its last error when the file stays busy for the whole limit. */
  async until<Result>(work: () => Result): Promise<Result> {
    let waited = 0;
    for (let tries = 0; ; tries += 1) {
      while (loopIsHeld()) await loopTurn();
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || waited >= this.#limit) throw error;
      }
      // Between one and 25 milliseconds, at random, so that those who wait do not meet again.
      const pause = 1 + this.#waiting.random() * Math.min(LONGEST_PAUSE - 1, 2 ** Math.min(tries, 10));
      await this.#waiting.sleep(pause);
      waited += pause;
    }
  }
}
