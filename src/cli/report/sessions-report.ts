import type { SessionInfo } from '../../store/session-store.ts';
import type { Look } from '../look.ts';
import { whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { table } from './table.ts';

/** The sessions of a store; whose they are is shown where they are not all of one application and user. */
export function sessionsReport(look: Look, sessions: readonly SessionInfo[]): string[] {
  if (sessions.length === 0) return ['no sessions'];
  const owners = new Set(sessions.map(({ key }) => JSON.stringify([key.app, key.user])));
  const rows = sessions.map(({ key, events, records, tokens, createdAt }) => [
    visible(owners.size > 1 ? `${key.app}/${key.user}/${key.session}` : key.session),
    whole(events),
    whole(records),
    whole(tokens),
    createdAt.slice(0, 10),
  ]);
  return table(
    look,
    [
      { title: 'session' },
      { title: 'events', number: true },
      { title: 'records', number: true },
      { title: 'tokens', number: true },
      { title: 'since' },
    ],
    rows,
  );
}
