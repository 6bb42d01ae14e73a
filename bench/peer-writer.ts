import { DatabaseSync } from 'node:sqlite';

/** The file in which the peer of a store keeps its events: made before it is shared. */
export function makePeerFile(path: string): void {
  const database = openPeerFile(path);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT)');
  database.close();
}

/** How SQLite is mostly used: its own busy timeout, which sleeps in the call. */
export function openPeerFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 30_000 });
  database.exec('PRAGMA synchronous = FULL');
  return database;
}
