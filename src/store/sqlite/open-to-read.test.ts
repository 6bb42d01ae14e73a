import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { StoreError } from '../../event/errors.ts';
import { openSqliteStore } from './index.ts';
import { migrations } from './migrations/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-read-'));
const KEY = { app: 'a', user: 'u', session: 's' };

afterAll(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true });
});

async function made(name: string): Promise<string> {
  const path = join(directory, name);
  const store = await openSqliteStore(path);
  await store.append(KEY, [{ role: 'user', content: 'a' }]);
  await store.close();
  return path;
}

async function refusal(path: string, readOnly = true): Promise<string> {
  const error: unknown = await openSqliteStore(path, { readOnly }).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error(`opened, or threw ${String(error)}`);
  expect(error.message).toContain(path);
  return error.message;
}

it('reads a store, leaves nothing beside it and writes nothing', async () => {
  const path = await made('read #1?.db');
  const before = readFileSync(path);
  const store = await openSqliteStore(path, { readOnly: true });
  expect((await store.info(KEY))?.events).toBe(1);
  await expect(store.append(KEY, [{ role: 'user', content: 'b' }])).rejects.toThrow(
    'the store was opened to be read only',
  );
  await store.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(directory).filter((name) => name.startsWith('read'))).toEqual(['read #1?.db']);
});

it('reads while another connection writes', async () => {
  const path = await made('shared.db');
  const writer = await openSqliteStore(path);
  const reader = await openSqliteStore(path, { readOnly: true });
  await writer.append(KEY, [{ role: 'user', content: 'b' }]);
  expect((await reader.info(KEY))?.events).toBe(2);
  await reader.close();
  await writer.close();
});

// Comes back when the file is opened as any other: SQLite takes both for new databases, and the tables are made.
it('makes no file, and no store of an empty one', async () => {
  const missing = join(directory, 'missing.db');
  expect(await refusal(missing)).toMatch(/there is no such file$/);
  expect(existsSync(missing)).toBe(false);
  const empty = join(directory, 'empty.db');
  writeFileSync(empty, '');
  expect(await refusal(empty)).toMatch(/the file is empty: it holds no store$/);
  expect(readFileSync(empty)).toHaveLength(0);
});

// Comes back when SQLite is not told that nothing changes the file: it wants to make a log beside it.
it.skipIf(process.getuid?.() === 0)(
  'reads a file on a disk that is read-only (root may write anywhere)',
  async () => {
    const path = await made('frozen.db');
    chmodSync(path, 0o400);
    chmodSync(directory, 0o500);
    const store = await openSqliteStore(path, { readOnly: true });
    expect((await store.info(KEY))?.events).toBe(1);
    await store.close();
    chmodSync(directory, 0o700);
  },
);

// Comes back when only the schema's number is asked for: the first query that needs the column fails, naming no file.
it.each([true, false])('refuses a file without a column of the schema (read only: %s)', async (readOnly) => {
  const path = await made(`lacking-${readOnly}.db`);
  const database = new DatabaseSync(path);
  database.exec('ALTER TABLE events DROP COLUMN joins');
  database.close();
  expect(await refusal(path, readOnly)).toMatch(
    /was made by another version of this package: it lacks events\.joins$/,
  );
});

it('does not bring an older schema up to date', async () => {
  const path = await made('older.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 0');
  database.close();
  expect(await refusal(path)).toContain(
    `made by another version of this package (schema 0; this one reads ${migrations.length})`,
  );
});
