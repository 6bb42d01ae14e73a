import { existsSync } from 'node:fs';
import { Palimpsest } from '../engine/palimpsest.ts';
import type { Session } from '../engine/session.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { CliFailure } from './failure.ts';
import type { SessionFlags } from './flags.ts';
import { pickSession } from './pick.ts';

/** Which store a command works on. */
export interface StoreChoice {
  /** The SQLite file, or null for one in memory. */
  readonly path: string | null;
  /** Made when it is missing; otherwise that is a failure, and no file comes into being. */
  readonly create: boolean;
  /** Default: the one that extracts. */
  readonly summarizer?: Summarizer | undefined;
}

/** Opens the store when it is first asked for, so that a log that cannot be imported leaves no empty file behind. */
export type Open = () => Promise<Palimpsest>;

/** Gives `use` a way to open a store, and closes it, if it was opened, when `use` is done or failed. */
export async function withStore<Result>(
  { path, create, summarizer }: StoreChoice,
  use: (open: Open) => Promise<Result>,
): Promise<Result> {
  if (path !== null && !create && !existsSync(path)) throw new CliFailure(`${path}: there is no such store`);
  let opened: Promise<Palimpsest> | undefined;
  const open: Open = () => {
    opened ??= storeAt(path).then(
      (store) => new Palimpsest({ store, ...(summarizer === undefined ? {} : { summarizer }) }),
    );
    return opened;
  };
  try {
    return await use(open);
  } finally {
    // What failed to open has nothing to close, and its failure was `use`'s.
    const palimpsest = await opened?.catch(() => undefined);
    await palimpsest?.close();
  }
}

/** Opens a store that exists, and closes it when `use` is done or failed. */
export function withExistingStore<Result>(
  path: string,
  use: (palimpsest: Palimpsest) => Promise<Result>,
): Promise<Result> {
  return withStore({ path, create: false }, async (open) => use(await open()));
}

/** The same for the session that `--store` and `--session` name. */
export function withStoredSession<Result>(
  flags: SessionFlags,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withExistingStore(flags.store, async (palimpsest) =>
    use(palimpsest.session(pickSession(await palimpsest.store.sessions(), flags.session))),
  );
}

/** SQLite is loaded only when it is asked for. */
async function storeAt(path: string | null): Promise<SessionStore> {
  if (path === null) return new MemoryStore();
  const { openSqliteStore } = await import('../store/sqlite/index.ts');
  return openSqliteStore(path);
}
