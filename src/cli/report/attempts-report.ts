import type { Attempt } from '../../plan/attempt.ts';
import type { Look } from '../look.ts';
import { whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { laneText, spansText } from './spans-text.ts';
import { table } from './table.ts';

/** The attempts of a session, oldest first. */
export function attemptsReport(look: Look, attempts: readonly Attempt[]): string[] {
  if (attempts.length === 0) return ['no attempts: nothing was tried yet'];
  const rows = attempts.map((attempt) => [
    attempt.startedAt.replace('T', ' ').slice(0, 19),
    attempt.trigger,
    laneText(attempt.lane),
    spansText(attempt.window.spans),
    whole(attempt.window.events),
    whole(attempt.window.tokens),
    attempt.reason === undefined ? attempt.state : `${attempt.state}: ${visible(attempt.reason)}`,
  ]);
  return table(
    look,
    [
      { title: 'started' },
      { title: 'trigger' },
      { title: 'lane' },
      { title: 'spans' },
      { title: 'events', number: true },
      { title: 'tokens', number: true },
      { title: 'became' },
    ],
    rows,
  );
}
