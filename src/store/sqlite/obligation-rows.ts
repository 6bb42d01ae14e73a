import type { SQLInputValue } from 'node:sqlite';
import type { StoredEvent } from '../../event/event.ts';
import type { InvocationId, Seq } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import {
  type Link,
  type LinkLookup,
  linkDraft,
  type ObligationQuery,
  obligationKey,
} from '../../event/link.ts';
import type { ExchangeId, Obligation } from '../../event/obligation.ts';
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
    const late = this.#session.lateObligations;
    // The newest is meant, or the oldest: late ones are newer than all that have rows.
    if (query.id !== undefined) {
      const newest = late.opened.find(query);
      if (newest !== null) return newest;
    }
    const found = this.#candidates(query, laneRow?.id, invoked?.ordinal)
      .map((row) => late.now(toObligation(this.#session, row)))
      .find(
        (obligation) =>
          !(except?.has(obligationKey(obligation)) ?? false) &&
          (obligation.answeredBy === null || (query.id !== undefined && query.open === undefined)),
      );
    return found ?? (query.id === undefined ? late.opened.find(query) : null);
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
    const limit = (except?.size ?? 0) + this.#session.lateObligations.answers + 1;
    // Named, because SQLite would rather walk a session's obligations in the order that is asked for.
    const select = (index: string, openness: string, order: string): ObligationColumns[] =>
      this.#session.database.all<ObligationColumns>(
        `SELECT * FROM obligations INDEXED BY ${index} WHERE ${[...terms, openness].join(' AND ')}
         ORDER BY ${order} LIMIT ?`,
        ...values,
        limit,
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

/** Takes in what an event opens and answers. */
export function noteObligations(
  { lateObligations }: SqliteSession,
  { opens, answers }: Pick<Link, 'opens' | 'answers'>,
  of: Pick<Obligation, 'seq' | 'lane' | 'invocation' | 'exchange'>,
): void {
  for (const { answered, ...opened } of opens) {
    lateObligations.open(Object.freeze({ ...opened, ...of, answeredBy: answered ? of.seq : null }));
  }
  for (const answered of answers) lateObligations.answer(answered, of.seq);
}

/**
 * Takes in what a late event opens and answers, of its stored text: linking what is stored anew gives the same links. A
 * text that is damaged gives none; whoever reads the event is told.
 */
export function noteStored(session: SqliteSession, text: string, exchange: ExchangeId): void {
  try {
    const event: StoredEvent = JSON.parse(text);
    const { seq, id, lane, invocation } = event;
    const link = linkDraft(event, id, invocation, new ObligationRows(session));
    noteObligations(session, link, { seq, lane, invocation, exchange });
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
}

/** Writes what late events opened and answered. */
export function writeObligations(session: SqliteSession): void {
  const { lateObligations } = session;
  for (const obligation of lateObligations.opened.all()) insertObligation(session, obligation);
  for (const { seq, index, by } of lateObligations.answered) {
    session.database.run(
      'UPDATE obligations SET answered_by = ? WHERE session = ? AND seq = ? AND position = ?',
      by,
      session.id,
      seq,
      index,
    );
  }
  lateObligations.clear();
}

function insertObligation(session: SqliteSession, obligation: Obligation): void {
  const lane = session.lanes.ensure(obligation.lane);
  session.database.run(
    INSERT,
    session.id,
    obligation.seq,
    obligation.index,
    obligation.kind,
    JSON.stringify(obligation.id),
    JSON.stringify(obligation.name),
    JSON.stringify(obligation.about),
    lane.id,
    lane.root,
    session.invocations.find(obligation.invocation)?.ordinal ?? 0,
    obligation.exchange,
    obligation.longRunning ? 1 : 0,
    obligation.answeredBy,
  );
}

export function allObligations(session: SqliteSession): readonly Obligation[] {
  const settled = session.database
    .all<ObligationColumns>('SELECT * FROM obligations WHERE session = ? ORDER BY seq, position', session.id)
    .map((row) => session.lateObligations.now(toObligation(session, row)));
  return [...settled, ...session.lateObligations.opened.all()];
}

/** The open obligations of events. */
export function openOf(session: SqliteSession, seqs: readonly Seq[]): readonly Obligation[] {
  const { lateObligations } = session;
  const settled = session.database
    .all<ObligationColumns>(
      `SELECT o.* FROM json_each(?2) s CROSS JOIN obligations o ON o.session = ?1 AND o.seq = s.value
       WHERE o.answered_by IS NULL ORDER BY o.seq, o.position`,
      session.id,
      JSON.stringify(seqs),
    )
    .map((row) => lateObligations.now(toObligation(session, row)));
  const wanted = new Set(seqs);
  const late = [...lateObligations.opened.all()].filter((obligation) => wanted.has(obligation.seq));
  return [...settled, ...late].filter((obligation) => obligation.answeredBy === null);
}
