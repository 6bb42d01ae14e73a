import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import type { EventDraft } from '../../event/event.ts';
import { ROOT_LANE } from '../../event/lane.ts';
import { call, result } from '../testing/story.ts';
import { openSqliteStore, type SqliteStore } from './index.ts';
import { migrations } from './migrations/index.ts';
import { makeOlder } from './older-file.fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-late-'));
const KEY = { app: 'a', user: 'u', session: 's' };

afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

function open(name: string): Promise<SqliteStore> {
  return openSqliteStore(join(directory, name), { synchronous: 'normal' });
}

/** Turns of a call, its result and an answer, event by event. */
function draftAt(at: number): EventDraft {
  const invocation = `turn-${Math.floor(at / 3)}`;
  const id = `c${Math.floor(at / 3)}`;
  if (at % 3 === 0) return { role: 'assistant', invocation, content: [call(id)] };
  if (at % 3 === 1) return { role: 'tool', invocation, content: [result(id)] };
  return { id: `answer-${at}`, role: 'assistant', invocation, content: 'done' };
}

// Comes back when a lone event's id, its place among what is raw or its call are written with it: a page each.
it('writes one row for an event alone, and the rows beside it with those of fifteen others', async () => {
  const store = await open('rows.db');
  for (let at = 0; at < 33; at += 1) await store.append(KEY, [draftAt(at)]);
  const tables: string[] = [];
  const run = Reflect.get(StatementSync.prototype, 'run');
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    tables.push(/^\s*(?:INSERT INTO|UPDATE) (\w+)/.exec(this.sourceSQL)?.[1] ?? '');
    return run.apply(this, values);
  });
  for (let at = 33; at < 49; at += 1) await store.append(KEY, [draftAt(at)]);
  const writes = (table: string): number => tables.filter((name) => name === table).length;
  expect(writes('events')).toBe(16);
  expect(writes('event_ids')).toBe(1);
  expect(writes('uncovered')).toBe(1);
  // One a call, where a row that is written open and then answered makes two.
  expect(writes('obligations')).toBe(6);
  await store.close();
});

it('lets another connection go on where only events are written yet', async () => {
  const first = await open('shared.db');
  await first.append(KEY, [{ role: 'user', content: 'a', id: 'a', invocation: 'turn' }]);
  await first.append(KEY, [{ role: 'assistant', content: [call('c'), call('d')], invocation: 'turn' }]);
  const second = await open('shared.db');
  // Known though its id has no row, and answered though the call has none.
  expect(
    (await second.append(KEY, [{ role: 'user', content: 'a', id: 'a', invocation: 'turn' }]))[0]?.seq,
  ).toBe(1);
  await second.append(KEY, [{ role: 'tool', content: [result('c')], invocation: 'turn' }]);
  for (const store of [first, second, await open('shared.db')]) {
    const view = await store.view(KEY, ROOT_LANE, 'reader');
    expect(view.raw.map((row) => row.exchange)).toEqual([1, 2, 2]);
    expect(view.exchanges.get(2)?.open.map((owed) => owed.id)).toEqual(['d']);
    expect((await store.obligations(KEY)).map((owed) => owed.answeredBy)).toEqual([3, null]);
    await store.close();
  }
});

// Comes back when only the table of ids refuses one: by then the event is stored, and no event after it can be.
it('refuses an id that its source gives twice before anything is stored', async () => {
  const path = join(directory, 'ids.db');
  const store = await openSqliteStore(path, { ids: () => 'same' });
  await store.append(KEY, [{ role: 'user', content: 'a' }]);
  await expect(store.append(KEY, [{ role: 'user', content: 'b' }])).rejects.toThrow(
    'store failed at append: the source of ids gave one that is taken',
  );
  expect((await store.info(KEY))?.events).toBe(1);
  expect((await store.append(KEY, [{ role: 'user', content: 'b', id: 'b' }]))[0]?.seq).toBe(2);
  await store.close();
});

it('takes over a file in which the rows beside the newest events are written', async () => {
  const store = await open('older.db');
  await store.append(KEY, [{ role: 'user', content: 'a', id: 'a' }]);
  await store.append(KEY, [{ role: 'user', content: 'b', id: 'b' }]);
  await store.close();
  const path = join(directory, 'older.db');
  makeOlder(
    path,
    migrations.findIndex(({ sql }) => sql.includes('event_ids')),
  );
  const database = new DatabaseSync(path);
  database.exec('INSERT OR IGNORE INTO uncovered (root, under, seq, lane) VALUES (1, 0, 1, 1), (1, 0, 2, 1)');
  database.close();
  const again = await open('older.db');
  expect((await again.append(KEY, [{ role: 'user', content: 'b', id: 'b' }]))[0]?.seq).toBe(2);
  await again.append(KEY, [
    { role: 'user', content: 'c' },
    { role: 'user', content: 'd' },
  ]);
  expect((await again.view(KEY, ROOT_LANE, 'reader')).raw.map((row) => row.event.seq)).toEqual([1, 2, 3, 4]);
  await again.close();
});
