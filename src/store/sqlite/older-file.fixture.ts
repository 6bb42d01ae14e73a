import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations/index.ts';

const COLUMNS = `
  SELECT s.name AS tableName, c.name AS columnName FROM sqlite_schema s, pragma_table_xinfo(s.name) c
  WHERE s.type = 'table'`;

interface Column {
  readonly tableName: string;
  readonly columnName: string;
}

/** Makes of a file what it would be if only the first steps of the schema had been taken: later tables and columns go. */
export function makeOlder(path: string, steps: number): void {
  const older = new DatabaseSync(':memory:');
  for (const { sql } of migrations.slice(0, steps)) older.exec(sql);
  const known = columnsOf(older);
  older.close();
  const database = new DatabaseSync(path);
  const tables = new Set(known.map(({ tableName }) => tableName));
  for (const { tableName } of columnsOf(database)) {
    if (!tables.has(tableName)) database.exec(`DROP TABLE IF EXISTS ${tableName}`);
  }
  const kept = new Set(known.map(nameOf));
  for (const column of columnsOf(database)) {
    if (!kept.has(nameOf(column))) {
      database.exec(`ALTER TABLE ${column.tableName} DROP COLUMN ${column.columnName}`);
    }
  }
  database.exec(`PRAGMA user_version = ${steps}`);
  database.close();
}

function columnsOf(database: DatabaseSync): readonly Column[] {
  return database.prepare(COLUMNS).all() as unknown as readonly Column[];
}

function nameOf({ tableName, columnName }: Column): string {
  return `${tableName}.${columnName}`;
}
