import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Palimpsest } from '../src/engine/palimpsest.ts';
import type { Prompt } from '../src/prompt/prompt.ts';
import { openSqliteStore, type SqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { runChild } from './child.ts';
import { type Benchmark, milliseconds, type Row, row } from './harness.ts';
import { fillHistory, type HistoryShape, MAX_LIVE } from './history/fill-history.ts';
import { KEY, READER } from './history/session.ts';

const LAYOUTS = [
  { lanes: 1, holes: 0, label: '' },
  { lanes: 8, holes: 50, label: ', 8 lanes, 50 holes' },
] as const;

/** A history as the engine leaves it in a SQLite file, short and very long: summaries that are live, and the next prompt. */
export const history: Benchmark = {
  name: 'history',
  async run({ short, directory }) {
    const rows: Row[] = [];
    for (const { label, ...layout } of LAYOUTS) {
      let smallest: Measured | undefined;
      for (const invocations of short ? [1_000, 2_000] : [1_000, 16_000, 1_000_000]) {
        const path = join(directory, `history-${invocations}-${layout.lanes}.db`);
        const measured = await measure(path, { invocations, ...layout }, short, directory);
        rows.push(
          ...rowsOf(measured, `${invocations.toLocaleString('en-US')} invocations${label}`, smallest),
        );
        smallest ??= measured;
      }
    }
    return rows;
  },
};

interface Measured {
  readonly live: number;
  /** The next prompt from a connection that read the one before. */
  readonly next: readonly number[];
  /** The same after another process wrote to another session of the file. */
  readonly afterOthers: readonly number[];
  /** What a turn awaits: whether to compact, and the prompt. */
  readonly prepared: readonly number[];
  /** Opening the file and the first prompt, in a process of its own. */
  readonly first: readonly number[];
  /** The memory that took there. */
  readonly firstBytes: readonly number[];
}

async function measure(
  path: string,
  shape: HistoryShape,
  short: boolean,
  directory: string,
): Promise<Measured> {
  // Filled at NORMAL, for speed; reading is the same.
  const filling = await openSqliteStore(path, { synchronous: 'normal' });
  await fillHistory(filling, KEY, shape);
  await filling.close();

  const store = await openSqliteStore(path, { synchronous: 'normal' });
  const session = new Palimpsest({ store, rollUp: { maxLive: MAX_LIVE } }).session(KEY);
  const samples = short ? 51 : 201;
  const read = (): Promise<Prompt> => session.prompt({ reader: READER });
  const next = await milliseconds(read, { samples });
  const prepared = await milliseconds(() => session.prepare({ reader: READER }), { samples });
  const afterOthers = await afterOthersWrote(path, read, samples);
  const live = (await store.view(KEY, READER.lane, 'reader')).records.length;
  await store.close();

  const first: First[] = [];
  for (let run = 0; run < (short ? 2 : 9); run += 1) {
    first.push((await runChild('history-child.ts', [path], directory)) as First);
  }
  // The first run of all compiles.
  const counted = first.slice(1);
  return {
    live,
    next,
    afterOthers,
    prepared,
    first: counted.map((one) => one.milliseconds),
    firstBytes: counted.map((one) => one.bytes),
  };
}

interface First {
  readonly milliseconds: number;
  readonly bytes: number;
}

async function afterOthersWrote(
  path: string,
  read: () => Promise<unknown>,
  samples: number,
): Promise<readonly number[]> {
  const other: SqliteStore = await openSqliteStore(path, { synchronous: 'normal' });
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await other.append({ ...KEY, session: 'another' }, [{ role: 'user', content: 'hello' }]);
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  await other.close();
  return times;
}

function rowsOf(measured: Measured, name: string, smallest: Measured | undefined): readonly Row[] {
  const { live, next, afterOthers, prepared, first, firstBytes } = measured;
  const rows = [
    row(`${name}: live summaries`, '', [live], { bound: { atMost: MAX_LIVE } }),
    row('  next prompt', 'ms', next, { bound: { atMost: 1 } }),
    row('  next prompt after others wrote to the file', 'ms', afterOthers, { bound: { atMost: 1 } }),
    row('  the same with the look whether to compact', 'ms', prepared),
    row('  file opened, first prompt, in a new process', 'ms', first),
    row(
      '  memory that takes',
      'MB',
      firstBytes.map((bytes) => bytes / 1e6),
    ),
  ];
  if (smallest === undefined) return rows;
  const by = (of: keyof Measured & ('next' | 'afterOthers')): number =>
    row('', '', measured[of]).median / row('', '', smallest[of]).median;
  rows.push(
    row('  next prompt by that of the shortest', '×', [by('next')], { bound: { atMost: 1.5 } }),
    row('  after others wrote, by that of the shortest', '×', [by('afterOthers')], {
      bound: { atMost: 1.5 },
    }),
  );
  return rows;
}
