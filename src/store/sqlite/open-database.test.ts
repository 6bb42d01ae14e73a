import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../event/errors.ts';
import { openSqliteStore } from './index.ts';
import { migrations } from './migrations/index.ts';
import { APPLICATION_ID } from './open-database.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-open-'));
const KEY = { app: 'a', user: 'u', session: 's' };

afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function refusal(path: string): Promise<StoreError> {
  const error: unknown = await openSqliteStore(path).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error(`opened, or threw ${String(error)}`);
  expect(error.message).not.toMatch(/\n/);
  expect(error.message).toContain(path);
  return error;
}

describe('openSqliteStore', () => {
  it('makes a file with a write-ahead log that says whose it is', async () => {
    const path = join(directory, 'new.db');
    const store = await openSqliteStore(path);
    await store.append(KEY, [{ role: 'user', content: 'a' }]);
    await store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    expect({ ...database.prepare('PRAGMA application_id').get() }).toEqual({
      application_id: APPLICATION_ID,
    });
    expect({ ...database.prepare('PRAGMA user_version').get() }).toEqual({ user_version: migrations.length });
    expect({ ...database.prepare('PRAGMA journal_mode').get() }).toEqual({ journal_mode: 'wal' });
    database.close();
  });

  it('takes an empty file for a new one', async () => {
    const path = join(directory, 'empty.db');
    writeFileSync(path, '');
    const store = await openSqliteStore(path);
    expect(await store.sessions()).toEqual([]);
    await store.close();
  });

  // Comes back when the application id is not asked for: the store would make its tables among another program's.
  it('refuses a database of another program, and leaves it as it is', async () => {
    const path = join(directory, 'foreign.db');
    const foreign = new DatabaseSync(path);
    foreign.exec('CREATE TABLE events (id INTEGER); INSERT INTO events VALUES (7)');
    foreign.close();
    const before = readFileSync(path);
    expect((await refusal(path)).message).toMatch(/the file is a database of another program$/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a database that says it is another program’s, even an empty one', async () => {
    const path = join(directory, 'claimed.db');
    const foreign = new DatabaseSync(path);
    foreign.exec('PRAGMA application_id = 1234');
    foreign.close();
    expect((await refusal(path)).message).toMatch(/another program$/);
  });

  it('refuses a file that is no database', async () => {
    const path = join(directory, 'notes.txt');
    const text = 'Dear diary, '.repeat(500);
    writeFileSync(path, text);
    expect((await refusal(path)).message).toMatch(/the file is no SQLite database$/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('refuses a file of a newer release', async () => {
    const path = join(directory, 'newer.db');
    await (await openSqliteStore(path)).close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    database.close();
    const known = `schema ${migrations.length + 1}; this one knows ${migrations.length}`;
    expect((await refusal(path)).message).toContain(`a newer release wrote the file (${known})`);
  });

  it('says that a directory is missing, or is the path itself', async () => {
    const inNone = join(directory, 'none', 'a.db');
    expect((await refusal(inNone)).message).toMatch(
      /cannot be opened; is its directory there, and writable\?$/,
    );
    const itself = join(directory, 'folder.db');
    mkdirSync(itself);
    expect((await refusal(itself)).message).toMatch(/cannot be opened/);
  });

  it('refuses a database in memory, which no second handle could share', async () => {
    expect((await refusal(':memory:')).message).toMatch(/use a file on a local disk$/);
  });

  it('lets several handles make one file at once', async () => {
    const path = join(directory, 'together.db');
    const stores = await Promise.all(Array.from({ length: 4 }, () => openSqliteStore(path)));
    for (const store of stores) await store.append(KEY, [{ role: 'user', content: 'a' }]);
    expect((await stores[0]?.info(KEY))?.events).toBe(4);
    for (const store of stores) await store.close();
  });

  // Comes back when id and tables are not read in one snapshot: seen by one of 300 handles opened at the same moment.
  it('takes a file that another process is just making for what it is', async () => {
    const path = join(directory, 'meanwhile.db');
    const outcomes: string[] = [];
    const prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
      if (sql.includes('count(*) AS count FROM sqlite_schema')) outcomes.push(makeMeanwhile(path));
      return prepare.call(this, sql);
    });
    const store = await openSqliteStore(path);
    expect(await store.sessions()).toEqual([]);
    expect(outcomes).toEqual(['Error: database is locked']);
    await store.close();
  });

  it('keeps what is acknowledged when a process dies without closing', async () => {
    const path = join(directory, 'unclosed.db');
    const first = await openSqliteStore(path);
    await first.append(KEY, [{ role: 'user', content: 'a' }]);
    const copy = join(directory, 'copy.db');
    for (const end of ['', '-wal']) writeFileSync(copy + end, readFileSync(path + end));
    const second = await openSqliteStore(copy);
    expect((await second.info(KEY))?.events).toBe(1);
    await second.close();
    await first.close();
  });
});

/** Makes a store's file as another process would; says what became of that. */
function makeMeanwhile(path: string): string {
  const other = new DatabaseSync(path);
  const made = `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length};`;
  try {
    other.exec(`BEGIN IMMEDIATE; ${migrations.map(({ sql }) => sql).join(';')}; ${made} COMMIT`);
    return 'made';
  } catch (error) {
    return String(error);
  } finally {
    other.close();
  }
}
