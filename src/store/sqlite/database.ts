import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Told when what was read in earlier transactions may not be so: another connection committed, or a change of this one failed. */
export type Forget = (why: 'others' | 'failure') => void;

interface Prepared {
  readonly statement: StatementSync;
  readonly writes: boolean;
}

const READS = /^\s*(SELECT|PRAGMA|BEGIN|COMMIT|ROLLBACK)\b/;

/**
 * One connection to a store's file: prepared statements are kept, transactions are synchronous and short. It never
 * waits for a lock (`busy_timeout` is 0, since waiting in SQLite would block the event loop): a lock held elsewhere is
 * an error for {@link isBusy}, and the caller tries again later.
 */
export class Database {
  readonly #handle: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  readonly #forget: Forget;
  #version: unknown = null;
  #wrote = false;

  constructor(path: string | URL, forget: Forget) {
    this.#handle = new DatabaseSync(path, { timeout: 0 });
    this.#forget = forget;
  }

  /** Runs statements without parameters. */
  execute(sql: string): void {
    this.#handle.exec(sql);
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  /** The first row. Tables are STRICT: a row is of the shape its query and the schema say. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Whether the transaction has run a statement that writes. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Runs `work` whole or not at all, over one snapshot. */
  read<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN', work);
  }

  /** Runs `work` whole or not at all, with nobody else writing meanwhile. */
  write<Result>(work: () => Result): Result {
    try {
      return this.#transaction('BEGIN IMMEDIATE', work);
    } catch (error) {
      // What was changed in memory alongside is not so after all.
      this.#forget('failure');
      throw error;
    }
  }

  close(): void {
    this.#handle.close();
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    this.run(begin);
    this.#wrote = false;
    try {
      this.#noticeOthers();
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      // Some failures (a full disk) have rolled back already.
      if (this.#handle.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** What was read in earlier transactions still holds exactly while nobody else commits. */
  #noticeOthers(): void {
    const row = this.get<{ readonly data_version: unknown }>('PRAGMA data_version');
    if (row?.data_version === this.#version) return;
    this.#version = row?.data_version;
    this.#forget('others');
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#prepare(sql);
    if (known.writes) this.#wrote = true;
    return known.statement;
  }

  #prepare(sql: string): Prepared {
    const prepared = { statement: this.#handle.prepare(sql), writes: !READS.test(sql) };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}
