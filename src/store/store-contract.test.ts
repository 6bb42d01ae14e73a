import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryStore } from './memory/memory-store.ts';
import type { SessionStore } from './session-store.ts';
import { openSqliteStore } from './sqlite/index.ts';
import { type StoreHarness, storeContract } from './testing/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-contract-'));
const paths = new WeakMap<SessionStore, string>();
let files = 0;

afterAll(() => rmSync(directory, { recursive: true }));

async function openFile(path: string, clock: () => number): Promise<SessionStore> {
  const store = await openSqliteStore(path, { clock, synchronous: 'normal' });
  paths.set(store, path);
  return store;
}

function pathOf(store: SessionStore): string {
  return paths.get(store) ?? '';
}

const harnesses: readonly (readonly [string, StoreHarness])[] = [
  ['memory', { open: async (clock) => new MemoryStore({ clock }) }],
  [
    'SQLite',
    {
      open: (clock) => {
        files += 1;
        return openFile(join(directory, `${files}.db`), clock);
      },
      reopen: async (store, clock) => {
        await store.close();
        return openFile(pathOf(store), clock);
      },
      share: (store, clock) => openFile(pathOf(store), clock),
    },
  ],
];

describe.each(harnesses)('a store in %s', (_, harness) => {
  const cases = storeContract().filter(({ needs }) => needs === null || harness[needs] !== undefined);

  it.each(cases)('$name', async ({ run }) => {
    await expect(run(harness)).resolves.toBeUndefined();
  });
});
