import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ROOT_LANE } from '../src/event/lane.ts';
import type { SessionStore } from '../src/store/session-store.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { type Benchmark, milliseconds, type Row, row } from './harness.ts';
import { fillSession } from './session-fixture.ts';
import { seeded, textOf } from './texts.ts';

const KEY = { app: 'bench', user: 'u', session: 's' };
/** Nearly every event holds them: the most a search has to look at. */
const COMMON = 'the staging database logs';
/** Events of a window, and characters of each: 64,000 tokens or so. */
const WINDOW = { events: 128, characters: 2_300 };

/** Finding covered events in a SQLite file, small and large, and what taking in their words adds to a commit. */
export const recall: Benchmark = {
  name: 'recall',
  async run({ short, directory }) {
    return [...(await searchRows(directory, short)), await commitRow(directory, short)];
  },
};

async function searchRows(directory: string, short: boolean): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const events of short ? [1_000, 16_000] : [1_000, 1_000_000]) {
    const store = await openSqliteStore(join(directory, `recall-${events}.db`), { synchronous: 'normal' });
    await fillSession(store, KEY, { events, lanes: 1, holes: 0 });
    for (const [kind, text] of [
      ['words of every event', COMMON],
      ['a word of none', 'zyzzyva'],
    ] as const) {
      const times = await milliseconds(() => find(store, text), { samples: short ? 21 : 51 });
      rows.push(row(`find ${kind}, ${events.toLocaleString('en-US')} events`, 'ms', times));
    }
    await store.close();
  }
  return rows;
}

async function find(store: SessionStore, text: string): Promise<number> {
  return (await store.search(KEY, { lane: ROOT_LANE, text, limit: 20 })).matches;
}

async function commitRow(directory: string, short: boolean): Promise<Row> {
  const store = await openSqliteStore(join(directory, 'commit.db'), { synchronous: 'normal' });
  const times: number[] = [];
  for (let sample = 0; sample < (short ? 5 : 40); sample += 1) {
    times.push(await commitWindow(store, { ...KEY, session: String(sample) }, sample));
  }
  await store.close();
  return row('commit a window of 64,000 tokens, words taken in', 'ms', times);
}

async function commitWindow(store: SessionStore, key: typeof KEY, seed: number): Promise<number> {
  const kinds = ['prose', 'code', 'toolJson', 'log'] as const;
  const random = seeded(seed);
  await store.append(
    key,
    Array.from({ length: WINDOW.events }, (_, at) => ({
      role: 'user',
      content: textOf(kinds[at % kinds.length] ?? 'prose', WINDOW.characters, random),
    })),
  );
  const { revision, through } = await store.view(key, ROOT_LANE, 'lane');
  const spans = [{ first: 1, last: WINDOW.events }];
  const window = { spans, events: WINDOW.events, tokens: 0, invocations: 1 };
  const request = { lane: ROOT_LANE, rootView: false, trigger: 'manual', window, revision } as const;
  const lease = await store.takeLease(key, { ...request, holder: 'bench', milliseconds: 60_000 });
  if (!lease.taken) throw new Error('the lane is leased');
  const start = performance.now();
  await store.commit(key, lease.attempt.id, {
    lane: ROOT_LANE,
    rootView: false,
    spans,
    members: WINDOW.events,
    context: [],
    supersedes: [],
    over: [],
    summary: { format: 'prose', text: 'what was said', literals: [] },
    literals: { found: 0, kept: 0 },
    nonce: 'bench',
    strategy: 'manual',
    basis: { revision, throughSeq: through.seq, throughEventId: through.id },
    model: { summarizer: 'bench' },
    fingerprint: '',
    tokens: { covered: 0, summary: 500 },
  });
  return performance.now() - start;
}
