import { type Lane, laneKey } from '../event/lane.ts';
import type { CompactionOutcome } from './outcome.ts';

/** Hears each outcome as it happens. */
export type OnOutcome = (outcome: CompactionOutcome) => void;

/** Collects the outcomes of one run; "nothing to do" is only worth telling when nothing else happened. */
export class Run {
  readonly outcomes: CompactionOutcome[] = [];
  #nothing: CompactionOutcome | undefined;
  readonly #onOutcome: OnOutcome;

  constructor(onOutcome: OnOutcome) {
    this.#onOutcome = onOutcome;
  }

  add(outcome: CompactionOutcome): void {
    if (outcome.kind === 'nothing') {
      this.#nothing ??= outcome;
      return;
    }
    this.outcomes.push(outcome);
    this.#onOutcome(outcome);
  }

  get hasCommitted(): boolean {
    return this.outcomes.some(({ kind }) => kind === 'committed');
  }

  /** The lanes whose coverage changed, and those given. */
  lanes(given: readonly Lane[]): readonly Lane[] {
    const lanes = new Map(given.map((lane) => [laneKey(lane), lane]));
    for (const outcome of this.outcomes) {
      if (outcome.kind === 'committed') lanes.set(laneKey(outcome.record.lane), outcome.record.lane);
    }
    return [...lanes.values()];
  }

  done(): readonly CompactionOutcome[] {
    if (this.outcomes.length === 0 && this.#nothing !== undefined) this.outcomes.push(this.#nothing);
    return this.outcomes;
  }
}

/**
 * The outcomes of one run. A store that fails between attempts ends it: what happened until then is told all the same,
 * the failure last; where nothing had happened, it is thrown.
 */
export async function gather(
  lane: Lane,
  onOutcome: OnOutcome,
  work: (run: Run) => Promise<void>,
): Promise<readonly CompactionOutcome[]> {
  const run = new Run(onOutcome);
  try {
    await work(run);
  } catch (cause) {
    if (run.outcomes.length === 0) throw cause;
    run.add({ kind: 'error', lane, reason: 'store', cause });
  }
  return run.done();
}

/** Whether somebody called the compaction off. */
export function aborted(around: { readonly signal?: AbortSignal | undefined }): boolean {
  return around.signal?.aborted === true;
}
