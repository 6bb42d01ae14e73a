import type { StoredEvent } from '../event/event.ts';
import type { Invocation } from '../event/invocation.ts';
import { sameLane } from '../event/lane.ts';
import { opensInvocation } from './opens-invocation.ts';

/** The state of an invocation that an event is the first sign of. */
export type Opening = Pick<Invocation, 'state' | 'leaseExpiresAt'>;

/** An invocation as the store's clock sees it: running past its lease is lost. */
export function asOf(invocation: Invocation, now: number): Invocation {
  const expired =
    invocation.state === 'running' && invocation.leaseExpiresAt !== null && invocation.leaseExpiresAt <= now;
  return expired ? Object.freeze({ ...invocation, state: 'lost', leaseExpiresAt: null }) : invocation;
}

/** What a new event makes of its invocation; the very value handed in when it changes nothing. */
export function noteEvent(
  known: Invocation | undefined,
  event: StoredEvent,
  opening: Opening,
  invocationCount: number,
): Invocation {
  const base: Invocation = known ?? {
    id: event.invocation,
    ordinal: invocationCount + 1,
    lane: event.lane,
    lanes: [],
    openedBy: null,
    state: opening.state,
    leaseExpiresAt: opening.leaseExpiresAt,
  };
  const newLane = !base.lanes.some((lane) => sameLane(lane, event.lane));
  const opens = base.openedBy === null && opensInvocation(event);
  if (known !== undefined && !newLane && !opens) return known;
  return Object.freeze({
    ...base,
    lanes: newLane ? Object.freeze([...base.lanes, event.lane]) : base.lanes,
    openedBy: opens ? event.seq : base.openedBy,
  });
}

/** Puts off the lease of an invocation that runs. A lost turn that goes on after all runs again; one that is over stays over. */
export function renewed(invocation: Invocation, leaseExpiresAt: number): Invocation {
  if (invocation.state !== 'running' || invocation.leaseExpiresAt === leaseExpiresAt) return invocation;
  return Object.freeze({ ...invocation, leaseExpiresAt });
}

/** An append of a turn's is a sign of life worth writing down only when it moves the lease by this share of it. */
const NOTED_SHARE = 1 / 16;

/**
 * A sign of life of an invocation that runs: its lease begins anew, unless it began less than a sixteenth of it ago, so
 * that not every event of a turn writes its invocation.
 */
export function showsLife(invocation: Invocation, now: number, leaseMilliseconds: number): Invocation {
  const { leaseExpiresAt } = invocation;
  const expires = now + leaseMilliseconds;
  const isRecent =
    leaseExpiresAt !== null && Math.abs(expires - leaseExpiresAt) < leaseMilliseconds * NOTED_SHARE;
  return isRecent && leaseExpiresAt > now ? invocation : renewed(invocation, expires);
}
