import { NotFoundError, RefusedError, StoreError } from '../../event/errors.ts';
import type { SessionKey } from '../../event/ids.ts';
import { checkKey, keyText } from '../session-key.ts';
import type { SessionInfo } from '../session-store.ts';
import type { Database, Forget } from './database.ts';
import { KnownSessions } from './known-sessions.ts';
import { openDatabase, type Synchronous } from './open-database.ts';
import { openToRead } from './open-to-read.ts';
import type { Patience } from './patience.ts';
import { findSession, insertSession } from './session-rows.ts';
import { asStoreError } from './sqlite-error.ts';
import { SqliteSession } from './sqlite-session.ts';
import { Turns } from './turns.ts';

/**
 * The file as this process works on it: writers one at a time and in the order they came, readers at once, each as one
 * transaction; and what is known of the sessions between transactions.
 */
export class SessionFile {
  readonly #database: Database;
  readonly #patience: Patience;
  readonly #readOnly: boolean;
  readonly #writers = new Turns();
  readonly #sessions: KnownSessions;
  readonly #inUse = new Set<SqliteSession>();
  #closed: Promise<void> | null = null;
  #isClosed = false;

  private constructor(database: Database, patience: Patience, readOnly: boolean, sessions: KnownSessions) {
    this.#database = database;
    this.#patience = patience;
    this.#readOnly = readOnly;
    this.#sessions = sessions;
  }

  static async open(
    path: string,
    { readOnly, synchronous }: { readonly readOnly: boolean; readonly synchronous: Synchronous },
    patience: Patience,
  ): Promise<SessionFile> {
    const sessions = new KnownSessions();
    const forget: Forget = (why) => (why === 'others' ? sessions.othersCommitted() : sessions.clear());
    const database = await (readOnly
      ? openToRead(path, patience, forget)
      : openDatabase(path, synchronous, patience, forget));
    return new SessionFile(database, patience, readOnly, sessions);
  }

  async read<Result>(operation: string, work: (database: Database) => Result): Promise<Result> {
    if (this.#closed !== null) throw closedError(operation);
    return this.#run(operation, () => this.#trimming(() => this.#database.read(() => work(this.#database))));
  }

  async write<Result>(operation: string, work: (database: Database) => Result): Promise<Result> {
    if (this.#closed !== null) throw closedError(operation);
    if (this.#readOnly) throw new StoreError(operation, { problem: 'the store was opened to be read only' });
    return this.#writers.run(() =>
      this.#run(operation, () =>
        this.#trimming(() =>
          this.#database.write(() => {
            const result = work(this.#database);
            for (const session of this.#inUse) session.flush();
            return result;
          }),
        ),
      ),
    );
  }

  /** The session of that key; `NotFoundError` where there is none. For use within a transaction. */
  session(key: SessionKey): SqliteSession {
    const session = this.find(key);
    if (session === null) throw new NotFoundError('session', key.session);
    return session;
  }

  /** The session of that key, or null. */
  find(key: SessionKey): SqliteSession | null {
    const text = keyText(key);
    const known = this.#sessions.find(text);
    if (known !== undefined) {
      this.#inUse.add(known);
      return known;
    }
    const id = findSession(this.#database, key);
    return id === undefined ? null : this.#keep(text, id);
  }

  /** The session of that key, made where there is none. */
  ensure(key: SessionKey, now: string): SqliteSession {
    return this.find(key) ?? this.#make(checkKey(key), now, null);
  }

  /** A new session; `RefusedError` when there is one of that key. */
  make(key: SessionKey, now: string, lineage: SessionInfo['lineage']): SqliteSession {
    const checked = checkKey(key);
    if (this.find(checked) !== null) {
      throw new RefusedError(key.session, 'session exists; fork to a new one');
    }
    return this.#make(checked, now, lineage);
  }

  /** Waits for the writers that came before; whoever comes after is refused. */
  close(): Promise<void> {
    this.#closed ??= this.#writers.run(() =>
      this.#patience.until(() => {
        this.#isClosed = true;
        this.#database.close();
      }),
    );
    return this.#closed;
  }

  async #run<Result>(operation: string, work: () => Result): Promise<Result> {
    try {
      return await this.#patience.until(() => {
        if (this.#isClosed) throw closedError(operation);
        return work();
      });
    } catch (error) {
      throw asStoreError(operation, error);
    }
  }

  /** Lets the sessions that a transaction used forget what they need not keep. */
  #trimming<Result>(transaction: () => Result): Result {
    this.#inUse.clear();
    const result = transaction();
    for (const session of this.#inUse) session.trim();
    return result;
  }

  #make(key: SessionKey, now: string, lineage: SessionInfo['lineage']): SqliteSession {
    return this.#keep(keyText(key), insertSession(this.#database, key, now, lineage));
  }

  #keep(text: string, id: number): SqliteSession {
    const session = new SqliteSession(this.#database, id);
    this.#sessions.keep(text, session);
    this.#inUse.add(session);
    return session;
  }
}

function closedError(operation: string): StoreError {
  return new StoreError(operation, { problem: 'the store is closed' });
}
