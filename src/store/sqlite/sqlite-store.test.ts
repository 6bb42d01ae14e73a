import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../event/errors.ts';
import type { EventDraft } from '../../event/event.ts';
import type { InvocationId } from '../../event/ids.ts';
import { ROOT_LANE } from '../../event/lane.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { Story } from '../testing/story.ts';
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-sqlite-'));
const KEY = { app: 'a', user: 'u', session: 's' };
const HELLO: EventDraft = { role: 'user', content: 'hello' };
let files = 0;

afterAll(() => rmSync(directory, { recursive: true }));

function newPath(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

async function open(options: SqliteStoreOptions = {}): Promise<{ store: SqliteStore; path: string }> {
  const path = newPath();
  return { store: await openSqliteStore(path, { synchronous: 'normal', ...options }), path };
}

/** Changes a closed file behind the store's back. */
function tamper(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

async function errorOf(promise: Promise<unknown>): Promise<StoreError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error(`no store error but ${String(error)}`);
  return error;
}

describe('a SQLite store whose file is locked', () => {
  it('waits without blocking, and goes on when the file is free', async () => {
    const pauses: number[] = [];
    const { store, path } = await open({
      waiting: {
        sleep: async (milliseconds) => {
          pauses.push(milliseconds);
          if (pauses.length === 3) other.exec('COMMIT');
        },
        random: () => 0.5,
      },
    });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const [event] = await store.append(KEY, [HELLO]);
    other.close();
    expect(event?.seq).toBe(1);
    // 1 + half of 1, 2, 4: each time longer, and at random.
    expect(pauses).toEqual([1.5, 2, 3]);
    await store.close();
  });

  // SQLITE_PROTOCOL: it lost the race to begin reading the log a hundred times over.
  it('tries again when others kept beginning to use the file', async () => {
    const { store } = await open();
    await store.append(KEY, [HELLO]);
    vi.spyOn(StatementSync.prototype, 'run').mockImplementationOnce(() => {
      throw Object.assign(new Error('locking protocol'), { errcode: 15 });
    });
    expect((await store.append(KEY, [HELLO]))[0]?.seq).toBe(2);
    vi.restoreAllMocks();
    await store.close();
  });

  it('gives up after its limit with one clear line', async () => {
    let waited = 0;
    const { store, path } = await open({
      busyLimitMilliseconds: 500,
      waiting: {
        sleep: async (milliseconds) => {
          waited += milliseconds;
        },
        random: () => 1,
      },
    });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const error = await errorOf(store.append(KEY, [HELLO]));
    expect(error.message).toBe('store failed at append: busy: other processes kept the file locked');
    expect(waited).toBeGreaterThanOrEqual(500);
    expect(waited).toBeLessThan(530);
    // Readers are not kept waiting, and the next writer is not in this one's way.
    expect(await store.sessions()).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    expect((await store.append(KEY, [HELLO]))[0]?.seq).toBe(1);
    await store.close();
  });

  it('keeps writers in the order they came', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { store, path } = await open({ waiting: { sleep: () => released, random: () => 0 } });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const appends = ['a', 'b', 'c'].map((content) => store.append(KEY, [{ role: 'user', content }]));
    await sleep(1);
    other.exec('COMMIT');
    other.close();
    release();
    const seqs = (await Promise.all(appends)).map(([event]) => [event?.seq, event?.content]);
    expect(seqs).toEqual(['a', 'b', 'c'].map((text, at) => [at + 1, [{ type: 'text', text }]]));
    await store.close();
  });
});

describe('a SQLite store', () => {
  // Comes back when calls never give up the event loop: awaiting them one by one then runs in one turn of it.
  it('lets timers run between calls that follow on one another', async () => {
    const { store } = await open();
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    for (let at = 0; at < 2_000; at += 1) await store.append(KEY, [HELLO]);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
    await store.close();
  });

  // Comes back when each store minds its own time, or looks at it earlier than right before its work.
  it('lets the event loop have its turn while many stores work at once', async () => {
    let time = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => {
      time += 1;
      return time;
    });
    let inThisTurn = 0;
    const perTurn: number[] = [];
    const counter: TokenCounter = {
      name: 'counting',
      quality: 'exact',
      count: () => {
        if (inThisTurn === 0) {
          setImmediate(() => {
            perTurn.push(inThisTurn);
            inThisTurn = 0;
          });
        }
        inThisTurn += 1;
        return 1;
      },
    };
    const opened = await Promise.all(Array.from({ length: 24 }, () => open({ counter })));
    await Promise.all(opened.map(({ store }) => store.append(KEY, [HELLO])));
    await new Promise(setImmediate);
    expect(perTurn.reduce((sum, events) => sum + events, 0)).toBe(24);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(10);
    await Promise.all(opened.map(({ store }) => store.close()));
    vi.restoreAllMocks();
  });

  // Comes back when whatever another connection commits makes this one forget: nine servers on one file read all anew.
  it('keeps what it read of a session while others change other sessions', async () => {
    const { store, path } = await open();
    const other = await openSqliteStore(path, { synchronous: 'normal' });
    const drafts = Array.from({ length: 40 }, (_, at) => ({ ...HELLO, invocation: `turn-${at}` }));
    await store.append(KEY, drafts);
    const reads = [
      vi.spyOn(StatementSync.prototype, 'get'),
      vi.spyOn(StatementSync.prototype, 'all'),
    ] as const;
    const readsOf = async (reader: SqliteStore): Promise<number> => {
      const before = reads.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
      expect((await reader.view(KEY, ROOT_LANE, 'reader')).raw).toHaveLength(40);
      return reads.reduce((sum, spy) => sum + spy.mock.calls.length, 0) - before;
    };
    await readsOf(store);
    const known = await readsOf(store);
    await other.append({ ...KEY, session: 'another' }, [HELLO]);
    // Only whether the session is as it was.
    expect(await readsOf(store)).toBe(known + 2);
    await other.append({ ...KEY, session: 'another' }, [HELLO]);
    await other.endInvocation(KEY, 'turn-7' as InvocationId, 'failed');
    await other.beginInvocation(KEY, { id: 'turn-8', leaseMilliseconds: 60_000 });
    expect(await readsOf(store)).toBeGreaterThan(known + 2);
    const { invocations } = await store.view(KEY, ROOT_LANE, 'reader');
    expect(invocations.get('turn-8' as InvocationId)?.state).toBe('running');
    vi.restoreAllMocks();
    await other.close();
    await store.close();
  });

  it('stores nothing of a batch that fails midway, and forgets what it had counted', async () => {
    let failing = false;
    const counter: TokenCounter = {
      name: 'failing',
      quality: 'exact',
      count: (text) => {
        if (failing && text === 'second') throw new RangeError('cannot count');
        return text.length;
      },
    };
    const { store } = await open({ counter });
    await store.append(KEY, [HELLO]);
    failing = true;
    const drafts: readonly EventDraft[] = [
      { role: 'user', content: 'first', lane: { branch: 'new', isolation: 'lane' }, invocation: 'i' },
      { role: 'user', content: 'second' },
    ];
    await expect(store.append(KEY, drafts)).rejects.toThrow('cannot count');
    const info = await store.info(KEY);
    expect([info?.events, info?.invocations, info?.lanes.length]).toEqual([1, 1, 1]);
    failing = false;
    expect((await store.append(KEY, drafts)).map((event) => event.seq)).toEqual([2, 3]);
    expect((await store.view(KEY, ROOT_LANE, 'reader')).total.events).toBe(2);
    await store.close();
  });

  it('counts the events of a lane though not every append writes the count', async () => {
    const { store, path } = await open();
    for (let at = 0; at < 21; at += 1) {
      await store.append(KEY, [{ ...HELLO, lane: { branch: at % 3 === 0 ? 'a' : '', isolation: '' } }]);
    }
    const other = await openSqliteStore(path);
    for (const handle of [store, other]) {
      expect((await handle.view(KEY, ROOT_LANE, 'lane')).total.events).toBe(14);
      expect((await handle.view(KEY, ROOT_LANE, 'reader')).total.events).toBe(21);
      expect((await handle.info(KEY))?.lanes.map((lane) => lane.events)).toEqual([7, 14]);
    }
    await other.append(KEY, [HELLO]);
    await store.append(KEY, [HELLO]);
    const { total } = await other.view(KEY, ROOT_LANE, 'reader');
    expect(total.events).toBe(23);
    const rows = await store.page(KEY, 0, 100);
    expect(total.tokens).toBe(rows.reduce((sum, row) => sum + row.event.tokens, 0));
    expect(rows.map((row) => row.isolationOrdinal)).toEqual(rows.map((row) => row.event.seq));
    await other.close();
    await store.close();
  });

  // Comes back when `under` is not kept: the root's view would read every lane record its root views lie over.
  it('leaves records under a root view out of what the root reads', async () => {
    const path = newPath();
    const story = await Story.begin({
      open: (clock) => openSqliteStore(path, { clock, synchronous: 'normal' }),
    });
    await story.fill(6);
    for (const seq of [1, 2, 3]) await story.compact({ seqs: [seq] });
    const view = await story.compact({ rootView: true, seqs: [1, 2, 3] });
    expect(await story.recordIds()).toEqual([view.id]);
    await story.store.close();
    const database = new DatabaseSync(path);
    const seen = database.prepare('SELECT id FROM records WHERE live = 1 AND under = 0').all();
    database.close();
    expect(seen.map((row) => row['id'])).toEqual([view.id]);
  });

  it('refuses work after it is closed, naming what was asked', async () => {
    const { store } = await open();
    await store.close();
    await store.close();
    expect((await errorOf(store.append(KEY, [HELLO]))).message).toBe(
      'store failed at append: the store is closed',
    );
    expect((await errorOf(store.view(KEY, ROOT_LANE, 'lane'))).message).toMatch(
      /at view: the store is closed$/,
    );
  });

  it('keeps sessions of one file apart to the last seq', async () => {
    const { store } = await open();
    const keys = ['a', 'b', 'c'].map((session) => ({ ...KEY, session }));
    for (const key of keys) await store.append(key, [HELLO, HELLO]);
    const [, middle] = keys;
    if (middle === undefined) throw new Error('no session');
    expect((await store.page(middle, 0, 1e9)).map((row) => row.event.seq)).toEqual([1, 2]);
    expect((await store.events(middle, [{ first: 1, last: 2 ** 40 }])).length).toBe(2);
    expect((await store.preceding(middle, ROOT_LANE, 2 ** 40, 9, 9)).length).toBe(2);
    await store.close();
  });

  it('says so when the disk is full, and stores nothing', async () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const { store } = await open();
    const handle: unknown = prepare.mock.contexts.at(-1);
    if (!(handle instanceof DatabaseSync)) throw new Error('nothing was prepared');
    prepare.mockRestore();
    await store.append(KEY, [HELLO]);
    // SQLite's own limit on the size of the file stands in for the disk's.
    handle.exec('PRAGMA max_page_count = 60');
    const error = await errorOf(store.append(KEY, [{ role: 'user', content: 'x'.repeat(1_000_000) }]));
    expect(error.message).toBe('store failed at append: the disk is full');
    expect((await store.info(KEY))?.events).toBe(1);
    expect((await store.append(KEY, [HELLO]))[0]?.seq).toBe(2);
    await store.close();
  });
});

describe('a SQLite store whose file was tampered with', () => {
  async function tampered(sql: string): Promise<{ story: Story; store: SqliteStore }> {
    const path = newPath();
    const harness = {
      open: (clock: () => number) => openSqliteStore(path, { clock, synchronous: 'normal' }),
    };
    const story = await Story.begin(harness);
    await story.fill(4);
    await story.compact({ seqs: [1, 2] });
    await story.store.close();
    tamper(path, sql);
    const store = await openSqliteStore(path);
    story.store = store;
    return { story, store };
  }

  it('names the event whose text is no JSON, and reads the others', async () => {
    const { story, store } = await tampered('UPDATE events SET event = substr(event, 1, 20) WHERE seq = 3');
    const error = await errorOf(store.page(story.key, 0, 10));
    expect(error.message).toBe('store failed at reading event 3: its stored text is damaged');
    expect((await store.page(story.key, 0, 2)).length).toBe(2);
    expect((await store.page(story.key, 3, 2)).length).toBe(1);
    expect((await errorOf(story.view())).about).toBe('reading event 3');
    expect((await store.records(story.key)).length).toBe(1);
    await store.close();
  });

  it('names the record whose text is no JSON', async () => {
    const { story, store } = await tampered("UPDATE records SET body = 'x' || body");
    const error = await errorOf(store.records(story.key));
    expect(error.message).toMatch(/^store failed at reading record [-\w]+: its stored text is damaged$/);
    expect((await store.page(story.key, 0, 10)).length).toBe(4);
    await store.close();
  });

  it('hands out changed content as it is, so that its hash gives it away', async () => {
    const { story, store } = await tampered(
      "UPDATE events SET event = replace(event, 'text 1', 'forged') WHERE seq = 2",
    );
    const [, row] = await store.page(story.key, 0, 10);
    expect(row?.event.content).toEqual([{ type: 'text', text: 'forged' }]);
    await store.close();
  });

  it('reads on where an event is gone', async () => {
    const { story, store } = await tampered('DELETE FROM events WHERE seq = 2');
    expect((await store.page(story.key, 0, 10)).map((row) => row.event.seq)).toEqual([1, 3, 4]);
    expect((await story.view()).raw.length).toBe(2);
    await store.close();
  });

  it('says that the file is damaged when its pages are', async () => {
    const path = newPath();
    const first = await openSqliteStore(path);
    await first.append(
      KEY,
      Array.from({ length: 1000 }, () => HELLO),
    );
    await first.close();
    damagePages(path);
    const store = await openSqliteStore(path);
    const error = await errorOf(store.page(KEY, 0, 1000));
    expect(error.message).toBe('store failed at page: the file is damaged');
    await store.close();
  });
});

/** Overwrites all pages of a file but the first few. */
function damagePages(path: string): void {
  const file = readFileSync(path);
  file.fill(0xaa, 4096 * 40);
  writeFileSync(path, file);
}
