import { type Lane, ROOT_LANE } from '../../event/lane.ts';
import type { Said } from '../import-run.ts';
import type { RolloutTarget } from './rollout.ts';

interface Turn {
  lane: Lane;
  readonly id: string;
}

/**
 * Learns, before anything is stored, which lines belong to turns that were taken back later. Used only for rollouts in
 * which that happened; memory is a number a line.
 */
export class RolledBack implements RolloutTarget {
  /** The turn of each line, counted from 1. */
  readonly #turnOf: Turn[] = [];
  #turns: Turn[] = [];
  /** What stands before the first turn; never taken back. */
  readonly #beginning: Turn = { lane: ROOT_LANE, id: '' };

  event(said: Said, line: number, id: string): void {
    if (said.opens === true) this.#turns.push({ lane: ROOT_LANE, id });
    this.#turnOf[line] ??= this.#current();
  }

  merged(line: number): void {
    this.#turnOf[line] ??= this.#current();
  }

  skip(): void {
    // Holds no event, so it needs no lane.
  }

  rollBack(turns: number): void {
    const taken = this.#turns.slice(-turns);
    this.#turns = this.#turns.slice(0, this.#turns.length - taken.length);
    const first = taken[0];
    if (first === undefined) return;
    const lane: Lane = { branch: '', isolation: `fork:${first.id}` };
    for (const turn of taken) turn.lane = lane;
  }

  laneOf(line: number): Lane {
    return this.#turnOf[line]?.lane ?? ROOT_LANE;
  }

  #current(): Turn {
    return this.#turns.at(-1) ?? this.#beginning;
  }
}
