import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { type Reader, ROOT_LANE } from '../src/event/lane.ts';
import { assemblePrompt } from '../src/prompt/assemble.ts';
import type { SessionStore } from '../src/store/session-store.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { timeOrderedIds } from '../src/store/time-ordered-id.ts';
import { type Benchmark, milliseconds, quantile, type Row, row } from './harness.ts';
import { draftAt, fillSession, LIVE } from './session-fixture.ts';

const KEY = { app: 'bench', user: 'u', session: 's' };
const READER: Reader = { agent: 'agent', lane: ROOT_LANE };

/** The next prompt from a SQLite file, small and large, and appending to one. */
export const sqlite: Benchmark = {
  name: 'sqlite',
  async run({ short, directory }) {
    return [...(await promptRows(directory, short)), ...(await appendRows(directory, short))];
  },
};

async function promptRows(directory: string, short: boolean): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { lanes, holes } of [
    { lanes: 1, holes: 0 },
    { lanes: 8, holes: 50 },
  ]) {
    let smallest: Row | undefined;
    for (const events of short ? [1_000, 16_000] : [1_000, 1_000_000]) {
      // Filled at NORMAL, for speed; reading is the same.
      const path = join(directory, `prompt-${events}-${lanes}.db`);
      const store = await openSqliteStore(path, { synchronous: 'normal' });
      await fillSession(store, KEY, { events, lanes, holes });
      const times = await milliseconds(() => nextPrompt(store), { samples: short ? 101 : 201 });
      await store.close();
      const layout = lanes === 1 ? '' : `, ${lanes} lanes, ${holes} holes`;
      const measured = row(`next prompt, ${events.toLocaleString('en-US')} events${layout}`, 'ms', times, {
        bound: { atMost: 1 },
        // Others are measured by the history benchmark.
        note: 'by a connection that read the one before',
      });
      rows.push(measured);
      if (smallest === undefined) smallest = measured;
      else {
        const ratio = measured.median / smallest.median;
        rows.push(row(`the same by that at 1,000${layout}`, '×', [ratio], { bound: { atMost: 1.5 } }));
      }
    }
  }
  return rows;
}

async function nextPrompt(store: SessionStore): Promise<number> {
  const prompt = assemblePrompt(await store.view(KEY, ROOT_LANE, 'reader'), READER, store.counter);
  if (prompt.accounting.summaries.events !== LIVE) {
    throw new Error('the session is not of the shape that is to be measured');
  }
  return prompt.entries.length;
}

async function appendRows(directory: string, short: boolean): Promise<readonly Row[]> {
  const count = short ? 500 : 5_000;
  const disk = row('peer: write 4 kB and fdatasync', 'ms', await syncTimes(join(directory, 'plain'), count));
  const full = await appendTimes(join(directory, 'full.db'), 'full', count);
  const normal = await appendTimes(join(directory, 'normal.db'), 'normal', count);
  const plain = rates(peerTimes(join(directory, 'peer.db'), count));
  const peer = row('peer: one table and an index of ids, NORMAL, sustained', '/s', plain);
  return [
    disk,
    row('append one event, FULL', 'ms', full, { bound: { atMost: disk.median + 0.05 }, against: disk }),
    row('append one event, NORMAL', 'ms', normal),
    row('append one event, NORMAL, sustained', '/s', rates(normal), {
      bound: { atLeast: 15_000 },
      against: peer,
    }),
    peer,
    row('append 500 events at once, NORMAL', '/s', await bulkRates(join(directory, 'bulk.db'), short)),
  ];
}

async function syncTimes(path: string, count: number): Promise<readonly number[]> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(4_096, 1);
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    await file.write(block);
    await file.datasync();
    times.push(performance.now() - start);
  }
  await file.close();
  return times;
}

async function appendTimes(
  path: string,
  synchronous: 'full' | 'normal',
  count: number,
): Promise<readonly number[]> {
  const store = await openSqliteStore(path, { synchronous });
  const times: number[] = [];
  const warmUp = Math.min(count, 1_000);
  for (let at = 0; at < warmUp + count; at += 1) {
    const draft = draftAt(at, 1);
    const start = performance.now();
    await store.append(KEY, [draft]);
    if (at >= warmUp) times.push(performance.now() - start);
  }
  await store.close();
  return times;
}

/** The least SQLite can do with an event: its text under a number, and its id in an index. */
function peerTimes(path: string, count: number): readonly number[] {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  database.exec('CREATE TABLE event (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO event (id, body) VALUES (?, ?)');
  const newId = timeOrderedIds(Date.now);
  const times: number[] = [];
  const warmUp = Math.min(count, 1_000);
  for (let at = 0; at < warmUp + count; at += 1) {
    const body = JSON.stringify(draftAt(at, 1));
    const start = performance.now();
    insert.run(newId(), body);
    if (at >= warmUp) times.push(performance.now() - start);
  }
  database.close();
  return times;
}

/** Appends a second, over runs of a hundred: checkpoints are paid by some. */
function rates(times: readonly number[]): readonly number[] {
  const out: number[] = [];
  for (let from = 0; from + 100 <= times.length; from += 100) {
    out.push(100_000 / times.slice(from, from + 100).reduce((sum, time) => sum + time, 0));
  }
  return out.length > 0
    ? out
    : [
        1_000 /
          quantile(
            [...times].sort((a, b) => a - b),
            0.5,
          ),
      ];
}

async function bulkRates(path: string, short: boolean): Promise<readonly number[]> {
  const store = await openSqliteStore(path, { synchronous: 'normal' });
  const out: number[] = [];
  for (let batch = 0; batch < (short ? 10 : 60); batch += 1) {
    const drafts = Array.from({ length: 500 }, (_, at) => draftAt(batch * 500 + at, 1));
    const start = performance.now();
    await store.append(KEY, drafts);
    out.push(500_000 / (performance.now() - start));
  }
  await store.close();
  return out;
}
