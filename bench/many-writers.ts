import { join } from 'node:path';
import { runChild } from './child.ts';
import { type Benchmark, type Row, row } from './harness.ts';
import { makePeerFile } from './peer-writer.ts';

const WRITERS = 9;
const START_AFTER = 2_500;

const MODES = [
  { mode: 'store', label: '9 processes appending', bound: true },
  { mode: 'busy-timeout', label: 'peer: SQLite with a busy timeout', bound: false },
  { mode: 'compute', label: 'peer: 9 processes, no file', bound: false },
] as const;

/** Nine processes append to one SQLite file: how long is each one's event loop held? */
export const manyWriters: Benchmark = {
  name: 'writers',
  async run({ short, directory }) {
    const rows: Row[] = [];
    const length = short ? 2_000 : 10_000;
    for (const { mode, label, bound } of MODES) {
      const path = join(directory, `${mode}.db`);
      // Nine that turn its journal into a log at once do not wait for each other: some fail, busy timeout or not.
      if (mode === 'busy-timeout') makePeerFile(path);
      const startAt = Date.now() + START_AFTER;
      const writers = (await Promise.all(
        Array.from({ length: WRITERS }, (_, at) =>
          runChild(
            'writer-child.ts',
            [mode, path, `session-${at}`, String(startAt), String(length)],
            directory,
          ),
        ),
      )) as readonly Written[];
      const worst = writers.map(({ delayP999 }) => delayP999);
      rows.push(row(`${label}, event loop delay p99.9`, 'ms', worst, bound ? { bound: { atMost: 50 } } : {}));
      rows.push(
        row(
          `${label}, event loop delay at most`,
          'ms',
          writers.map(({ delayMax }) => delayMax),
        ),
      );
      if (mode === 'compute') continue;
      rows.push(
        row(
          `${label}, longest append`,
          'ms',
          writers.map(({ longestAppend }) => longestAppend),
        ),
      );
      const all = writers.reduce((sum, { appended }) => sum + appended, 0);
      rows.push(row(`${label}, appends in all`, '/s', [(all * 1_000) / length]));
    }
    return rows;
  },
};

interface Written {
  readonly appended: number;
  readonly delayP999: number;
  readonly delayMax: number;
  readonly longestAppend: number;
}
