import { migration0001 } from './0001-sessions.ts';

/** The schema's steps in order; a step that was released is never edited. The schema's version is how many were taken. */
export const migrations: readonly string[] = [migration0001];
