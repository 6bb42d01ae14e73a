/**
 * One of several processes that work on one SQLite file, started by `many-processes.ts` and killed at any moment. Says
 * over IPC what it is about to do and what the store acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { spansOf } from '../../src/coverage/span.ts';
import { PalimpsestError } from '../../src/event/errors.ts';
import type { EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { LANES } from '../../src/store/random-operations.fixture.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import type { WorkerMessage } from './many-processes.ts';

/** How long a worker's leases last, in milliseconds: short, so that the dead are succeeded within the run. */
const LEASE = 250;
const [, , path = '', name = '', seed = '1'] = process.argv;
const KEY = { app: 'processes', user: 'u', session: 'shared' };

let state = Number(seed);
/** From 0 to below `below`; the same numbers for the same seed. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state % below;
}

function say(message: WorkerMessage): void {
  process.send?.(message);
}

const store = await openSqliteStore(path);
const told = new AbortController();
process.on('message', () => told.abort());
let made = 0;

while (!told.signal.aborted) {
  const lane = LANES[random(LANES.length)] as Lane;
  try {
    const dice = random(10);
    if (dice < 7) await append(lane);
    else if (dice < 9) await compact(lane);
    else await mark();
  } catch (error) {
    // What the others did meanwhile may refuse a commit or an undo; anything else is a fault.
    if (
      !PalimpsestError.isInstance(error, 'commit_conflict') &&
      !PalimpsestError.isInstance(error, 'refused')
    ) {
      throw error;
    }
  }
}
await store.close();
process.disconnect();

async function append(lane: Lane): Promise<void> {
  const call = `call-${random(5)}`;
  const drafts = Array.from({ length: 1 + random(3) }, (): EventDraft => {
    made += 1;
    const common = { id: `${name}-${made}`, lane, invocation: `turn-${random(20)}` };
    switch (random(3)) {
      case 0:
        return { ...common, role: 'user', content: `said by ${name}` };
      case 1:
        return {
          ...common,
          role: 'assistant',
          content: [{ type: 'toolCall', id: call, name: 'tool', input: { json: made } }],
        };
      default:
        return {
          ...common,
          role: 'tool',
          content: [{ type: 'toolResult', id: call, name: 'tool', output: { json: made } }],
        };
    }
  });
  say({ type: 'begin' });
  const events = await store.append(KEY, drafts);
  say({ type: 'stored', events: events.map(({ id, seq }) => ({ id, seq })) });
}

async function compact(chosen: Lane): Promise<void> {
  await store.append(KEY, []);
  const rootView = random(3) === 0;
  const lane = rootView ? { branch: '', isolation: chosen.isolation } : chosen;
  const view = await store.view(KEY, lane, rootView ? 'reader' : 'lane');
  const rows = view.raw.slice(0, 1 + random(20));
  if (rows.length === 0) return;
  const spans = spansOf(
    rows.map((row) => ({
      seq: row.event.seq,
      ordinal: rootView ? row.isolationOrdinal : row.laneOrdinal,
    })),
  );
  const request = { lane, rootView, trigger: 'manual', revision: view.revision, holder: name } as const;
  const window = { spans, events: rows.length, tokens: 0, invocations: 1 };
  const outcome = await store.takeLease(KEY, { ...request, window, milliseconds: LEASE });
  if (!outcome.taken) return;
  // As long as a summarizer may take: some die meanwhile.
  await sleep(random(40));
  say({ type: 'begin' });
  const record = await store.commit(KEY, outcome.attempt.id, {
    lane,
    rootView,
    spans,
    members: rows.length,
    context: [],
    supersedes: [],
    over: [],
    summary: { format: 'prose', text: `by ${name}`, literals: [] },
    literals: { found: 0, kept: 0 },
    nonce: 'n',
    strategy: 'manual',
    basis: { revision: view.revision, throughSeq: view.through.seq, throughEventId: view.through.id },
    model: { summarizer: 'worker' },
    fingerprint: '',
    tokens: { covered: 0, summary: 3 },
  });
  say({ type: 'committed', record: record.id });
}

async function mark(): Promise<void> {
  await store.append(KEY, []);
  say({ type: 'begin' });
  const states = await store.records(KEY);
  const record = states[random(Math.max(1, states.length))];
  if (record !== undefined && random(2) === 0) {
    if (record.undone) await store.redo(KEY, record.record.id);
    else await store.undo(KEY, record.record.id);
    return;
  }
  const { through } = await store.view(KEY, LANES[0] as Lane, 'lane');
  if (through.seq > 0) await store.pin(KEY, 1 + random(through.seq), random(2) === 0);
}
