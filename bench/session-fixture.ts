import type { Spans } from '../src/coverage/span.ts';
import type { EventDraft } from '../src/event/event.ts';
import type { SessionKey } from '../src/event/ids.ts';
import { type Lane, ROOT_LANE } from '../src/event/lane.ts';
import type { SessionStore } from '../src/store/session-store.ts';
import { seeded, textOf } from './texts.ts';

/** The shape of a long session, as DESIGN §13 has it. */
export interface SessionShape {
  readonly events: number;
  /** Lanes, the root one among them; turns go round them. */
  readonly lanes: number;
  /** Events in the middle of what is covered that stay raw. */
  readonly holes: number;
}

/** The newest events, which no record covers. */
export const TAIL = 60;
/** Live records. */
export const LIVE = 12;
/** Events of a turn: a question, a call, its result, an answer. */
const TURN = 4;
const BATCH = 4_000;

/** Stores a session of a shape: appended in bulk, then covered by {@link LIVE} records but for the tail and the holes. */
export async function fillSession(store: SessionStore, key: SessionKey, shape: SessionShape): Promise<void> {
  for (let from = 0; from < shape.events; from += BATCH) {
    const count = Math.min(BATCH, shape.events - from);
    await store.append(
      key,
      Array.from({ length: count }, (_, at) => draftAt(from + at, shape.lanes)),
    );
  }
  for (const { lane, seqs } of recordedSeqs(shape)) await commitRecord(store, key, lane, seqs);
}

/** The draft at a place, from 0. Texts are short and few: what is measured is planning and reading, not their size. */
export function draftAt(at: number, lanes: number): EventDraft {
  const turn = Math.floor(at / TURN);
  const lane = laneAt(turn % lanes);
  const common = { lane, invocation: `turn-${turn}` };
  const text = TEXTS[at % TEXTS.length] as string;
  switch (at % TURN) {
    case 0:
      return { ...common, role: 'user', content: text };
    case 1:
      return {
        ...common,
        role: 'assistant',
        content: [{ type: 'toolCall', id: `call-${turn}`, name: 'search', input: { json: { query: text } } }],
      };
    case 2:
      return {
        ...common,
        role: 'tool',
        content: [
          { type: 'toolResult', id: `call-${turn}`, name: 'search', output: { json: { found: text } } },
        ],
      };
    default:
      return { ...common, role: 'assistant', content: text };
  }
}

const TEXTS: readonly string[] = Array.from({ length: 61 }, (_, seed) => textOf('prose', 300, seeded(seed)));

function laneAt(index: number): Lane {
  return index === 0 ? ROOT_LANE : { branch: `worker-${index}`, isolation: '' };
}

/** For each record its lane and the seqs it covers; together all but the tail and the holes. */
function recordedSeqs({ events, lanes, holes }: SessionShape): { lane: Lane; seqs: number[] }[] {
  const covered = events - TAIL;
  const holeEvery = holes === 0 ? Number.POSITIVE_INFINITY : Math.floor(covered / holes);
  const byLane: number[][] = Array.from({ length: lanes }, () => []);
  for (let seq = 1; seq <= covered; seq += 1) {
    const turn = Math.floor((seq - 1) / TURN);
    // Holes are questions: events that are an exchange by themselves.
    const inHole = holes > 0 && seq % holeEvery < TURN && (seq - 1) % TURN === 0;
    if (!inHole) byLane[turn % lanes]?.push(seq);
  }
  return byLane.flatMap((seqs, index) => {
    const records = Math.floor(LIVE / lanes) + (index < LIVE % lanes ? 1 : 0);
    const size = Math.ceil(seqs.length / records / TURN) * TURN;
    return Array.from({ length: records }, (_, at) => ({
      lane: laneAt(index),
      seqs: seqs.slice(at * size, at === records - 1 ? seqs.length : (at + 1) * size),
    }));
  });
}

async function commitRecord(
  store: SessionStore,
  key: SessionKey,
  lane: Lane,
  seqs: readonly number[],
): Promise<void> {
  const { revision, through } = await store.view(key, lane, 'lane');
  const spans = await spansOfLane(store, key, lane, seqs);
  const window = { spans, events: seqs.length, tokens: 0, invocations: 1 };
  const request = { lane, rootView: false, trigger: 'manual', window, revision } as const;
  const lease = await store.takeLease(key, { ...request, holder: 'bench', milliseconds: 60_000 });
  if (!lease.taken) throw new Error('the lane is leased');
  await store.commit(key, lease.attempt.id, {
    lane,
    rootView: false,
    spans,
    members: seqs.length,
    context: [],
    supersedes: [],
    over: [],
    summary: { format: 'prose', text: textOf('prose', 2_000, seeded(seqs[0] ?? 0)), literals: [] },
    literals: { found: 0, kept: 0 },
    nonce: 'bench',
    strategy: 'manual',
    basis: { revision, throughSeq: through.seq, throughEventId: through.id },
    model: { summarizer: 'bench' },
    fingerprint: '',
    tokens: { covered: 0, summary: 500 },
  });
}

/** Runs of the lane's own events: seqs of other lanes between them end no span. */
async function spansOfLane(
  store: SessionStore,
  key: SessionKey,
  lane: Lane,
  seqs: readonly number[],
): Promise<Spans> {
  const wanted = new Set(seqs);
  const first = seqs[0] as number;
  const last = seqs.at(-1) as number;
  const spans: { first: number; last: number }[] = [];
  let open: { first: number; last: number } | null = null;
  for (let from = first; from <= last; from += BATCH) {
    const rows = await store.events(key, [{ first: from, last: Math.min(last, from + BATCH - 1) }], lane);
    for (const { event } of rows) {
      if (!wanted.has(event.seq)) open = null;
      else if (open === null) {
        open = { first: event.seq, last: event.seq };
        spans.push(open);
      } else open.last = event.seq;
    }
  }
  return spans;
}
