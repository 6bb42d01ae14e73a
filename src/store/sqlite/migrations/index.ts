import type { Database } from '../database.ts';
import { fillForks } from '../record-rows.ts';
import { indexAll } from '../term-rows.ts';
import { migration0001 } from './0001-sessions.ts';
import { migration0002 } from './0002-over.ts';
import { migration0003 } from './0003-terms.ts';
import { migration0004 } from './0004-spend.ts';
import { migration0005 } from './0005-changes.ts';
import { migration0006 } from './0006-forks.ts';

/** A step of the schema: what is made, and how what is there already is taken into it. */
export interface Migration {
  readonly sql: string;
  readonly fill?: (database: Database) => void;
}

/** The schema's steps in order; a step that was released is never edited. The schema's version is how many were taken. */
export const migrations: readonly Migration[] = [
  { sql: migration0001 },
  { sql: migration0002 },
  { sql: migration0003, fill: indexAll },
  { sql: migration0004 },
  { sql: migration0005 },
  { sql: migration0006, fill: fillForks },
];
