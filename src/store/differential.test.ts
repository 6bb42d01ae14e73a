import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Call, concrete, outcomeOf } from './apply-operation.fixture.ts';
import { breaches } from './exact-cover.fixture.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { type Operation, operations } from './random-operations.fixture.ts';
import type { SessionStore } from './session-store.ts';
import { snapshot } from './snapshot.fixture.ts';
import { openSqliteStore } from './sqlite/index.ts';

const RUNS = Number(process.env['PALIMPSEST_RUNS'] ?? 25);
/** Steps one handle takes before the other does. */
const RUN = 3;
const directory = mkdtempSync(join(tmpdir(), 'palimpsest-'));
let files = 0;

afterAll(() => rmSync(directory, { recursive: true }));

/**
 * Both stores, told the same time and giving the same ids. The file has two handles that take turns in runs of steps: one
 * goes by what it knows already, then the other has to notice what was done without it.
 */
class Pair {
  readonly memory: SessionStore;
  readonly #handles: readonly SessionStore[];
  now = 1_700_000_000_000;
  #step = 0;
  readonly #drawn = new Map<string, number>();

  private constructor(memory: SessionStore, handles: readonly SessionStore[]) {
    this.memory = memory;
    this.#handles = handles;
  }

  /** The handle whose turn it is. */
  get sqlite(): SessionStore {
    return this.#handles[Math.floor(this.#step / RUN) % this.#handles.length] as SessionStore;
  }

  async close(): Promise<void> {
    for (const handle of this.#handles) await handle.close();
  }

  static async open(): Promise<Pair> {
    let pair: Pair | undefined;
    const clock = (): number => pair?.now ?? 0;
    const ids = (store: string) => (): string => (pair as Pair).draw(store);
    files += 1;
    const path = join(directory, `${files}.db`);
    const options = { clock, ids: ids('sqlite'), synchronous: 'normal' } as const;
    const handles = [await openSqliteStore(path, options), await openSqliteStore(path, options)];
    pair = new Pair(new MemoryStore({ clock, ids: ids('memory') }), handles);
    return pair;
  }

  /** Ids begin anew each step: a refused one may have drawn more of them in one store. */
  draw(store: string): string {
    const drawn = (this.#drawn.get(store) ?? 0) + 1;
    this.#drawn.set(store, drawn);
    return `id-${this.#step}-${drawn}`;
  }

  async same(call: Call, of: unknown): Promise<void> {
    this.#step += 1;
    this.#drawn.clear();
    compare(await outcomeOf(call, this.sqlite), await outcomeOf(call, this.memory), of);
  }
}

function compare(sqlite: unknown, memory: unknown, of: unknown): void {
  if (JSON.stringify(sqlite) === JSON.stringify(memory)) return;
  deepStrictEqual(sqlite, memory, `SQLite and memory differ after ${JSON.stringify(of)}`);
}

async function run(steps: readonly Operation[]): Promise<void> {
  const pair = await Pair.open();
  const keys = [{ app: 'app', user: 'user', session: 'main' }];
  let at = 0;
  await pair.same((store) => store.append(keys[0] as (typeof keys)[0], []), 'first');
  for (const [index, operation] of steps.entries()) {
    const key = keys[at] as (typeof keys)[0];
    const forkTo = { ...key, session: `fork ${index}` };
    if (operation.type === 'wait') pair.now += operation.milliseconds;
    if (operation.type === 'switch') at = operation.session % keys.length;
    const call = await concrete(operation, key, forkTo, pair.memory);
    if (call !== null) {
      await pair.same(call, operation);
      if (operation.type === 'fork') keys.push(forkTo);
    }
    await compareSessions(pair, [key], false, operation);
    deepStrictEqual(await breaches(pair.memory, key), [], `G2 is broken after ${JSON.stringify(operation)}`);
  }
  await compareSessions(pair, keys, true, 'all');
  compare(await pair.sqlite.sessions({ app: 'app' }), await pair.memory.sessions({ app: 'app' }), 'sessions');
  await pair.close();
}

async function compareSessions(
  pair: Pair,
  keys: readonly Parameters<typeof snapshot>[1][],
  whole: boolean,
  of: unknown,
): Promise<void> {
  for (const key of keys) {
    const sqlite = await snapshot(pair.sqlite, key, whole);
    const memory = await snapshot(pair.memory, key, whole);
    for (const [name, value] of sqlite) compare(value, memory.get(name), [of, name]);
  }
}

describe('a SQLite store and one in memory', () => {
  // Both take their decisions from src/event and src/coverage: what differs here is a query, a derived row or a cache.
  it('say the same after every step of any story', { timeout: 600_000 }, async () => {
    const stories = fc.assert(fc.asyncProperty(operations, run), { numRuns: RUNS });
    await expect(stories).resolves.toBeUndefined();
  });
});
