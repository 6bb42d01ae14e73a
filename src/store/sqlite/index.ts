export type { Synchronous } from './open-database.ts';
export type { Waiting } from './patience.ts';
export { openSqliteStore, SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
