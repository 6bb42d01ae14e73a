/** Imports session logs of coding agents and providers' messages; docs/importing.md says what each format gives. */
export { type ImportOptions, importFile, importLog } from './import-log.ts';
export type { ImportReport, ImportSink, LineCounts, LogFormat, SinkFor } from './import-report.ts';
export type { LogSource } from './log-source.ts';
