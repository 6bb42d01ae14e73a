import { ImportError } from '../event/errors.ts';
import type { LogFormatReader, LogHead } from './format.ts';
import { formats } from './formats.ts';
import type { ImportReport, ImportSink, LogFormat, SinkFor } from './import-report.ts';
import { ImportRun } from './import-run.ts';
import { fileSource, type LogSource } from './log-source.ts';
import { readHead } from './read-head.ts';

/** What an import may be told. */
export interface ImportOptions {
  /** Missing: recognised by content. */
  readonly format?: LogFormat;
  /** Hears how far the import is; `bytesTotal` is null where the source names no size. Formats that are read twice count twice. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number | null) => void;
  /** Events handed to the sink at a time; missing: 500. */
  readonly batch?: number;
}

/**
 * Imports a session log into a session (or any other sink), recognising the format by content. Streams: memory does not
 * grow with the log (a JSON document is read whole). Everything the log says is kept as events: what came before its own
 * compactions, and their summaries, too. No record is ever made. Importing a log again after it grew appends only what
 * is new.
 *
 * Batches are stored one after the other: when a later one fails, the earlier ones stay, and importing again goes on
 * from there. `ImportError`, one line: the log cannot be read, is of no format known here, holds no conversation, or
 * says something else under an id that is stored.
 */
export async function importLog(
  source: LogSource,
  sink: ImportSink | SinkFor,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const head = await readHead(source);
  if (head === null) throw holdsNothing(source);
  const reader = readerFor(source, head, options.format);
  const run = new ImportRun(source, sink, options);
  await reader.read(run, head);
  await run.writer.flush();
  if (run.writer.events === 0) throw holdsNothing(source);
  return {
    format: reader.format,
    nativeSession: run.nativeSession,
    lines: run.tally.counts(),
    stored: run.writer.stored,
    known: run.writer.known,
    notes: run.notes(),
  };
}

/** Imports the session log in a file; see {@link importLog}. */
export async function importFile(
  path: string,
  sink: ImportSink | SinkFor,
  options?: ImportOptions,
): Promise<ImportReport> {
  return importLog(await fileSource(path), sink, options);
}

function readerFor(source: LogSource, head: LogHead, format: LogFormat | undefined): LogFormatReader {
  const reader = formats.find((each) => (format === undefined ? each.sniff(head) : each.format === format));
  if (reader !== undefined) return reader;
  const known = formats.map((each) => each.format).join(', ');
  throw new ImportError(source.name, 0, `not a session log this version knows (${known})`);
}

function holdsNothing(source: LogSource): ImportError {
  return new ImportError(source.name, 0, 'holds no conversation');
}
