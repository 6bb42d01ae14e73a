// A session's file is changed by hand, one thing at a time; verify names the event or the record.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/coverage/problem.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { quarterCounter } from '../world/characters.ts';
import { openStory, playStory } from '../world/played-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-tampered-'));
const whole = join(folder, 'whole.db');
/** Ids of the records, in the order of their commits; the second is undone. */
const records: string[] = [];

beforeAll(async () => {
  const store = await openSqliteStore(whole, { counter: quarterCounter });
  const session = await playStory(store);
  for (const { record } of await session.records()) records.push(record.id);
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What verify says of a file after some SQL. */
async function verified(sql: string): Promise<readonly Problem[]> {
  const path = join(folder, 'tampered.db');
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  copyFileSync(whole, path);
  const database = new DatabaseSync(path);
  const changes = database.prepare('SELECT total_changes() AS changes');
  const before = changes.get();
  database.exec(sql);
  if (sql !== '' && isDeepStrictEqual(changes.get(), before)) throw new Error(`changes nothing: ${sql}`);
  database.close();
  const store = await openSqliteStore(path, { counter: quarterCounter });
  try {
    return (await openStory(store).verify()).problems;
  } finally {
    await store.close();
  }
}

const events: readonly (readonly [what: string, sql: string, kind: Problem['kind'], seq: number])[] = [
  [
    'edited content',
    `UPDATE events SET event = replace(event, 'k8k', 'k9k') WHERE seq = 29`,
    'event_hash',
    29,
  ],
  [
    'edited content of a covered event',
    `UPDATE events SET event = replace(event, 'k2k', 'k9k') WHERE seq = 5`,
    'event_hash',
    5,
  ],
  [
    'another author',
    `UPDATE events SET event = json_set(event, '$.author', 'admin') WHERE seq = 2`,
    'event_hash',
    2,
  ],
  [
    'another role',
    `UPDATE events SET event = json_set(event, '$.role', 'system') WHERE seq = 2`,
    'event_hash',
    2,
  ],
  [
    'another lane',
    `UPDATE events SET event = json_set(event, '$.lane.branch', 'b') WHERE seq = 5`,
    'event_hash',
    5,
  ],
  [
    'an event that became none',
    `UPDATE events SET event = json_set(event, '$.content', 3) WHERE seq = 3`,
    'event_hash',
    3,
  ],
  [
    'a row in another lane',
    `UPDATE events SET lane = (SELECT lane FROM lanes WHERE branch = 'b') WHERE seq = 5`,
    'event_hash',
    5,
  ],
  ['a row with other tokens', `UPDATE events SET tokens = tokens + 7 WHERE seq = 31`, 'event_hash', 31],
  ['a row with another id', `UPDATE events SET id = 'other' WHERE seq = 3`, 'event_hash', 3],
  ['another hash', `UPDATE events SET hash = 'x' WHERE seq = 3`, 'event_hash', 3],
  [
    'another event in its place',
    `UPDATE events SET event = (SELECT event FROM events WHERE seq = 5) WHERE seq = 30`,
    'seq',
    30,
  ],
  ['a removed event', `DELETE FROM events WHERE seq = 6`, 'seq', 6],
  ['the first event removed', `DELETE FROM events WHERE seq = 1`, 'seq', 1],
  [
    'other tokens',
    `UPDATE events SET event = json_set(event, '$.tokens', 7) WHERE seq = 31`,
    'event_facts',
    31,
  ],
  ['a pin taken off', `UPDATE events SET pinned = 0 WHERE seq = 1`, 'cover', 1],
  ['a pin set', `UPDATE events SET pinned = 1 WHERE seq = 8`, 'cover', 8],
  ['a pin set on half an exchange', `UPDATE events SET pinned = 1 WHERE seq = 30`, 'event_facts', 30],
  ['another exchange', `UPDATE events SET exchange = 6 WHERE seq = 3`, 'event_facts', 3],
  ['another place in its lane', `UPDATE events SET lane_ordinal = 99 WHERE seq = 3`, 'event_facts', 3],
  [
    'another place in its isolation',
    `UPDATE events SET isolation_ordinal = 99 WHERE seq = 3`,
    'event_facts',
    3,
  ],
  ['a raw row removed', `DELETE FROM uncovered WHERE seq = 31`, 'cover', 31],
  [
    'a raw row added',
    `INSERT INTO uncovered (root, under, seq, lane) SELECT root, under, 2, lane FROM uncovered WHERE seq = 9`,
    'cover',
    2,
  ],
  [
    'the mark of an undone record taken off',
    `UPDATE uncovered SET undone = NULL WHERE seq = 10`,
    'event_facts',
    10,
  ],
  [
    'the mark of an undone record set',
    `UPDATE uncovered SET undone = (SELECT record FROM records WHERE undone = 1) WHERE seq = 31`,
    'event_facts',
    31,
  ],
  ['a call that is not known', `DELETE FROM obligations WHERE seq = 2`, 'event_facts', 2],
  [
    'a call that was never answered',
    `UPDATE obligations SET answered_by = NULL WHERE seq = 2`,
    'event_facts',
    2,
  ],
  ['a call that runs on', `UPDATE obligations SET long_running = 1 WHERE seq = 2`, 'event_facts', 2],
  ['a call of another tool', `UPDATE obligations SET name = '"pay"' WHERE seq = 2`, 'event_facts', 2],
  [
    'a call in another lane',
    `UPDATE obligations SET lane = (SELECT lane FROM lanes WHERE branch = 'b') WHERE seq = 2`,
    'event_facts',
    2,
  ],
  [
    'another first question of a lane',
    `UPDATE lanes SET first_user_seq = 9 WHERE branch = ''`,
    'event_facts',
    1,
  ],
  ['another question of a turn', `UPDATE invocations SET opened_by = 9 WHERE ordinal = 2`, 'event_facts', 5],
];

const recorded: readonly (readonly [
  what: string,
  sql: string,
  kind: Problem['kind'],
  record: number | 'forged',
])[] = [
  [
    'an edited summary',
    `UPDATE records SET body = replace(body, '#1 ', '#1 planted ') WHERE record = 1`,
    'record_digest',
    0,
  ],
  [
    'edited spans',
    `UPDATE records SET body = json_set(body, '$.spans[0].last', 6) WHERE record = 1`,
    'record_digest',
    0,
  ],
  [
    'another lane',
    `UPDATE records SET body = json_set(body, '$.lane.branch', 'b') WHERE record = 1`,
    'record_digest',
    0,
  ],
  [
    'an invented literal',
    `UPDATE records SET body = json_set(body, '$.summary.literals', json('[{"text":"x","from":"user"}]')) WHERE record = 1`,
    'record_digest',
    0,
  ],
  [
    'another digest',
    `UPDATE records SET body = json_set(body, '$.digest', 'x') WHERE record = 3`,
    'record_digest',
    2,
  ],
  [
    'other counts',
    `UPDATE records SET body = json_set(body, '$.events', 5) WHERE record = 1`,
    'record_shape',
    0,
  ],
  [
    'other tokens',
    `UPDATE records SET body = json_set(body, '$.tokens.covered', 5) WHERE record = 1`,
    'record_shape',
    0,
  ],
  [
    'another level',
    `UPDATE records SET body = json_set(body, '$.level', 5) WHERE record = 1`,
    'record_shape',
    0,
  ],
  [
    'what it supersedes invented',
    `UPDATE records SET body = json_set(body, '$.supersedes', json('["nobody"]')) WHERE record = 3`,
    'record_supersedes',
    2,
  ],
  ['a record removed', `DELETE FROM records WHERE record = 1`, 'record_shape', 0],
  ['an undone record removed', `DELETE FROM records WHERE undone = 1`, 'record_shape', 1],
  ['a record undone', `UPDATE records SET undone = 1, live = 0 WHERE record = 1`, 'cover', 0],
  ['a record redone', `UPDATE records SET undone = 0 WHERE undone = 1`, 'cover', 1],
  ['a live record hidden', `UPDATE records SET live = 0 WHERE record = 1`, 'cover', 0],
  ['its attempt removed (G7)', `DELETE FROM attempts WHERE attempt = 1`, 'record_shape', 0],
  [
    // Made with care: digest, counts and spans are those of a true record.
    'a forged record beside the true one (G7)',
    `INSERT INTO records (session, id, lane, root, root_view, first, last, undone, live, under, covers, body)
     SELECT session, 'forged', lane, root, root_view, first, last, undone, live, under, covers,
       json_set(body, '$.id', 'forged') FROM records WHERE record = 1`,
    'overlap',
    'forged',
  ],
  [
    'a forged record over raw events (G7)',
    `INSERT INTO records (session, id, lane, root, root_view, first, last, undone, live, under, covers, body)
     SELECT session, 'forged', lane, root, root_view, 28, 28, 0, 1, 0, '[{"first":28,"last":28}]',
       json_set(body, '$.id', 'forged', '$.spans', json('[{"first":28,"last":28}]')) FROM records WHERE record = 1`,
    'record_shape',
    'forged',
  ],
];

describe('verify of a file in which there is', () => {
  it('what was written finds nothing', async () => {
    expect(await verified('')).toEqual([]);
  });

  it.each(events)('%s names the event', async (_what, sql, kind, seq) => {
    expect(await verified(sql)).toEqual(expect.arrayContaining([expect.objectContaining({ kind, seq })]));
  });

  it.each(recorded)('%s names the record', async (_what, sql, kind, record) => {
    const problems = await verified(sql);
    const id = record === 'forged' ? record : records[record];
    // A record that is undone or gone leaves its events neither raw nor covered: then those are named.
    const named = kind === 'cover' ? problems.filter((problem) => problem.kind === kind) : problems;
    const expected = kind === 'cover' ? { kind } : { kind, record: id };
    expect(named).toEqual(expect.arrayContaining([expect.objectContaining(expected)]));
    expect(named.some((problem) => problem.record === id || problem.seq !== undefined)).toBe(true);
  });

  it('no last event any more names its lane: nothing else knows of it', async () => {
    expect(await verified('DELETE FROM events WHERE seq = 32')).toContainEqual({
      kind: 'accounting',
      detail: 'lane "b" of "" counts 8 events, 7 are stored',
    });
  });

  it('text that is no JSON: the error names the event, or the record', async () => {
    await expect(verified(`UPDATE events SET event = '{' WHERE seq = 3`)).rejects.toThrow(/reading event 3/u);
    await expect(verified(`UPDATE records SET body = '{' WHERE record = 1`)).rejects.toThrow(
      `reading record ${records[0]}`,
    );
  });
});
