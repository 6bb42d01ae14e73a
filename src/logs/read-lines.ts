import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../event/json.ts';
import type { ImportRun } from './import-run.ts';
import { LineSplitter } from './line-splitter.ts';

/** One line as bytes; valid only during the call. `ended` is false for a last line without a line break. */
export interface RawLine {
  readonly number: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly ended: boolean;
}

/** What is done with each line; a line that is too long to be looked at has no bytes. */
export interface LineReader {
  line(line: RawLine): void;
  tooLong(number: number): void;
}

/**
 * Reads the run's log line by line, handing what is waiting to the sink between chunks, so that memory stays constant.
 * With a limit, reading stops after so many bytes: what a log gained while it was being read is left for the next import.
 * Returns how many bytes were read.
 */
export async function readLines(
  run: ImportRun,
  reader: LineReader,
  limit: number = Infinity,
): Promise<number> {
  let number = 0;
  const splitter = new LineSplitter({
    line: (bytes, start, end, ended) => {
      number += 1;
      reader.line({ number, bytes, start, end, ended });
    },
    tooLong: () => {
      number += 1;
      reader.tooLong(number);
    },
  });
  let read = 0;
  for await (const chunk of run.source.open()) {
    const part = chunk.length > limit - read ? chunk.subarray(0, limit - read) : chunk;
    read += part.length;
    splitter.push(part);
    if (run.writer.full) await run.writer.flush();
    run.progress(part.length);
    if (read >= limit) break;
  }
  splitter.end();
  return read;
}

/** Bytes of a line, counted from its start. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A line that is JSON: its value, and its text. */
export interface JsonLine {
  readonly value: JsonValue;
  readonly text: string;
}

/**
 * The line as JSON, or null when it is none: the line is then counted as skipped, under `blank`, `not_json` or, for a
 * last line without its line break, `cut_last_line`. Invalid UTF-8 is replaced by U+FFFD, and noted. `without` is a value
 * that nobody wants: it is read as null.
 */
export function parseLine(line: RawLine, run: ImportRun, without: ByteRange | null = null): JsonLine | null {
  const { bytes, start, end } = line;
  const text =
    without === null
      ? bytes.toString('utf8', start, end)
      : `${bytes.toString('utf8', start, start + without.start)}null${bytes.toString('utf8', start + without.end, end)}`;
  const value = parseText(text);
  if (value === undefined) {
    run.tally.skip(brokenReason(line, text));
    return null;
  }
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) {
    run.note('lines with invalid UTF-8, repaired');
  }
  return { value, text };
}

/** A text as JSON, or undefined when it is none. */
export function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function brokenReason(line: RawLine, text: string): string {
  if (text.trim() === '') return 'blank';
  return line.ended ? 'not_json' : 'cut_last_line';
}
