import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations/index.ts';

const COLUMNS = `
  SELECT s.name AS tableName, c.name AS columnName FROM sqlite_schema s, pragma_table_xinfo(s.name) c
  WHERE s.type = 'table'`;

interface Column {
  readonly tableName: string;
  readonly columnName: string;
}

const INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";

interface Index {
  readonly name: string;
  readonly sql: string;
}

/** Makes of a file what it would be if only the first steps of the schema had been taken: later tables, columns and indexes go. */
export function makeOlder(path: string, steps: number): void {
  const older = new DatabaseSync(':memory:');
  for (const { sql } of migrations.slice(0, steps)) older.exec(sql);
  const known = columnsOf(older);
  const indexes = indexesOf(older);
  older.close();
  const database = new DatabaseSync(path);
  const tables = new Set(known.map(({ tableName }) => tableName));
  for (const { tableName } of columnsOf(database)) {
    if (!tables.has(tableName)) database.exec(`DROP TABLE IF EXISTS ${tableName}`);
  }
  const names = new Set(indexes.map(({ name }) => name));
  for (const { name } of indexesOf(database)) if (!names.has(name)) database.exec(`DROP INDEX ${name}`);
  const kept = new Set(known.map(nameOf));
  for (const column of columnsOf(database)) {
    if (!kept.has(nameOf(column))) {
      database.exec(`ALTER TABLE ${column.tableName} DROP COLUMN ${column.columnName}`);
    }
  }
  const there = new Set(indexesOf(database).map(({ name }) => name));
  for (const { name, sql } of indexes) if (!there.has(name)) database.exec(sql);
  database.exec(`PRAGMA user_version = ${steps}`);
  database.close();
}

function columnsOf(database: DatabaseSync): readonly Column[] {
  return database.prepare(COLUMNS).all() as unknown as readonly Column[];
}

function indexesOf(database: DatabaseSync): readonly Index[] {
  return database.prepare(INDEXES).all() as unknown as readonly Index[];
}

function nameOf({ tableName, columnName }: Column): string {
  return `${tableName}.${columnName}`;
}
