import { type Merger, mergeExchanges } from '../../event/exchange-ledger.ts';
import type { InvocationId, Seq } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Exchange, ExchangeId, Obligation } from '../../event/obligation.ts';
import { openOf } from './obligation-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** An event of an exchange, as far as the exchange is concerned. */
export interface Member {
  readonly seq: Seq;
  readonly lane: Lane;
  readonly invocation: InvocationId;
  readonly pinned: boolean;
  /** False when it is known to make no call and ask nothing. */
  readonly mayOwe: boolean;
}

interface MemberColumns {
  readonly exchange: ExchangeId;
  readonly seq: Seq;
  readonly lane: number;
  readonly invocation: number;
  readonly pinned: number;
}

const COLUMNS = 'e.exchange, e.seq, e.lane, e.invocation, e.pinned';
const OTHERS = `
  SELECT ${COLUMNS} FROM json_each(?2) x
  CROSS JOIN events e ON e.session = ?1 AND e.exchange = x.value AND e.exchange <> e.seq`;
const HEADS = `SELECT ${COLUMNS} FROM json_each(?1) x CROSS JOIN events e ON e.place = ?2 + x.value`;

/** The members of exchanges, in seq order; what is `known` of them is not read again. */
export function membersOf(
  session: SqliteSession,
  exchanges: Iterable<ExchangeId>,
  known: ReadonlyMap<Seq, LoggedEvent> = new Map(),
): ReadonlyMap<ExchangeId, readonly Member[]> {
  const members = new Map<ExchangeId, Member[]>();
  const heads: ExchangeId[] = [];
  for (const exchange of exchanges) {
    if (members.has(exchange)) continue;
    // An exchange is named by its oldest event.
    const head = known.get(exchange);
    members.set(exchange, head === undefined ? [] : [toMember(head)]);
    if (head === undefined) heads.push(exchange);
  }
  if (members.size === 0) return members;
  const { database } = session;
  const rows = database.all<MemberColumns>(OTHERS, session.id, JSON.stringify([...members.keys()]));
  if (heads.length > 0) {
    rows.push(...database.all<MemberColumns>(HEADS, JSON.stringify(heads), session.place(0)));
  }
  const joined = new Set<Member[]>();
  for (const row of rows) {
    const list = members.get(row.exchange);
    if (list === undefined) continue;
    const logged = known.get(row.seq);
    list.push(logged === undefined ? readMember(session, row) : toMember(logged));
    joined.add(list);
  }
  for (const list of joined) list.sort((a, b) => a.seq - b.seq);
  return members;
}

function readMember(session: SqliteSession, row: MemberColumns): Member {
  return {
    seq: row.seq,
    lane: session.lanes.at(row.lane).lane,
    invocation: session.invocations.at(row.invocation).id,
    pinned: row.pinned === 1,
    mayOwe: true,
  };
}

function toMember({ event, pinned }: LoggedEvent): Member {
  const mayOwe = (event.asks?.length ?? 0) > 0 || event.content.some((part) => part.type === 'toolCall');
  return { seq: event.seq, lane: event.lane, invocation: event.invocation, pinned, mayOwe };
}

/** Exchanges as they stand now. */
export function exchangesOf(
  session: SqliteSession,
  members: ReadonlyMap<ExchangeId, readonly Member[]>,
): ReadonlyMap<ExchangeId, Exchange> {
  const open = new Map<ExchangeId, Obligation[]>();
  const owing = [...members.values()].flatMap((list) => list.filter((member) => member.mayOwe));
  for (const obligation of openOf(
    session,
    owing.map((member) => member.seq),
  )) {
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
      invocation: newest.invocation,
      pinned: newest.pinned,
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
      pinned: list.at(-1)?.pinned ?? false,
    })),
  );
}

/** Gives older events to another exchange. */
export function renameExchange(session: SqliteSession, seqs: readonly Seq[], exchange: ExchangeId): void {
  for (const seq of seqs) {
    session.tail.delete(seq);
    session.database.run('UPDATE events SET exchange = ? WHERE place = ?', exchange, session.place(seq));
    session.database.run(
      'UPDATE obligations SET exchange = ? WHERE session = ? AND seq = ?',
      exchange,
      session.id,
      seq,
    );
  }
}
