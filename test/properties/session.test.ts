// Whatever happens to a session, in whatever order, the oracle of test/model finds nothing wrong with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { countingTexts } from '../world/counting.ts';
import { anyOperation } from '../world/operations.ts';
import { anySettings, play } from '../world/play.ts';
import { World } from '../world/world.ts';
import { runsOf } from './runs.ts';

/** Long enough for a soak of hours. */
const timeout = 86_400_000;

const manyOperations = fc.array(anyOperation, { maxLength: 40, size: 'max' });

describe('any session', () => {
  it('is covered exactly, whole by exchange, apart by scope, and proves it', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(anySettings, manyOperations, async (settings, played) => {
        expect(await play(settings, played)).toBeInstanceOf(World);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('is no different in a file', { timeout }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-sessions-'));
    const file = countingTexts('session', 1);
    try {
      await fc.assert(
        fc.asyncProperty(anySettings, manyOperations, async (settings, played) => {
          const world = await play(settings, played, (options) =>
            openSqliteStore(join(folder, `${file()}.db`), { ...options, synchronous: 'normal' }),
          );
          await world.store.close();
          expect(world).toBeInstanceOf(World);
        }),
        { numRuns: runsOf(100) },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
