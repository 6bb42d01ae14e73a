import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { faultsOf, runProcesses } from './support/many-processes.ts';
import { spendTogether } from './support/spend-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-processes-'));

afterAll(() => rmSync(directory, { recursive: true }));

describe('several processes on one SQLite file', () => {
  // `npm run soak` is the same for longer.
  it('lose nothing and leave nothing stuck when some are killed', { timeout: 120_000 }, async () => {
    const path = join(directory, 'shared.db');
    const acknowledged = await runProcesses({ path, workers: 4, kills: 5, events: 200, seed: 1 });
    expect(acknowledged.events.size).toBeGreaterThanOrEqual(200);
    expect(await faultsOf(path, acknowledged)).toEqual([]);
  });

  // Comes back when a process goes by what it spent itself, or adds to what it read some time before.
  it('share one allowance, and exceed it by no more than was under way', { timeout: 60_000 }, async () => {
    const path = join(directory, 'spend.db');
    const told = await spendTogether(path, ['one', 'two'], { tokens: 1_000, cost: 7 });
    const store = await openSqliteStore(path);
    const rows = await store.spend({ app: 'processes' });
    const spent = new Map(rows.map((row) => [row.session, row.inputTokens + row.outputTokens]));
    for (const one of told) expect(spent.get(one.session) ?? 0).toBe(one.spent);
    const total = told.reduce((sum, one) => sum + one.spent, 0);
    // The one that crosses it, and one the other process had begun.
    expect(total).toBeGreaterThanOrEqual(1_000);
    expect(total).toBeLessThanOrEqual(999 + 2 * 7);
    for (const { session } of told) {
      const attempts = await store.attempts({ app: 'processes', user: 'u', session });
      expect(attempts.filter(({ reason }) => reason === 'allowance')).toHaveLength(1);
    }
    await store.close();
  });
});
