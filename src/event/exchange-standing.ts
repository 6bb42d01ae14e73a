import type { InvocationId } from './ids.ts';
import { type Invocation, isOver } from './invocation.ts';
import type { Exchange, ExchangeStanding, Obligation } from './obligation.ts';

/** How many later invocations of the session an open ask or long-running call is waited for before it is parked. */
export const PARKED_AFTER = 8;

/** What {@link exchangeStanding} reads of the session. */
export interface SessionClock {
  readonly invocations: ReadonlyMap<InvocationId, Invocation>;
  /** The newest invocation's ordinal. */
  readonly invocationCount: number;
}

/**
 * Whether a call will never be answered: its invocation is over, it is not long-running, and no open ask is about it.
 * An invocation that is not known counts as running: doubt leaves an event raw.
 */
export function isDead(call: Obligation, exchange: Exchange, clock: SessionClock): boolean {
  if (call.kind !== 'call' || call.longRunning || call.answeredBy !== null) return false;
  const invocation = clock.invocations.get(call.invocation);
  if (invocation === undefined || !isOver(invocation)) return false;
  return !exchange.open.some((ask) => ask.kind === 'ask' && (ask.about === call.id || ask.about === ''));
}

function isParked(obligation: Obligation, clock: SessionClock, parkedAfter: number): boolean {
  const invocation = clock.invocations.get(obligation.invocation);
  return invocation !== undefined && clock.invocationCount - invocation.ordinal >= parkedAfter;
}

/**
 * The one definition of whether an exchange may be covered: all but `open` may. A call that an open ask is about waits
 * for the ask, and is parked with it. `parkedAfter`: how many later invocations what lasts is waited for; 0 under budget
 * pressure.
 */
export function exchangeStanding(
  exchange: Exchange,
  clock: SessionClock,
  parkedAfter: number = PARKED_AFTER,
): ExchangeStanding {
  let standing: ExchangeStanding = 'closed';
  for (const obligation of exchange.open) {
    if (isDead(obligation, exchange, clock)) {
      if (standing === 'closed') standing = 'dead';
      continue;
    }
    const invocation = clock.invocations.get(obligation.invocation);
    // A plain call whose invocation still runs is owed an answer now, however many turns began meanwhile.
    const lasting =
      obligation.kind === 'ask' || obligation.longRunning || (invocation !== undefined && isOver(invocation));
    if (!lasting || !isParked(obligation, clock, parkedAfter)) return 'open';
    standing = 'parked';
  }
  return standing;
}
