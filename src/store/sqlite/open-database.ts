import { nameForMessage, StoreError } from '../../event/errors.ts';
import { Database, type Forget } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Patience } from './patience.ts';
import { refuseOtherSchema } from './refuse-other-schema.ts';
import { asStoreError } from './sqlite-error.ts';

/** Marks the file as ours in its header: "PALI". */
export const APPLICATION_ID = 0x50_41_4c_49;

/** What a commit waits for: `full`, until it is on disk; `normal`, nothing: a power cut may lose the last commits, never corrupt. */
export type Synchronous = 'full' | 'normal';

/** Opens or makes the store's file and brings its schema up to date; a `StoreError` that names the file when it cannot. */
export async function openDatabase(
  path: string,
  synchronous: Synchronous,
  patience: Patience,
  forget: Forget,
): Promise<Database> {
  const operation = `opening ${nameForMessage(path)}`;
  let database: Database | undefined;
  try {
    const opened = await patience.until(() => new Database(path, forget));
    database = opened;
    await patience.until(() => holdsStore(opened, operation));
    await patience.until(() => useWriteAheadLog(opened, operation));
    await patience.until(() => opened.execute(`PRAGMA synchronous = ${synchronous}`));
    await patience.until(() => migrate(opened, operation));
    await patience.until(() => refuseOtherSchema(opened, operation));
    return opened;
  } catch (error) {
    database?.close();
    throw asStoreError(operation, error);
  }
}

/** Whether there is a store in the file, or nothing yet. A file of another program is refused, and left down to its journal mode as it is. */
export function holdsStore(database: Database, operation: string): boolean {
  // In one snapshot: between two looks another process may have made the tables.
  return database.read(() => {
    const id = database.get<{ readonly application_id: number }>('PRAGMA application_id')?.application_id;
    if (id === APPLICATION_ID) return true;
    const tables = database.get<{ readonly count: number }>('SELECT count(*) AS count FROM sqlite_schema');
    if (id !== 0 || tables?.count !== 0) {
      throw new StoreError(operation, { problem: 'the file is a database of another program' });
    }
    return false;
  });
}

function useWriteAheadLog(database: Database, operation: string): void {
  const row = database.get<{ readonly journal_mode: string }>('PRAGMA journal_mode = WAL');
  if (row?.journal_mode !== 'wal') {
    throw new StoreError(operation, {
      problem: 'no write-ahead log can be kept there; use a file on a local disk',
    });
  }
}

function migrate(database: Database, operation: string): void {
  if (schemaOf(database, operation) === migrations.length) return;
  database.write(() => {
    // Another process may have been faster.
    for (const { sql, fill } of migrations.slice(schemaOf(database, operation))) {
      database.execute(sql);
      fill?.(database);
    }
    database.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
  });
}

/** How many steps the file's schema has taken. */
export function schemaOf(database: Database, operation: string): number {
  const row = database.get<{ readonly user_version: number }>('PRAGMA user_version');
  const taken = row?.user_version ?? 0;
  if (taken <= migrations.length) return taken;
  throw new StoreError(operation, {
    problem: `a newer release wrote the file (schema ${taken}; this one knows ${migrations.length})`,
  });
}
