import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** What a transaction is told when another connection changed the file since this one last looked. */
export type Forget = () => void;

/**
 * One connection to a store's file: prepared statements are kept, transactions are synchronous and short. It never
 * waits for a lock (`busy_timeout` is 0, since waiting in SQLite would block the event loop): a lock held elsewhere is
 * an error for {@link isBusy}, and the caller tries again later.
 */
export class Database {
  readonly #handle: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #forget: Forget;
  #version: unknown = null;

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
      this.#forget();
      throw error;
    }
  }

  close(): void {
    this.#handle.close();
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    this.run(begin);
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
    this.#forget();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#handle.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
