import type { Attempt } from '../plan/attempt.ts';
import { OVER_ALLOWANCE } from '../plan/progress.ts';
import { type Hours, hourOf } from './spend.ts';

/** A stretch of the calendar in UTC. */
export type AllowancePeriod = 'hour' | 'day' | 'month';

/** How many summarizer tokens a tenant may spend in a period. */
export interface Allowance {
  /** Input and output tokens, reasoning included, as summarizers report them. */
  readonly tokens: number;
  /** By the store's clock. When it turns, all of the allowance is there again. */
  readonly period: AllowancePeriod;
  /** Who shares it: all users of an application, or each user of one has its own. Default `user`. */
  readonly tenant?: 'app' | 'user';
}

/** The hours of the period that holds a moment, in milliseconds since the epoch. */
export function periodOf(now: number, period: AllowancePeriod): Hours {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const day = date.getUTCDate();
  switch (period) {
    case 'hour':
      return { first: hourOf(now), end: hourOf(now) + 1 };
    case 'day':
      return { first: hourOf(Date.UTC(year, month, day)), end: hourOf(Date.UTC(year, month, day + 1)) };
    case 'month':
      return { first: hourOf(Date.UTC(year, month)), end: hourOf(Date.UTC(year, month + 1)) };
    default:
      return period satisfies never;
  }
}

/** What a store knows when somebody asks for a lease. */
export interface AllowanceFacts {
  /** By the store's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** The session's newest invocation. */
  readonly invocationCount: number;
  /** The tokens the tenant spent in these hours. */
  readonly tokensSpent: (tenant: Required<Allowance>['tenant'], hours: Hours) => number;
  /** The lane's newest attempts, so many at most. */
  readonly newestAttempts: (most: number) => readonly Attempt[];
  /** The attempt as it would start. */
  readonly begin: () => Attempt;
}

/** An attempt that was declined without a call; `isNew` where it is not in the ledger yet. */
export interface DeclinedAttempt {
  readonly attempt: Attempt;
  readonly isNew: boolean;
}

/** Newest attempts of a lane among which one that was declined at the same invocation is looked for. */
const LOOKED_THROUGH = 16;

/**
 * The attempt that says that the allowance is spent, or null while it is not. A turn of two hundred model calls is declined
 * two hundred times and is in the ledger once: the attempt of the lane that said so in this period and at this invocation
 * says it again.
 */
export function declinedFor(allowance: Allowance, facts: AllowanceFacts): DeclinedAttempt | null {
  const { tokens, period, tenant = 'user' } = allowance;
  const hours = periodOf(facts.now, period);
  if (facts.tokensSpent(tenant, hours) < tokens) return null;
  const known = facts.newestAttempts(LOOKED_THROUGH).findLast((attempt) => {
    const hour = hourOf(Date.parse(attempt.startedAt));
    return (
      attempt.reason === OVER_ALLOWANCE &&
      attempt.invocationCount === facts.invocationCount &&
      hour >= hours.first &&
      hour < hours.end
    );
  });
  if (known !== undefined) return Object.freeze({ attempt: known, isNew: false });
  const begun = facts.begin();
  const attempt = { ...begun, state: 'declined', reason: OVER_ALLOWANCE, endedAt: begun.startedAt } as const;
  return Object.freeze({ attempt: Object.freeze(attempt), isNew: true });
}
