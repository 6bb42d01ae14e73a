import type { JsonValue } from '../event/json.ts';
import type { LogFormat } from './import-report.ts';
import type { ImportRun } from './import-run.ts';
import type { JsonLine } from './read-lines.ts';

/** The beginning of a log, for recognising it. */
export interface LogHead {
  /** Its first lines that are JSON. */
  readonly lines: readonly JsonValue[];
  /** The whole log, where it is one JSON document. */
  readonly document: JsonLine | null;
}

/** One log format: how it is recognised by content, and how it is read. */
export interface LogFormatReader {
  readonly format: LogFormat;
  sniff(head: LogHead): boolean;
  /** Reads the run's log: every line is counted once, as an event, as merged, or as skipped. */
  read(run: ImportRun, head: LogHead): Promise<void>;
}
