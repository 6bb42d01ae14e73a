import { setImmediate } from 'node:timers/promises';

/** Code units read between two returns to the event loop: a few milliseconds of work. */
const SLICE = 32 * 1024;

/**
 * Paces long work: whoever reads text spends its length, and after every slice the event loop gets its turn. Counted,
 * not timed, so that the same input takes the same path.
 */
export interface Pacer {
  /** Resolves at once, or after other work had its turn. Rejects with the signal's reason once it is aborted. */
  spend(codeUnits: number): Promise<void>;
  /** Gives other work its turn now. Rejects likewise. */
  pause(): Promise<void>;
}

/** A pacer that gives way every few milliseconds of work and stops when the signal does. */
export function pacer(signal: AbortSignal): Pacer {
  let spent = 0;
  const pause = async (): Promise<void> => {
    spent = 0;
    await setImmediate();
    signal.throwIfAborted();
  };
  return {
    pause,
    async spend(codeUnits: number): Promise<void> {
      spent += codeUnits;
      if (spent >= SLICE) await pause();
    },
  };
}
