import type { RecordId } from '../event/ids.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { Spend } from '../summary/spend.ts';
import type { AttemptEnd } from './session-store.ts';

/** How an attempt ends, with a record or without. */
export type AnyEnd =
  | AttemptEnd
  | (Pick<Attempt, 'usage'> & {
      readonly state: 'committed';
      readonly record: RecordId;
      readonly spend?: Spend | undefined;
    });

/**
 * The attempt after an end, or null where that changes nothing: one that is over stays as it is. Only one that was
 * abandoned, because its lease ran out and was taken, hears later what it cost: its call was paid for all the same. What
 * an end says was spent is spent if and only if this is not null, so that one that is told twice is paid once.
 */
export function endedAttempt(attempt: Attempt, end: AnyEnd, endedAt: string): Attempt | null {
  if (attempt.state === 'started') {
    const { spend: _spend, ...rest } = end;
    return { ...attempt, ...structuredClone(rest), endedAt };
  }
  if (attempt.state !== 'abandoned' || attempt.usage !== undefined || end.usage === undefined) return null;
  return { ...attempt, usage: structuredClone(end.usage) };
}
