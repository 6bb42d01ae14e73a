import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nameForMessage, StoreError } from '../../event/errors.ts';
import { Database, type Forget } from './database.ts';
import { migrations } from './migrations/index.ts';
import { holdsStore, schemaOf } from './open-database.ts';
import type { Patience } from './patience.ts';
import { refuseOtherSchema } from './refuse-other-schema.ts';
import { asStoreError } from './sqlite-error.ts';

/**
 * Opens a store's file to read it: it must be there and hold a store, and nothing of it is changed, its schema included.
 * Works on a read-only disk too.
 */
export async function openToRead(path: string, patience: Patience, forget: Forget): Promise<Database> {
  const operation = `opening ${nameForMessage(path)}`;
  let database: Database | undefined;
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new StoreError(operation, { problem: 'there is no such file' });
    if (size === 0) throw emptyError(operation);
    const opened = await patience.until(() => new Database(toRead(path), forget));
    database = opened;
    await patience.until(() => opened.execute('PRAGMA query_only = 1'));
    // Another process may be just making it.
    if (!(await patience.until(() => holdsStore(opened, operation)))) throw emptyError(operation);
    await patience.until(() => {
      const schema = schemaOf(opened, operation);
      if (schema < migrations.length) {
        throw new StoreError(operation, {
          problem: `the file was made by another version of this package (schema ${schema}; this one reads ${migrations.length})`,
        });
      }
      refuseOtherSchema(opened, operation);
    });
    return opened;
  } catch (error) {
    database?.close();
    throw asStoreError(operation, error);
  }
}

function emptyError(operation: string): StoreError {
  return new StoreError(operation, { problem: 'the file is empty: it holds no store' });
}

/**
 * A connection that may write leaves no files of a write-ahead log behind, one that may only read does. Where nothing can
 * be written, no log lies beside the file and none can come into being: SQLite is told so, or it would want to make one.
 */
function toRead(path: string): URL {
  const url = pathToFileURL(path);
  if (isWritable(path) && isWritable(dirname(path))) url.searchParams.set('mode', 'rw');
  else if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    url.searchParams.set('mode', 'ro');
  } else url.searchParams.set('immutable', '1');
  return url;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
