import { type ChildProcess, fork } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { EventDraft } from '../../src/event/event.ts';
import type { RecordId, Seq } from '../../src/event/ids.ts';
import { breaches } from '../../src/store/exact-cover.fixture.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { LANES } from '../../src/store/random-operations.fixture.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

const WORKER = fileURLToPath(new URL('store-worker.ts', import.meta.url));
const KEY = { app: 'processes', user: 'u', session: 'shared' };

/** What a worker says. */
export type WorkerMessage =
  | { readonly type: 'begin' }
  | { readonly type: 'stored'; readonly events: readonly { readonly id: string; readonly seq: Seq }[] }
  | { readonly type: 'committed'; readonly record: RecordId };

/** How long a run is and how rough. */
export interface RunOptions {
  readonly path: string;
  readonly workers: number;
  /** Workers to kill with SIGKILL, each replaced by a new one; the run goes on until so many died. */
  readonly kills: number;
  /** Events that must be acknowledged before the run ends. */
  readonly events: number;
  readonly seed: number;
}

/** What the stores acknowledged to processes that could still say so. */
export interface Acknowledged {
  readonly events: ReadonlyMap<string, Seq>;
  readonly records: ReadonlySet<RecordId>;
  /** How workers failed that nobody killed. */
  readonly failures: readonly string[];
}

/** Lets processes append, compact, undo and pin on one file while some are killed in the midst of it. */
export async function runProcesses(options: RunOptions): Promise<Acknowledged> {
  const events = new Map<string, Seq>();
  const records = new Set<RecordId>();
  const failures: string[] = [];
  const living = new Set<ChildProcess>();
  let started = 0;
  let killed = 0;
  let stopping = false;

  await new Promise<void>((resolve) => {
    const start = (): void => {
      started += 1;
      const name = `worker-${started}`;
      const seed = String(options.seed * 1_000 + started);
      const worker = fork(WORKER, [options.path, name, seed], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
      living.add(worker);
      let doomedAfter = (Number(seed) % 37) + 10;
      let complaint = '';
      worker.stderr?.on('data', (chunk: Buffer) => {
        complaint += chunk.toString();
      });
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'stored') for (const { id, seq } of message.events) events.set(id, seq);
        if (message.type === 'committed') records.add(message.record);
        doomedAfter -= 1;
        // Mostly after it said that it begins: it dies within the call.
        if (doomedAfter > 0 || killed >= options.kills || stopping) return;
        doomedAfter = Number.POSITIVE_INFINITY;
        killed += 1;
        worker.kill('SIGKILL');
      });
      worker.on('exit', (code, signal) => {
        living.delete(worker);
        if (code !== 0 && signal !== 'SIGKILL') failures.push(`${name}: ${signal ?? code} ${complaint}`);
        if (!stopping && failures.length === 0) start();
        if (failures.length > 0) stop();
        if (living.size === 0) resolve();
      });
      worker.on('message', () => {
        if (killed >= options.kills && events.size >= options.events) stop();
      });
    };
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      for (const worker of living) if (worker.connected) worker.send('stop');
    };
    for (let at = 0; at < options.workers; at += 1) start();
  });
  return { events, records, failures };
}

/** Everything that is wrong with a file after processes worked on it; nothing when nothing is. */
export async function faultsOf(path: string, acknowledged: Acknowledged): Promise<readonly string[]> {
  const faults = [...acknowledged.failures];
  // A day later: whoever held a lease is gone.
  const store = await openSqliteStore(path, { clock: () => Date.now() + 86_400_000 });
  const rows = await store.page(KEY, 0, 1_000_000);
  const byId = new Map(rows.map((row) => [String(row.event.id), row.event.seq]));
  for (const [at, row] of rows.entries()) {
    if (row.event.seq !== at + 1) faults.push(`event ${at + 1} is ${row.event.seq}`);
  }
  if (byId.size !== rows.length) faults.push(`${rows.length} events have ${byId.size} ids`);
  for (const [id, seq] of acknowledged.events) {
    if (byId.get(id) !== seq) faults.push(`acknowledged ${id} as ${seq}, kept as ${byId.get(id)}`);
  }
  const records = new Set((await store.records(KEY)).map((state) => state.record.id));
  for (const id of acknowledged.records) if (!records.has(id)) faults.push(`record ${id} is lost`);
  faults.push(...(await breaches(store, KEY)), ...(await retold(store)), ...(await stuck(store)));
  await store.close();
  const database = new DatabaseSync(path);
  const integrity = String(database.prepare('PRAGMA integrity_check').get()?.['integrity_check']);
  if (integrity !== 'ok') faults.push(`the file is damaged: ${integrity}`);
  database.close();
  return faults;
}

/** What differs when the same events are told to a store in memory: exchanges, ordinals, obligations, counts. */
async function retold(store: SessionStore): Promise<readonly string[]> {
  const memory = new MemoryStore();
  const rows = await store.page(KEY, 0, 1_000_000);
  const drafts = rows.map(({ event }): EventDraft => {
    const { seq: _seq, tokens: _tokens, ...draft } = event;
    return draft;
  });
  await memory.append(KEY, drafts);
  const faults: string[] = [];
  const facts = (row: (typeof rows)[0]): string =>
    JSON.stringify([row.event.id, row.exchange, row.laneOrdinal, row.isolationOrdinal, row.hash]);
  for (const [at, row] of (await memory.page(KEY, 0, 1_000_000)).entries()) {
    const kept = rows[at];
    if (kept === undefined || facts(kept) !== facts(row)) faults.push(`event ${at + 1} is placed otherwise`);
  }
  const owed = async (of: SessionStore): Promise<string> => JSON.stringify(await of.obligations(KEY));
  if ((await owed(store)) !== (await owed(memory))) faults.push('obligations differ');
  const counts = async (of: SessionStore): Promise<string> =>
    JSON.stringify((await of.info(KEY))?.lanes.map(({ lane, events, tokens }) => [lane, events, tokens]));
  if ((await counts(store)) !== (await counts(memory))) faults.push('counts of lanes differ');
  return faults;
}

/** Lanes whose lease nobody can take, and attempts that are under way though nobody holds a lease. */
async function stuck(store: SessionStore): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const lane of LANES) {
    const { revision } = await store.view(KEY, lane, 'lane');
    const window = { spans: [], events: 0, tokens: 0, invocations: 0 };
    const request = { lane, rootView: false, trigger: 'manual', window, revision, holder: 'check' } as const;
    const outcome = await store.takeLease(KEY, { ...request, milliseconds: 1 });
    if (outcome.taken)
      await store.endAttempt(KEY, outcome.attempt.id, { state: 'declined', reason: 'check' });
    else faults.push(`the lease of ${lane.isolation}/${lane.branch} is stuck`);
  }
  for (const attempt of await store.attempts(KEY)) {
    if (attempt.state === 'started') faults.push(`attempt ${attempt.id} is still started`);
  }
  return faults;
}
