import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ROOT_LANE } from '../../event/lane.ts';
import type { StoreHarness } from '../testing/contract-case.ts';
import { BRANCH, call, INNER, result, Story } from '../testing/story.ts';
import { openSqliteStore } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-plans-'));

afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** Every statement prepared while something is done on a new store. */
async function statementsOf(name: string, tell: (story: Story) => Promise<void>): Promise<readonly string[]> {
  const path = join(directory, `${name}.db`);
  const harness: StoreHarness = { open: (clock) => openSqliteStore(path, { clock, synchronous: 'normal' }) };
  const story = await Story.begin(harness);
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await prelude(story);
  await tell(story);
  const prepared = prepare.mock.calls.map(([sql]) => sql);
  await story.store.close();
  return prepared;
}

/** Something of everything, so that no statement is left out for want of rows. */
async function prelude(story: Story): Promise<void> {
  await story.append(
    { role: 'user', content: 'a' },
    { role: 'assistant', content: [call('c'), call('d')], lane: BRANCH, longRunning: ['c'] },
    { role: 'user', content: 'b', lane: BRANCH },
    { role: 'user', content: 'c', lane: INNER },
  );
}

/** What reads a whole table, or a whole session's part of it; not a list that was handed in, nor what an index gave. */
function scans(name: string, statements: readonly string[]): readonly string[] {
  const database = new DatabaseSync(join(directory, `${name}.db`));
  const found = statements
    .filter((sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql))
    .flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: parameters(sql) }, () => 0))
        .map((step) => String(step['detail']))
        .filter(
          (detail) => detail.startsWith('SCAN ') && !/VIRTUAL TABLE|CONSTANT ROW|\(subquery/.test(detail),
        )
        .map((detail) => `${detail}: ${sql}`),
    );
  database.close();
  return found;
}

function parameters(sql: string): number {
  const numbered = [...sql.matchAll(/\?(\d+)/g)].map((match) => Number(match[1]));
  return numbered.length > 0 ? Math.max(...numbered) : (sql.match(/\?/g) ?? []).length;
}

// Each comes back with the index it needs: drop uncovered's key order, records_seen, obligations_id or events_exchange.
describe('the statements of a SQLite store', () => {
  it('append events without scanning a table', async () => {
    const statements = await statementsOf('append', async (story) => {
      await story.append(
        {
          role: 'assistant',
          content: [call('e')],
          reply: 'r',
          asks: [{ kind: 'confirmation', id: 'q', call: 'c' }],
        },
        { role: 'tool', content: [result('d'), result(undefined, 'tool')], lane: BRANCH, reply: 'r' },
        { role: 'user', content: 'x', answers: ['q'], lane: INNER },
        { id: 'known', role: 'user', content: 'y', invocation: 'i' },
      );
      await story.append({ id: 'known', role: 'user', content: 'y', invocation: 'i' });
    });
    expect(statements.length).toBeGreaterThan(8);
    expect(scans('append', statements)).toEqual([]);
  });

  it('read a view without scanning a table', async () => {
    const statements = await statementsOf('view', async (story) => {
      const lane = await story.compact({ lane: BRANCH, seqs: [2] });
      await story.compact({ rootView: true, seqs: [4], over: [lane.id] });
      await story.append({ role: 'tool', content: [result('d')], lane: BRANCH, invocation: 'other' });
      for (const lane of [ROOT_LANE, BRANCH, INNER]) {
        await story.view(lane, 'reader');
        await story.view(lane, 'lane');
      }
    });
    expect(statements.length).toBeGreaterThan(12);
    expect(scans('view', statements)).toEqual([]);
  });

  it('commit, undo, redo, pin and lease without scanning a table', async () => {
    const statements = await statementsOf('change', async (story) => {
      await story.fill(6);
      const first = await story.compact({ seqs: [1, 5] });
      const merged = await story.compact({ seqs: [6], supersedes: [first.id] });
      const view = await story.compact({ rootView: true, seqs: [2, 3] });
      for (const id of [merged.id, view.id]) {
        await story.store.undo(story.key, id);
        await story.store.redo(story.key, id);
      }
      const lane = await story.compact({ lane: INNER, seqs: [4] });
      const over = await story.compact({ rootView: true, seqs: [], supersedes: [view.id], over: [lane.id] });
      await story.store.undo(story.key, over.id);
      await story.view();
      await story.store.redo(story.key, over.id);
      await story.store.pin(story.key, 2, true);
      await story.store.preceding(story.key, BRANCH, 4, 2, 3);
      await story.store.events(story.key, [{ first: 1, last: 9 }], BRANCH);
      await story.store.attempts(story.key, { lane: ROOT_LANE, newest: 2 });
      await story.store.info(story.key);
      for (const lane of [ROOT_LANE, BRANCH]) {
        await story.store.search(story.key, { lane, text: 'text', limit: 3 });
      }
    });
    expect(statements.length).toBeGreaterThan(25);
    expect(scans('change', statements)).toEqual([]);
  });

  // Comes back when a filter without an application has no index of hours, or a tenant's tokens are summed over its sessions.
  it('tell what was spent, and check an allowance, without scanning a table', async () => {
    const statements = await statementsOf('spend', async (story) => {
      const attempt = await story.lease();
      const spend = { inputTokens: 9, outputTokens: 1, calls: 1 };
      await story.store.endAttempt(story.key, attempt.id, { state: 'failed', reason: 'x', spend });
      for (const tenant of ['app', 'user'] as const) {
        const allowance = { tokens: 1, period: 'month', tenant } as const;
        await story.store.takeLease(story.key, { ...(await story.leaseRequest()), allowance });
      }
      for (const filter of [{}, { since: '2029-12-31' }, { app: 'app' }, { user: 'user' }, story.key]) {
        await story.store.spend(filter);
      }
    });
    expect(statements.filter((sql) => sql.includes('spend')).length).toBeGreaterThan(6);
    expect(scans('spend', statements)).toEqual([]);
  });
});
