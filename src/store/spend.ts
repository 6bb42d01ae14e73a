import { ConfigError } from '../event/errors.ts';
import type { SessionKey } from '../event/ids.ts';
import type { Spend } from '../summary/spend.ts';

/** What the attempts of one session that ended in one hour of UTC cost, by the store's clock. Rows add up. */
export interface SpendRow extends SessionKey, Spend {
  /** When the hour began: ISO 8601, in UTC. */
  readonly hour: string;
  /** How many attempts reported what they cost, whatever became of them. */
  readonly attempts: number;
}

/** Whose spend, and when. An hour counts whole, by when it began: ranges that follow one another add up. */
export interface SpendFilter extends Partial<SessionKey> {
  /** Hours that began then or later: ISO 8601 with its offset from UTC (`2026-07-01T09:00:00Z`), or a day of UTC. */
  readonly since?: string;
  /** Hours that began before; written in the same way. */
  readonly until?: string;
}

/** Hours since the epoch: from `first` on, up to before `end`. */
export interface Hours {
  readonly first: number;
  readonly end: number;
}

const HOUR_MILLISECONDS = 3_600_000;
const DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const TIME = new RegExp(String.raw`^${DAY}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$`);

/** The hour since the epoch that holds a moment. */
export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MILLISECONDS);
}

/** When an hour since the epoch began, as rows say it. */
export function hourText(hour: number): string {
  return new Date(hour * HOUR_MILLISECONDS).toISOString();
}

/** The moment a text names, in milliseconds since the epoch, as {@link SpendFilter.since} is written; null where it names none. */
export function momentOf(text: string): number | null {
  if (!TIME.test(text)) return null;
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  // The 31st of June is no day of July.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

/** The hours a filter asks for; `ConfigError` for a text that names no moment. */
export function hoursOf({ since, until }: SpendFilter): Hours {
  return {
    first: since === undefined ? Number.NEGATIVE_INFINITY : firstHour('since', since),
    end: until === undefined ? Number.POSITIVE_INFINITY : firstHour('until', until),
  };
}

/** The first hour that began at a moment or after it. */
function firstHour(field: string, text: string): number {
  const moment = typeof text === 'string' ? momentOf(text) : null;
  if (moment === null) {
    throw new ConfigError(field, 'must be a time with its offset, as 2026-07-01T09:00:00Z, or a day');
  }
  return Math.ceil(moment / HOUR_MILLISECONDS);
}

/** The tokens of a spend. Counts stay whole whatever a summarizer reports. */
export function tokensOf({ inputTokens, outputTokens }: Spend): number {
  return Math.min(inputTokens + outputTokens, Number.MAX_SAFE_INTEGER);
}

/** Rows by hour, then by whose they are: the same order from every store. */
export function sortSpend(rows: readonly SpendRow[]): readonly SpendRow[] {
  return Object.freeze(
    rows.toSorted(
      (a, b) =>
        compare(a.hour, b.hour) ||
        compare(a.app, b.app) ||
        compare(a.user, b.user) ||
        compare(a.session, b.session),
    ),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
