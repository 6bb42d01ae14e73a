import { migration0001 } from './0001-sessions.ts';
import { migration0002 } from './0002-over.ts';

/** The schema's steps in order; a step that was released is never edited. The schema's version is how many were taken. */
export const migrations: readonly string[] = [migration0001, migration0002];
