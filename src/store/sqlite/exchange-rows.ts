import { type Merger, mergeExchanges } from '../../event/exchange-ledger.ts';
import type { Seq } from '../../event/ids.ts';
import type { Exchange, ExchangeId, Obligation } from '../../event/obligation.ts';
import { openOf } from './obligation-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** Members of exchanges that have several: each is named by its oldest event, whose row says nothing of the others. */
interface MemberColumns {
  readonly exchange: ExchangeId;
  readonly seq: Seq;
  readonly lane: number;
  readonly invocation: number;
  readonly pinned: number;
}

/** An event of an exchange, as far as the exchange is concerned. */
export type Member = MemberColumns;

const MEMBERS = `
  SELECT e.exchange, e.seq, e.lane, e.invocation, e.pinned
    FROM json_each(?2) x CROSS JOIN events e ON e.place = ?3 + x.value
  UNION ALL
  SELECT e.exchange, e.seq, e.lane, e.invocation, e.pinned
    FROM json_each(?2) x CROSS JOIN events e ON e.session = ?1 AND e.exchange = x.value AND e.exchange <> e.seq`;

/** The members of exchanges, in seq order. */
export function membersOf(
  session: SqliteSession,
  exchanges: Iterable<ExchangeId>,
): ReadonlyMap<ExchangeId, readonly Member[]> {
  const members = new Map<ExchangeId, MemberColumns[]>();
  for (const exchange of exchanges) members.set(exchange, []);
  if (members.size === 0) return members;
  const rows = session.database.all<MemberColumns>(
    MEMBERS,
    session.id,
    JSON.stringify([...members.keys()]),
    session.place(0),
  );
  for (const row of rows) members.get(row.exchange)?.push(row);
  for (const list of members.values()) list.sort((a, b) => a.seq - b.seq);
  return members;
}

/** Exchanges as they stand now; `openedBy` may narrow which of their events can owe anything. */
export function exchangesOf(
  session: SqliteSession,
  members: ReadonlyMap<ExchangeId, readonly Member[]>,
): ReadonlyMap<ExchangeId, Exchange> {
  const open = new Map<ExchangeId, Obligation[]>();
  const seqs = [...members.values()].flatMap((list) => list.map((member) => member.seq));
  for (const obligation of openOf(session, seqs)) {
    const list = open.get(obligation.exchange);
    if (list === undefined) open.set(obligation.exchange, [obligation]);
    else list.push(obligation);
  }
  const exchanges = new Map<ExchangeId, Exchange>();
  for (const [id, list] of members) {
    const newest = list.at(-1);
    if (newest === undefined) continue;
    const exchange: Exchange = {
      id,
      members: Object.freeze(list.map((member) => member.seq)),
      open: Object.freeze(open.get(id) ?? []),
      invocation: session.invocationAt(newest.invocation).id,
      pinned: newest.pinned === 1,
    };
    exchanges.set(id, Object.freeze(exchange));
  }
  return exchanges;
}

/** What one exchange a new event makes of those it joins; see `mergeExchanges`. */
export function mergeWith(session: SqliteSession, seq: Seq, joins: readonly ExchangeId[]): Merger {
  if (joins.length === 0) return mergeExchanges(seq, []);
  if (joins.length === 1) {
    // The usual case, a result that follows its call: nothing moves, so the other members need not be read.
    const id = joins[0] as ExchangeId;
    const head = session.database.get<{ readonly pinned: number }>(
      'SELECT pinned FROM events WHERE place = ?',
      session.place(id),
    );
    return mergeExchanges(seq, [{ id, members: [], pinned: head?.pinned === 1 }]);
  }
  return mergeExchanges(
    seq,
    [...membersOf(session, joins)].map(([id, list]) => ({
      id,
      members: list.map((member) => member.seq),
      pinned: list.at(-1)?.pinned === 1,
    })),
  );
}

/** Gives older events to another exchange. */
export function renameExchange(session: SqliteSession, seqs: readonly Seq[], exchange: ExchangeId): void {
  for (const seq of seqs) {
    session.database.run('UPDATE events SET exchange = ? WHERE place = ?', exchange, session.place(seq));
    session.database.run(
      'UPDATE obligations SET exchange = ? WHERE session = ? AND seq = ?',
      exchange,
      session.id,
      seq,
    );
  }
}
