// Whatever happens to a session, in whatever order, the oracle of test/model finds nothing wrong with it.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOperation } from '../world/operations.ts';
import { anySettings, play } from '../world/play.ts';
import { World } from '../world/world.ts';
import { runsOf } from './runs.ts';

/** Long enough for a soak of hours. */
const timeout = 86_400_000;

describe('any session', () => {
  it('is covered exactly, whole by exchange, apart by scope, and proves it', { timeout }, async () => {
    const operations = fc.array(anyOperation, { maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(anySettings, operations, async (settings, played) => {
        expect(await play(settings, played)).toBeInstanceOf(World);
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});
