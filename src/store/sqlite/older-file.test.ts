import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { forkOf } from '../../coverage/fork.ts';
import { BRANCH, conflictsWith, Story } from '../testing/story.ts';
import { openSqliteStore } from './index.ts';
import { migrations } from './migrations/index.ts';
import { makeOlder } from './older-file.fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-older-'));

afterAll(() => rmSync(directory, { recursive: true }));

interface Reach {
  readonly first: number;
  readonly last: number;
  readonly fork: number;
}

// Comes back when records that were there before are not given a fork: what they cover could be covered again.
it('finds records by where they reach that were stored before they were found so', async () => {
  const path = join(directory, 'forks.db');
  const story = await Story.begin({ open: (clock) => openSqliteStore(path, { clock }) });
  await story.fill(9);
  await story.add({ lane: BRANCH });
  for (const seqs of [[1, 2, 3], [4], [6, 7]]) await story.compact({ seqs });
  const lane = await story.compact({ lane: BRANCH, seqs: [10] });
  const view = await story.compact({ rootView: true, seqs: [8], over: [lane.id] });
  await story.store.close();
  makeOlder(
    path,
    migrations.findIndex(({ sql }) => sql.includes('records_reach')),
  );
  story.store = await openSqliteStore(path, { clock: () => story.now() });
  const draft = await story.draft({ seqs: [3] });
  const attempt = await story.lease();
  await conflictsWith('overlap', story.store.commit(story.key, attempt.id, draft));
  expect((await story.view(BRANCH, 'lane')).records[0]?.under).toBe(view.id);
  await story.store.close();
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT first, last, fork FROM records').all() as unknown as Reach[];
  expect(rows.map(({ fork }) => fork)).toEqual(rows.map(({ first, last }) => forkOf({ first, last })));
  expect(rows.length).toBe(5);
  database.close();
});
