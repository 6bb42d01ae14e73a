import { type Reader, ROOT_LANE } from '../../src/event/lane.ts';

/** The session that is long, and who reads it. */
export const KEY = { app: 'bench', user: 'u', session: 's' };
export const READER: Reader = { agent: 'agent', lane: ROOT_LANE };
