import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Session } from '../engine/session.ts';
import { importLog } from '../logs/import-log.ts';
import type { ImportReport, SinkFor } from '../logs/import-report.ts';
import { fileSource } from '../logs/log-source.ts';
import { CliFailure, usageFailure } from './failure.ts';
import type { Io } from './io.ts';
import type { Open } from './open.ts';

const APP = 'palimpsest';
const USER = 'local';

/** A log that was imported, and the session it is in. */
export interface ImportedLog {
  readonly session: Session;
  readonly report: ImportReport;
}

/**
 * Imports a log into the session `name`; without a name, into the one the log itself names, else the one the file is
 * called. Imported again, only what is new is stored.
 */
export async function importSession(
  io: Io,
  open: Open,
  path: string,
  name: string | undefined,
): Promise<ImportedLog> {
  if (name === '') throw usageFailure('--session is empty; give a name, or leave it out');
  if (statSync(path).isDirectory()) throw new CliFailure(`${path}: it is a folder; give a session log in it`);
  let session: Session | undefined;
  const sinkFor: SinkFor = async (nativeSession) => {
    const called = name ?? nativeSession ?? basename(path, extname(path));
    session = (await open()).session({ app: APP, user: USER, session: called });
    return session;
  };
  io.progress.begin(`importing ${basename(path)}`);
  const report = await importLog(await fileSource(path), sinkFor, {
    onProgress: (read, total) => {
      io.signal.throwIfAborted();
      io.progress.report(`importing ${basename(path)}`, read, total);
    },
  });
  if (session === undefined) throw new Error('an import without events is a failure of its own');
  return { session, report };
}
