import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { type OpeningReport, OpeningWorker } from './support/opening-workers.ts';

const PROCESSES = 4;
const HANDLES = 4;
const directory = mkdtempSync(join(tmpdir(), 'palimpsest-opening-'));
const workers: OpeningWorker[] = [];
/** What a reader may meet where no store is yet. */
const NOT_YET = [
  'store failed at opening FILE: there is no such file',
  'store failed at opening FILE: the file is empty: it holds no store',
];
const BUSY = 'store failed at opening FILE: busy: other processes kept the file locked';
const WRITER = { readOnly: false, handles: 1, busyLimitMilliseconds: 30_000 };
const READER = { ...WRITER, readOnly: true };

beforeAll(() => {
  for (let at = 0; at < PROCESSES; at += 1) workers.push(new OpeningWorker());
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  rmSync(directory, { recursive: true });
});

function workerAt(at: number): OpeningWorker {
  return workers[at] as OpeningWorker;
}

function outcomesOf(report: OpeningReport): readonly string[] {
  if (report.type !== 'done') throw new Error(`it ${report.type}`);
  return report.outcomes;
}

/** What a process did that died at this moment, as another finds it. */
function copyOf(path: string): string {
  for (const end of ['', '-wal', '-journal']) {
    if (existsSync(path + end)) copyFileSync(path + end, `${path}-copy${end}`);
  }
  return `${path}-copy`;
}

describe('a new SQLite file', { timeout: 120_000 }, () => {
  // Comes back when what a file holds is read in two looks: another process makes the tables between them.
  it('is opened whatever another process does between two statements of an opening, or if it dies there', async () => {
    const seen = new Set<string>();
    let statements = 1;
    for (let before = 1; before <= statements; before += 1) {
      const path = join(directory, `paused-${before}.db`);
      const paused = await workerAt(0).open({ ...WRITER, path, pauseBefore: before });
      expect(paused).toEqual({ type: 'paused' });
      const copy = copyOf(path);

      // The one that paused may hold the file: others are told so, in their time.
      const writer = await workerAt(1).open({ ...WRITER, path, busyLimitMilliseconds: 5 });
      const reader = await workerAt(2).open({ ...READER, path, busyLimitMilliseconds: 5 });
      expect(['opened', BUSY]).toContain(outcomesOf(writer)[0]);
      expect(['opened', BUSY, ...NOT_YET]).toContain(outcomesOf(reader)[0]);
      for (const report of [writer, reader]) seen.add(outcomesOf(report)[0] as string);

      const done = await workerAt(0).goOn();
      expect(outcomesOf(done), `paused before statement ${before}`).toEqual(['opened']);
      statements = done.type === 'done' ? done.statements : 0;
      expect(outcomesOf(await workerAt(2).open({ ...READER, path }))).toEqual(['opened']);

      const successor = await openSqliteStore(copy, { synchronous: 'normal' });
      expect(await successor.sessions()).toEqual([]);
      await successor.close();
    }
    // It stopped at every statement, and all that may come of it did.
    expect(statements).toBeGreaterThan(10);
    expect(seen).toEqual(new Set(['opened', BUSY, NOT_YET[1]]));
  });

  it('is opened by many processes at once, each by many handles, while others read', async () => {
    for (let round = 0; round < 50; round += 1) {
      const path = join(directory, `together-${round}.db`);
      const reports = await Promise.all(
        workers.map((worker, at) => worker.open({ ...(at === 0 ? READER : WRITER), path, handles: HANDLES })),
      );
      const [reader = [], ...writers] = reports.map(outcomesOf);
      expect(writers.flat()).toEqual(Array(HANDLES * (PROCESSES - 1)).fill('opened'));
      for (const outcome of reader) expect(['opened', ...NOT_YET]).toContain(outcome);
    }
  });
});
