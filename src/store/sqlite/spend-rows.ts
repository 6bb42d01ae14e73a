import type { SessionKey } from '../../event/ids.ts';
import type { Spend } from '../../summary/spend.ts';
import type { Allowance } from '../allowance.ts';
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
import type { Database } from './database.ts';
import type { SqliteSession } from './sqlite-session.ts';

interface SpendColumns {
  readonly app: string;
  readonly user: string;
  readonly session: string;
  readonly hour: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly calls: number;
  readonly attempts: number;
}

const MOST = Number.MAX_SAFE_INTEGER;

const ADD = `
  INSERT INTO spend (app, user, session, hour, input_tokens, output_tokens, calls, attempts)
  SELECT app, user, name, ?2, min(?3, ${MOST}), min(?4, ${MOST}), ?5, 1 FROM sessions WHERE session = ?1
  ON CONFLICT (hour, app, user, session) DO UPDATE SET
    input_tokens = min(input_tokens + excluded.input_tokens, ${MOST}),
    output_tokens = min(output_tokens + excluded.output_tokens, ${MOST}),
    calls = calls + excluded.calls,
    attempts = attempts + 1`;
const ADD_TOKENS = `
  INSERT INTO spend_tokens (app, user, hour, tokens)
  SELECT app, CASE WHEN ?2 THEN '' ELSE user END, ?3, ?4 FROM sessions WHERE session = ?1
  ON CONFLICT (app, user, hour) DO UPDATE SET tokens = min(tokens + excluded.tokens, ${MOST})`;
/** Totals in floating point: sums of the largest counts do not fit an integer. */
const TOKENS = `
  SELECT total(tokens) AS tokens FROM spend_tokens WHERE app = ? AND user = ? AND hour >= ? AND hour < ?`;

/** Takes in what an attempt of a session cost that ends at `now`, in milliseconds since the epoch. */
export function addSpendRow(session: SqliteSession, now: number, spend: Spend): void {
  const { database, id } = session;
  const hour = hourOf(now);
  database.run(ADD, id, hour, spend.inputTokens, spend.outputTokens, spend.calls);
  for (const whole of [0, 1]) database.run(ADD_TOKENS, id, whole, hour, tokensOf(spend));
}

/** The tokens a session's tenant spent in these hours. */
export function tokensSpent(
  database: Database,
  { app, user }: SessionKey,
  tenant: Required<Allowance>['tenant'],
  { first, end }: Hours,
): number {
  const of = tenant === 'app' ? '' : user;
  const row = database.get<{ readonly tokens: number }>(TOKENS, app, of, first, end);
  return row?.tokens ?? 0;
}

/** What was spent, whether its sessions are still there or not. */
export function readSpend(database: Database, filter: SpendFilter): readonly SpendRow[] {
  const { first, end } = hoursOf(filter);
  const terms = ['hour >= ?', 'hour < ?'];
  const values: (string | number)[] = [first, end];
  // The hours of one user are few among all; those of an application may be all there are, and are read in their order.
  const byUser = filter.app !== undefined && filter.user !== undefined;
  for (const name of ['app', 'user', 'session'] as const) {
    const value = filter[name];
    if (value === undefined) continue;
    if (!value.isWellFormed()) return sortSpend([]);
    terms.push(`${byUser ? '' : '+'}${name} = ?`);
    values.push(value);
  }
  const rows = database.all<SpendColumns>(`SELECT * FROM spend WHERE ${terms.join(' AND ')}`, ...values);
  return sortSpend(rows.map(toRow));
}

function toRow(row: SpendColumns): SpendRow {
  return Object.freeze({
    app: row.app,
    user: row.user,
    session: row.session,
    hour: hourText(row.hour),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    calls: row.calls,
    attempts: row.attempts,
  });
}
