import type { SessionInfo } from '../../store/session-store.ts';
import type { Look } from '../look.ts';
import { cut } from '../text/fit.ts';
import { whole } from '../text/numbers.ts';
import { visible, visibleProse } from '../text/visible.ts';
import { type Column, GAP, table, tableWidth } from './table.ts';

/** A session, and the beginning of what was asked first in it. */
export interface ListedSession extends SessionInfo {
  readonly firstRequest: string;
}

/** Cells of a first request that are shown where there is room, and that are worth a column. */
const REQUEST_WIDTH = { most: 60, least: 16 };

/** The sessions of a store; whose they are is shown where they are not all of one application and user. */
export function sessionsReport(look: Look, sessions: readonly ListedSession[]): string[] {
  if (sessions.length === 0) return ['no sessions'];
  const owners = new Set(sessions.map(({ key }) => JSON.stringify([key.app, key.user])));
  const rows = sessions.map(({ key, events, records, tokens, createdAt }) => [
    visible(owners.size > 1 ? `${key.app}/${key.user}/${key.session}` : key.session),
    whole(events),
    whole(records),
    whole(tokens),
    createdAt.slice(0, 10),
  ]);
  const columns: readonly Column[] = [
    { title: 'session' },
    { title: 'events', number: true },
    { title: 'records', number: true },
    { title: 'tokens', number: true },
    { title: 'since' },
  ];
  const room = Math.min(look.width - tableWidth(columns, rows) - GAP, REQUEST_WIDTH.most);
  const width = room < REQUEST_WIDTH.least ? REQUEST_WIDTH.most : room;
  const requests = sessions.map(({ firstRequest }) =>
    cut(visibleProse(firstRequest), width, look.marks.ellipsis),
  );
  return table(
    look,
    [...columns, { title: 'began with' }],
    rows.map((row, at) => [...row, requests[at] ?? '']),
  );
}
