import { ConfigError, nameForMessage } from '../event/errors.ts';
import type { Allowance, AllowancePeriod } from '../store/allowance.ts';

const PERIODS: ReadonlySet<string> = new Set<AllowancePeriod>(['hour', 'day', 'month']);
const TENANTS: ReadonlySet<string> = new Set<Required<Allowance>['tenant']>(['app', 'user']);
const FIELDS: ReadonlySet<string> = new Set<keyof Allowance>(['tokens', 'period', 'tenant']);

/** Fills in whose the allowance is; `ConfigError` names what cannot work. */
export function checkAllowance(allowance: Allowance): Required<Allowance> {
  if (typeof allowance !== 'object' || allowance === null) {
    throw new ConfigError('allowance', 'must have tokens and a period');
  }
  const unknown = Object.keys(allowance).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw new ConfigError(`allowance.${nameForMessage(unknown)}`, 'is no option');
  const { tokens, period, tenant = 'user' } = allowance;
  if (!Number.isSafeInteger(tokens) || tokens < 1) {
    throw new ConfigError('allowance.tokens', 'must be a whole number of at least 1');
  }
  if (!PERIODS.has(period)) throw new ConfigError('allowance.period', 'must be hour, day or month');
  if (!TENANTS.has(tenant)) throw new ConfigError('allowance.tenant', 'must be app or user');
  return Object.freeze({ tokens, period, tenant });
}
