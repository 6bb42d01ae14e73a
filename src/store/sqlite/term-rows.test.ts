import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { ROOT_LANE } from '../../event/lane.ts';
import type { SessionStore } from '../session-store.ts';
import type { StoreHarness } from '../testing/contract-case.ts';
import { BRANCH, Story } from '../testing/story.ts';
import { openSqliteStore } from './index.ts';
import { migrations } from './migrations/index.ts';
import { makeOlder } from './older-file.fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-terms-'));

afterAll(() => rmSync(directory, { recursive: true }));

function at(name: string): { readonly path: string; readonly harness: StoreHarness } {
  const path = join(directory, name);
  return { path, harness: { open: (clock) => openSqliteStore(path, { clock, synchronous: 'normal' }) } };
}

/** The index as it lies in the file, to the byte. */
function indexIn(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = ['data', 'idx', 'docsize'].map((table) =>
    database.prepare(`SELECT * FROM event_terms_${table}`).all(),
  );
  database.close();
  return JSON.stringify(rows);
}

async function found(store: SessionStore, story: Story, lane = ROOT_LANE): Promise<readonly number[]> {
  const { events } = await store.search(story.key, { lane, text: 'needle', limit: 9 });
  return events.map((row) => row.event.seq);
}

// Brought back by indexing at append, or by indexing what a record covers and not what it newly covers.
it('indexes an event when it is first covered, and never again', async () => {
  const { path, harness } = at('once.db');
  const story = await Story.begin(harness);
  const empty = indexIn(path);
  for (const lane of [ROOT_LANE, ROOT_LANE, ROOT_LANE, BRANCH]) await story.add({ content: 'needle', lane });
  expect(indexIn(path)).toBe(empty);
  const first = await story.compact({ seqs: [1, 2] });
  const second = await story.compact({ seqs: [3] });
  await story.compact({ lane: BRANCH, seqs: [4] });
  const indexed = indexIn(path);
  expect(indexed).not.toBe(empty);
  const merged = await story.compact({ seqs: [], supersedes: [first.id, second.id] });
  const view = await story.compact({ rootView: true, seqs: [1, 2, 3, 4] });
  for (const { id } of [view, merged]) {
    await story.store.undo(story.key, id);
    await story.store.redo(story.key, id);
  }
  await story.store.pin(story.key, 2, true);
  await story.store.pin(story.key, 2, false);
  expect(indexIn(path)).toBe(indexed);
  expect(await found(story.store, story)).toEqual([4, 3, 2, 1]);
  await story.store.close();
});

it('indexes what is covered in a file that has no index yet, and searches it when it may only read', async () => {
  const { path, harness } = at('old.db');
  const story = await Story.begin(harness);
  for (const lane of [ROOT_LANE, BRANCH, ROOT_LANE, ROOT_LANE]) await story.add({ content: 'needle', lane });
  const undone = await story.compact({ seqs: [4] });
  await story.store.undo(story.key, undone.id);
  await story.compact({ rootView: true, seqs: [1, 2] });
  await story.store.close();
  const database = new DatabaseSync(path);
  // Its text says of no event what it was: it has no words, and is in nobody's way.
  database.exec(`UPDATE events SET event = '{"content":3}' WHERE seq = 2`);
  database.close();
  makeOlder(
    path,
    migrations.findIndex(({ sql }) => sql.includes('event_terms')),
  );
  await (await openSqliteStore(path)).close();
  const store = await openSqliteStore(path, { readOnly: true });
  expect(await found(store, story)).toEqual([1]);
  expect(await found(store, story, BRANCH)).toEqual([]);
  await store.close();
  const read = new DatabaseSync(path, { readOnly: true });
  expect(read.prepare('SELECT count(*) AS rows FROM event_terms_docsize').get()).toEqual({ rows: 2 });
  read.close();
});

// Brought back by a query that names every lane of a lineage one inside the other.
it('searches for a reader below as many branches as a name holds', async () => {
  const { harness } = at('deep.db');
  const story = await Story.begin(harness);
  const branches = Array.from({ length: 256 }, (_, depth) =>
    Array(depth + 1)
      .fill('a')
      .join('.'),
  );
  await story.append(
    ...branches.map((branch) => ({
      role: 'user' as const,
      content: 'needle',
      lane: { branch, isolation: '' },
    })),
  );
  const lane = { branch: branches.at(-1) ?? '', isolation: '' };
  await story.compact({ lane, seqs: [256] });
  expect(await found(story.store, story, lane)).toEqual([256]);
  await story.store.close();
});
