import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../event/errors.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';

interface Column {
  readonly name: string;
}

const COLUMNS = `
  SELECT s.name || '.' || c.name AS name FROM sqlite_schema s, pragma_table_xinfo(s.name) c WHERE s.type = 'table'`;

let known: readonly string[] | undefined;

/** Refuses a file that says it is of this schema and lacks columns of it, before a query stumbles over one. */
export function refuseOtherSchema(database: Database, operation: string): void {
  const there = new Set(database.all<Column>(COLUMNS).map((column) => column.name));
  const missing = knownColumns().filter((name) => !there.has(name));
  if (missing.length === 0) return;
  throw new StoreError(operation, {
    problem: `the file was made by another version of this package: it lacks ${missing[0]}`,
  });
}

/** What the migrations make. */
function knownColumns(): readonly string[] {
  if (known !== undefined) return known;
  const database = new DatabaseSync(':memory:');
  try {
    for (const { sql } of migrations) database.exec(sql);
    known = (database.prepare(COLUMNS).all() as unknown as Column[]).map((column) => column.name);
    return known;
  } finally {
    database.close();
  }
}
