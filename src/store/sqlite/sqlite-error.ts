import { PalimpsestError, StoreError } from '../../event/errors.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) this store tells apart. */
const BUSY = 5;
const LOCKED = 6;
/** Many connections began to read a write-ahead log at the same moment, and this one met another each time. */
const PROTOCOL = 15;
const NOT_A_DATABASE = 26;
const PROBLEMS: ReadonlyMap<number, string> = new Map([
  [BUSY, 'busy: other processes kept the file locked'],
  [LOCKED, 'busy: other connections kept a table locked'],
  [8, 'the file or its directory is read-only'],
  [10, 'reading or writing the file failed'],
  [11, 'the file is damaged'],
  [13, 'the disk is full'],
  [PROTOCOL, 'busy: other processes kept beginning to use the file'],
  [14, 'the file cannot be opened; is its directory there, and writable?'],
  [23, 'access to the file is not authorized'],
  [NOT_A_DATABASE, 'the file is no SQLite database'],
]);

/** The primary result code of an error of SQLite's, or null for any other. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** Whether another connection was in the way, so that trying again may do. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED || code === PROTOCOL;
}

/** What a failed operation throws: this package's errors as they are, SQLite's as a `StoreError` that says what is wrong. */
export function asStoreError(operation: string, error: unknown): unknown {
  if (PalimpsestError.isInstance(error)) return error;
  const code = resultCode(error);
  if (code === null) return error;
  const problem = PROBLEMS.get(code);
  return new StoreError(operation, { cause: error, ...(problem === undefined ? {} : { problem }) });
}
