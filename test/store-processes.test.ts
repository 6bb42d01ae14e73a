import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faultsOf, runProcesses } from './support/many-processes.ts';

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
});
