// Whatever happened to a session, its readers find what is covered for them, and never what they may not see.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { recallFaults } from '../world/check-recall.ts';
import { countingTexts } from '../world/counting.ts';
import { anyOperation } from '../world/operations.ts';
import { newWorld } from '../world/perform.ts';
import { anySettings } from '../world/play.ts';
import type { MakeStore } from '../world/world.ts';
import { runsOf } from './runs.ts';

/** Long enough for a soak of hours. */
const timeout = 86_400_000;

function recalls(runs: number, makeStore?: MakeStore): Promise<void> {
  const manyOperations = fc.array(anyOperation, { minLength: 5, maxLength: 40, size: 'max' });
  return fc.assert(
    fc.asyncProperty(anySettings, manyOperations, async (settings, operations) => {
      const world = await newWorld(settings, makeStore);
      for (const operation of operations) await world.perform(operation);
      expect(await recallFaults(world)).toEqual([]);
      await world.store.close();
    }),
    { numRuns: runs },
  );
}

it('any session is read back as its readers may see it', { timeout }, async () => {
  await expect(recalls(runsOf(200))).resolves.toBeUndefined();
});

it('is read back no differently from a file', { timeout }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-recall-'));
  const file = countingTexts('session', 1);
  try {
    const makeStore: MakeStore = (options) =>
      openSqliteStore(join(folder, `${file()}.db`), { ...options, synchronous: 'normal' });
    await expect(recalls(runsOf(30), makeStore)).resolves.toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
