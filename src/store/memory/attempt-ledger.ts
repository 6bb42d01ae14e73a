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
  readonly #attempts = new Map<AttemptId, Attempt>();
  /** In the order they started; of each lane too. */
  readonly #started: AttemptId[] = [];
  readonly #ofLane = new Map<LaneKey, AttemptId[]>();
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
    this.#started.push(attempt.id);
    const key = laneKey(attempt.lane);
    const ofLane = this.#ofLane.get(key);
    if (ofLane === undefined) this.#ofLane.set(key, [attempt.id]);
    else ofLane.push(attempt.id);
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
    const ids = lane === undefined ? this.#started : (this.#ofLane.get(laneKey(lane)) ?? []);
    const wanted = newest === undefined ? ids : ids.slice(Math.max(0, ids.length - newest));
    return wanted.flatMap((id) => this.#attempts.get(id) ?? []);
  }
}
