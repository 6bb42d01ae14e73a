import type { Invocation } from '../../event/invocation.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Exchange } from '../../event/obligation.ts';
import { asOf } from '../note-invocation.ts';
import type { EventFacts } from '../session-store.ts';
import { exchangesOf, membersOf } from './exchange-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** An event and how its exchange stands. */
export function readFacts(session: SqliteSession, row: LoggedEvent, now: number): EventFacts {
  const exchanges = exchangesOf(session, membersOf(session, [row.exchange]));
  // Every event is of an exchange: its own, where it is of no other.
  const exchange = exchanges.get(row.exchange) as Exchange;
  const ids = new Set([exchange.invocation, ...exchange.open.map((owed) => owed.invocation)]);
  const invocations = new Map(
    [...ids].map((id) => [id, asOf(session.invocations.find(id) as Invocation, now)]),
  );
  return { row, exchange, invocations, invocationCount: session.invocations.count };
}
