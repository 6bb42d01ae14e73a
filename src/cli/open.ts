import { statSync } from 'node:fs';
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
  /** For commands that change nothing: the file stays as it is and may lie on a read-only disk. */
  readonly readOnly?: boolean;
  /** Default: the one that extracts. */
  readonly summarizer?: Summarizer | undefined;
  /** Default: digits that cannot be guessed. */
  readonly nonce?: () => string;
}

/** Opens the store when it is first asked for, so that a log that cannot be imported leaves no empty file behind. */
export type Open = () => Promise<Palimpsest>;

/** Gives `use` a way to open a store, and closes it, if it was opened, when `use` is done or failed. */
export async function withStore<Result>(
  { path, create, readOnly = false, summarizer, nonce }: StoreChoice,
  use: (open: Open) => Promise<Result>,
): Promise<Result> {
  if (path !== null && !create) requireStore(path);
  let opened: Promise<Palimpsest> | undefined;
  const open: Open = () => {
    opened ??= storeAt(path, readOnly).then(
      (store) =>
        new Palimpsest({
          store,
          ...(summarizer === undefined ? {} : { summarizer }),
          ...(nonce === undefined ? {} : { nonce }),
        }),
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

/** Opens a store that exists, to read it, and closes it when `use` is done or failed. */
export function readStore<Result>(
  path: string,
  use: (palimpsest: Palimpsest) => Promise<Result>,
): Promise<Result> {
  return withStore({ path, create: false, readOnly: true }, async (open) => use(await open()));
}

/** The same for the session that `--store` and `--session` name. */
export function readSession<Result>(
  flags: SessionFlags,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  return readStore(flags.store, async (palimpsest) => use(await storedSession(palimpsest, flags)));
}

/** The session that `--store` and `--session` name, to change what is covered of it. */
export function changeSession<Result>(
  flags: SessionFlags,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withStore({ path: flags.store, create: false }, async (open) =>
    use(await storedSession(await open(), flags)),
  );
}

async function storedSession(palimpsest: Palimpsest, flags: SessionFlags): Promise<Session> {
  return palimpsest.session(pickSession(await palimpsest.store.sessions(), flags.session));
}

/** A missing or an empty file would become a store by being opened. */
function requireStore(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new CliFailure(`${path}: there is no such store`);
  if (size === 0) throw new CliFailure(`${path}: the file is empty, it holds no store`);
}

/** SQLite is loaded only when it is asked for. */
async function storeAt(path: string | null, readOnly: boolean): Promise<SessionStore> {
  if (path === null) return new MemoryStore();
  const { openSqliteStore } = await import('../store/sqlite/index.ts');
  return openSqliteStore(path, { readOnly });
}
