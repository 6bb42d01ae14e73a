import { NotFoundError } from '../../event/errors.ts';
import type { AttemptId, LaneKey, RecordId } from '../../event/ids.ts';
import { type Lane, laneKey } from '../../event/lane.ts';
import type { Attempt } from '../../plan/attempt.ts';
import { deepFreeze } from '../build-record.ts';
import type { AttemptEnd, AttemptFilter } from '../session-store.ts';

/** The right to compact a lane, and the attempt it was taken for. */
export interface Lease {
  readonly attempt: AttemptId;
  readonly holder: string;
  readonly expiresAt: number;
}

/** How an attempt ends, with a record or without. */
export type AnyEnd =
  | AttemptEnd
  | (Pick<Attempt, 'usage'> & { readonly state: 'committed'; readonly record: RecordId });

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
    this.#attempts.set(attempt.id, attempt);
    this.#order.push(attempt.id);
    const key = laneKey(attempt.lane);
    const inLane = this.#byLane.get(key);
    if (inLane === undefined) this.#byLane.set(key, [attempt.id]);
    else inLane.push(attempt.id);
    this.#leases.set(key, { attempt: attempt.id, holder, expiresAt });
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

  /** Ends an attempt and frees its lease; one that is over stays as it is. */
  end(id: AttemptId, end: AnyEnd, endedAt: string): Attempt {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) throw new NotFoundError('attempt', id);
    for (const [lane, lease] of this.#leases) if (lease.attempt === id) this.#leases.delete(lane);
    if (attempt.state !== 'started') return attempt;
    const ended: Attempt = deepFreeze({ ...attempt, ...structuredClone(end), endedAt });
    this.#attempts.set(id, ended);
    return ended;
  }

  list({ lane, newest }: AttemptFilter): readonly Attempt[] {
    const ids = lane === undefined ? this.#order : (this.#byLane.get(laneKey(lane)) ?? []);
    const found = newest === undefined ? ids : ids.slice(Math.max(0, ids.length - newest));
    return found.map((id) => this.#attempts.get(id) as Attempt);
  }
}
