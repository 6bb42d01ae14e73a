import type { SetTimer } from '../../src/summary/call.ts';

/** Timers that only go off when they are told to. */
export class ManualTimers {
  readonly #waiting = new Set<{ readonly fire: () => void; readonly milliseconds: number }>();

  readonly set: SetTimer = (fire, milliseconds) => {
    const timer = { fire, milliseconds };
    this.#waiting.add(timer);
    return () => this.#waiting.delete(timer);
  };

  get waiting(): readonly number[] {
    return [...this.#waiting].map(({ milliseconds }) => milliseconds);
  }

  /** Lets every timer go off. */
  fireAll(): void {
    for (const timer of this.#waiting) {
      this.#waiting.delete(timer);
      timer.fire();
    }
  }
}
