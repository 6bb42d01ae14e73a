import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concrete, outcomeOf } from './apply-operation.fixture.ts';
import { breaches } from './exact-cover.fixture.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { compactions, type Operation } from './random-operations.fixture.ts';

const RUNS = Number(process.env['PALIMPSEST_RUNS'] ?? 150);
const KEY = { app: 'app', user: 'user', session: 'main' };

async function run(steps: readonly Operation[]): Promise<void> {
  const store = new MemoryStore({ clock: () => 0 });
  for (const operation of steps) {
    const call = await concrete(operation, KEY, KEY, store);
    if (call === null) continue;
    await outcomeOf(call, store);
    if (operation.type === 'append') continue;
    const found = await breaches(store, KEY);
    if (found.length > 0) throw new Error(`after ${JSON.stringify(operation)}: ${found.join('; ')}`);
  }
}

describe('every view of a session', () => {
  it('shows each event raw or under exactly one record, whatever was committed, undone, redone or pinned', {
    timeout: 600_000,
  }, async () => {
    const stories = fc.assert(fc.asyncProperty(compactions, run), { numRuns: RUNS });
    await expect(stories).resolves.toBeUndefined();
  });
});
