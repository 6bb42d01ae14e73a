import type { SessionKey } from '../../event/ids.ts';
import type { Spend } from '../../summary/spend.ts';
import type { Allowance } from '../allowance.ts';
import { keyText } from '../session-key.ts';
import {
  type Hours,
  hourOf,
  hoursOf,
  hourText,
  type SpendFilter,
  type SpendRow,
  sortSpend,
  tokensOf,
} from '../spend.ts';

/** What was spent, by session and hour, and of it the tokens by tenant and hour: an allowance is checked before every call. */
export class SpendLedger {
  readonly #rows = new Map<string, SpendRow>();
  readonly #tokens = new Map<string, number>();

  /** Takes in what an attempt cost that ends at `now`, in milliseconds since the epoch. */
  add(key: SessionKey, now: number, spend: Spend): void {
    const hour = hourOf(now);
    const at = `${hour} ${keyText(key)}`;
    const row = this.#rows.get(at);
    this.#rows.set(
      at,
      Object.freeze({
        ...key,
        hour: hourText(hour),
        inputTokens: sum(row?.inputTokens, spend.inputTokens),
        outputTokens: sum(row?.outputTokens, spend.outputTokens),
        calls: sum(row?.calls, spend.calls),
        attempts: sum(row?.attempts, 1),
      }),
    );
    for (const tenant of ['app', 'user'] as const) {
      const of = tenantAt(key, tenant, hour);
      this.#tokens.set(of, sum(this.#tokens.get(of), tokensOf(spend)));
    }
  }

  /** The tokens a session's tenant spent in these hours, of which there are as many as a month has at most. */
  tokensIn(key: SessionKey, tenant: Required<Allowance>['tenant'], { first, end }: Hours): number {
    let tokens = 0;
    for (let hour = first; hour < end; hour += 1)
      tokens += this.#tokens.get(tenantAt(key, tenant, hour)) ?? 0;
    return tokens;
  }

  list(filter: SpendFilter): readonly SpendRow[] {
    const { first, end } = hoursOf(filter);
    return sortSpend(
      [...this.#rows.values()].filter((row) => {
        const hour = hourOf(Date.parse(row.hour));
        if (hour < first || hour >= end) return false;
        return (['app', 'user', 'session'] as const).every(
          (name) => filter[name] === undefined || filter[name] === row[name],
        );
      }),
    );
  }
}

function sum(a: number | undefined, b: number): number {
  return Math.min((a ?? 0) + b, Number.MAX_SAFE_INTEGER);
}

function tenantAt({ app, user }: SessionKey, tenant: Required<Allowance>['tenant'], hour: number): string {
  return `${hour} ${JSON.stringify(tenant === 'app' ? [app] : [app, user])}`;
}
