import type { SQLInputValue } from 'node:sqlite';
import type { InvocationId, Seq } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import {
  type LinkLookup,
  type ObligationQuery,
  type OpenedObligation,
  obligationKey,
} from '../../event/link.ts';
import type { ExchangeId, Obligation } from '../../event/obligation.ts';
import type { LaneRow } from './session-lanes.ts';
import type { SqliteSession } from './sqlite-session.ts';

export interface ObligationColumns {
  readonly seq: Seq;
  readonly position: number;
  readonly kind: Obligation['kind'];
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly lane: number;
  readonly invocation: number;
  readonly exchange: ExchangeId;
  readonly long_running: number;
  readonly answered_by: Seq | null;
}

/** Finds calls, asks and replies as linking needs them, each by an index. */
export class ObligationRows implements LinkLookup {
  readonly #session: SqliteSession;

  constructor(session: SqliteSession) {
    this.#session = session;
  }

  find(query: ObligationQuery): Obligation | null {
    const { lane, invocation, except } = query;
    const laneRow = lane === undefined ? undefined : this.#session.lanes.find(lane);
    const invoked = invocation === undefined ? undefined : this.#session.invocations.find(invocation);
    if (
      (lane !== undefined && laneRow === undefined) ||
      (invocation !== undefined && invoked === undefined)
    ) {
      return null;
    }
    const found = this.#candidates(query, laneRow?.id, invoked?.ordinal);
    const free = found.find(
      (row) => !(except?.has(obligationKey({ seq: row.seq, index: row.position })) ?? false),
    );
    return free === undefined ? null : toObligation(this.#session, free);
  }

  reply(lane: Lane, invocation: InvocationId, reply: string): ExchangeId | null {
    const laneRow = this.#session.lanes.find(lane);
    const invoked = this.#session.invocations.find(invocation);
    if (laneRow === undefined || invoked === undefined) return null;
    const row = this.#session.database.get<{ readonly exchange: ExchangeId }>(
      'SELECT exchange FROM events WHERE lane = ? AND invocation = ? AND reply = ? LIMIT 1',
      laneRow.id,
      invoked.ordinal,
      reply,
    );
    return row?.exchange ?? null;
  }

  /** Best first: one more than may have to be passed over. */
  #candidates(
    query: ObligationQuery,
    lane: number | undefined,
    invocation: number | undefined,
  ): readonly ObligationColumns[] {
    const { id, name, kind, except } = query;
    const terms: string[] = ['kind = ?'];
    const values: SQLInputValue[] = [kind];
    const narrow = (term: string, value: SQLInputValue | undefined): void => {
      if (value === undefined) return;
      terms.push(term);
      values.push(value);
    };
    narrow('session = ?', this.#session.id);
    narrow('lane = ?', lane);
    narrow('invocation = ?', invocation);
    narrow('name = ?', name === undefined ? undefined : JSON.stringify(name));
    const limit = (except?.size ?? 0) + 1;
    // Named, because SQLite would rather walk a session's obligations in the order that is asked for.
    const select = (index: string, openness: string, order: string): ObligationColumns[] =>
      this.#session.database.all<ObligationColumns>(
        `SELECT * FROM obligations INDEXED BY ${index} WHERE ${[...terms, openness].join(' AND ')}
         ORDER BY ${order} LIMIT ${limit}`,
        ...values,
      );
    if (id === undefined) return select('obligations_open', 'answered_by IS NULL', 'seq, position');
    narrow('id = ?', JSON.stringify(id));
    const open = select('obligations_id', 'is_open = 1', 'seq DESC, position DESC');
    if (query.open) return open;
    return [...open, ...select('obligations_id', 'is_open = 0', 'seq DESC, position DESC')].sort(
      (a, b) => b.seq - a.seq || b.position - a.position,
    );
  }
}

export function toObligation(session: SqliteSession, row: ObligationColumns): Obligation {
  return Object.freeze({
    kind: row.kind,
    id: JSON.parse(row.id),
    name: JSON.parse(row.name),
    longRunning: row.long_running === 1,
    about: JSON.parse(row.about),
    index: row.position,
    seq: row.seq,
    lane: session.lanes.at(row.lane).lane,
    invocation: session.invocations.at(row.invocation).id,
    exchange: row.exchange,
    answeredBy: row.answered_by,
  });
}

const INSERT = `
  INSERT INTO obligations (session, seq, position, kind, id, name, about, lane, root, invocation, exchange,
    long_running, answered_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Where an obligation that an event opens stands. */
export interface ObligationPlace {
  readonly seq: Seq;
  readonly lane: LaneRow;
  readonly invocation: number;
  readonly exchange: ExchangeId;
}

export function insertObligation(
  session: SqliteSession,
  opened: OpenedObligation,
  { seq, lane, invocation, exchange }: ObligationPlace,
): void {
  session.database.run(
    INSERT,
    session.id,
    seq,
    opened.index,
    opened.kind,
    JSON.stringify(opened.id),
    JSON.stringify(opened.name),
    JSON.stringify(opened.about),
    lane.id,
    lane.root,
    invocation,
    exchange,
    opened.longRunning ? 1 : 0,
    opened.answered ? seq : null,
  );
}

/** Notes the first answer; later ones change nothing. */
export function answerObligation(session: SqliteSession, obligation: Obligation, answeredBy: Seq): void {
  session.database.run(
    'UPDATE obligations SET answered_by = ? WHERE session = ? AND seq = ? AND position = ? AND answered_by IS NULL',
    answeredBy,
    session.id,
    obligation.seq,
    obligation.index,
  );
}

export function allObligations(session: SqliteSession): readonly Obligation[] {
  return session.database
    .all<ObligationColumns>('SELECT * FROM obligations WHERE session = ? ORDER BY seq, position', session.id)
    .map((row) => toObligation(session, row));
}

/** The open obligations of events. */
export function openOf(session: SqliteSession, seqs: readonly Seq[]): readonly Obligation[] {
  return session.database
    .all<ObligationColumns>(
      `SELECT o.* FROM json_each(?2) s CROSS JOIN obligations o ON o.session = ?1 AND o.seq = s.value
       WHERE o.answered_by IS NULL ORDER BY o.seq, o.position`,
      session.id,
      JSON.stringify(seqs),
    )
    .map((row) => toObligation(session, row));
}
