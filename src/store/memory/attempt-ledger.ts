import { NotFoundError } from '../../event/errors.ts';
import type { AttemptId, LaneKey } from '../../event/ids.ts';
import { type Lane, laneKey } from '../../event/lane.ts';
import type { Attempt } from '../../plan/attempt.ts';
import { deepFreeze } from '../build-record.ts';
import { type AnyEnd, endedAttempt } from '../end-attempt.ts';
import type { AttemptFilter } from '../session-store.ts';

/** The right to compact a lane, and the attempt it was taken for. */
export interface Lease {
  readonly attempt: AttemptId;
  readonly holder: string;
  readonly expiresAt: number;
}

/** The attempts of a session in memory, and the leases they hold. */
export class AttemptLedger {
  /** In the order they started, and by lane: the newest are what is asked for, before every plan. */
  readonly #order: AttemptId[] = [];
  readonly #byLane = new Map<LaneKey, AttemptId[]>();
  readonly #attempts = new Map<AttemptId, Attempt>();
  readonly #leases = new Map<LaneKey, Lease>();

  get(id: AttemptId): Attempt | undefined {
    return this.#attempts.get(id);
  }

  /** The lease of a lane, whether or not it has expired. */
  lease(lane: Lane): Lease | undefined {
    return this.#leases.get(laneKey(lane));
  }

  start(attempt: Attempt, holder: string, expiresAt: number): void {
    this.note(attempt);
    this.#leases.set(laneKey(attempt.lane), { attempt: attempt.id, holder, expiresAt });
  }

  /** Takes in an attempt without a lease: one that is over already. */
  note(attempt: Attempt): void {
    this.#attempts.set(attempt.id, attempt);
    this.#order.push(attempt.id);
    const key = laneKey(attempt.lane);
    const inLane = this.#byLane.get(key);
    if (inLane === undefined) this.#byLane.set(key, [attempt.id]);
    else inLane.push(attempt.id);
  }

  /** Puts off an expiry; false when the attempt holds no lease. */
  renew(id: AttemptId, expiresAt: number): boolean {
    for (const [lane, lease] of this.#leases) {
      if (lease.attempt !== id) continue;
      this.#leases.set(lane, { ...lease, expiresAt });
      return true;
    }
    return false;
  }

  /** Frees an attempt's lease and ends it; `changed` is false where it was over already. */
  end(id: AttemptId, end: AnyEnd, endedAt: string): { readonly attempt: Attempt; readonly changed: boolean } {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) throw new NotFoundError('attempt', id);
    for (const [lane, lease] of this.#leases) if (lease.attempt === id) this.#leases.delete(lane);
    const ended = endedAttempt(attempt, end, endedAt);
    if (ended === null) return { attempt, changed: false };
    this.#attempts.set(id, deepFreeze(ended));
    return { attempt: ended, changed: true };
  }

  list({ lane, newest }: AttemptFilter): readonly Attempt[] {
    const ids = lane === undefined ? this.#order : (this.#byLane.get(laneKey(lane)) ?? []);
    const found = newest === undefined ? ids : ids.slice(Math.max(0, ids.length - newest));
    return found.map((id) => this.#attempts.get(id) as Attempt);
  }
}
