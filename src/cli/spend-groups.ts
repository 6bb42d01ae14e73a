import { type SpendRow, tokensOf } from '../store/spend.ts';
import type { Spend } from '../summary/spend.ts';

/** What spend is added up by. Periods are of UTC. */
export const SPEND_BY = ['hour', 'day', 'month', 'session', 'user'] as const;
export type SpendBy = (typeof SPEND_BY)[number];

/** What was spent in all, and by how many attempts. */
export interface SpendTotal extends Spend {
  readonly attempts: number;
}

/** What was spent in one period, by one session or by one user; `of` says which, for `--json`. */
export interface SpendGroup extends SpendTotal {
  readonly of: Readonly<Partial<Record<'app' | SpendBy, string>>>;
}

const NOTHING: SpendTotal = { inputTokens: 0, outputTokens: 0, calls: 0, attempts: 0 };

/** Adds rows up: periods oldest first, sessions and users by what they spent, most first. */
export function groupSpend(rows: readonly SpendRow[], by: SpendBy): readonly SpendGroup[] {
  const groups = new Map<string, SpendGroup>();
  for (const row of rows) {
    const of = groupOf(row, by);
    const key = JSON.stringify(of);
    groups.set(key, { of, ...add(groups.get(key) ?? NOTHING, row) });
  }
  const all = [...groups.values()];
  return by === 'session' || by === 'user' ? all.sort((a, b) => tokensOf(b) - tokensOf(a)) : all;
}

/** What rows come to. */
export function totalOf(rows: readonly SpendTotal[]): SpendTotal {
  return rows.reduce(add, NOTHING);
}

function groupOf({ app, user, session, hour }: SpendRow, by: SpendBy): SpendGroup['of'] {
  switch (by) {
    case 'hour':
      return { hour };
    case 'day':
      return { day: hour.slice(0, 'yyyy-mm-dd'.length) };
    case 'month':
      return { month: hour.slice(0, 'yyyy-mm'.length) };
    case 'session':
      return { app, user, session };
    case 'user':
      return { app, user };
    default:
      return by satisfies never;
  }
}

function add(a: SpendTotal, b: SpendTotal): SpendTotal {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    calls: a.calls + b.calls,
    attempts: a.attempts + b.attempts,
  };
}
