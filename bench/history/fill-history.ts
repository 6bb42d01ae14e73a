import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Session } from '../../src/engine/session.ts';
import type { EventDraft } from '../../src/event/event.ts';
import type { SessionKey } from '../../src/event/ids.ts';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import type { Summarizer } from '../../src/summary/summarizer.ts';
import { seeded, textOf } from '../texts.ts';

/** The shape of a history that the engine compacted as it grew. */
export interface HistoryShape {
  readonly invocations: number;
  /** Lanes, the root one among them; invocations go round them. */
  readonly lanes: number;
  /** Pinned questions, spread over what is covered. */
  readonly holes: number;
}

/** The most summaries that may be live. */
export const MAX_LIVE = 12;
/** The newest events, which stay raw. */
export const TAIL = 60;
/** Events of an invocation: a question and its answer. */
const TURN = 2;
/** Invocations a window covers: so many that there are no more than 10,000 windows, and a dozen of them in the shortest history. */
const SHORTEST_WINDOW = 20;
const MOST_WINDOWS = 10_000;

const SUMMARY = textOf('prose', 1_200, seeded(1));
const TEXTS = Array.from({ length: 61 }, (_, seed) => textOf('prose', 160, seeded(seed)));

/** As long a summary whatever it covers, for nothing: what is measured is the store. */
const fixedSummarizer: Summarizer = {
  name: 'fixed',
  format: 'prose',
  summarize: async () => ({ kind: 'summary', content: SUMMARY }),
};

/** Appends a history in batches and lets the engine compact after each: windows, and merges above {@link MAX_LIVE} summaries. */
export async function fillHistory(store: SessionStore, key: SessionKey, shape: HistoryShape): Promise<void> {
  const session = new Palimpsest({
    store,
    summarizer: fixedSummarizer,
    rollUp: { maxLive: MAX_LIVE },
    literals: false,
  }).session(key);
  const interval = Math.max(SHORTEST_WINDOW, Math.ceil(shape.invocations / MOST_WINDOWS));
  const batch = interval * shape.lanes * 4;
  const last = shape.invocations - TAIL / TURN;
  const holeEvery = Math.floor(last / (shape.holes + 1));
  for (let from = 0; from < shape.invocations; from += batch) {
    const through = Math.min(from + batch, shape.invocations);
    const drafts = Array.from({ length: (through - from) * TURN }, (_, at) =>
      draftAt(from * TURN + at, shape.lanes),
    );
    await session.append(drafts);
    for (let hole = 1; hole <= shape.holes; hole += 1) {
      const invocation = hole * holeEvery;
      if (invocation >= from && invocation < through) await session.pin(invocation * TURN + 1);
    }
    await compact(session, interval, shape.lanes);
  }
}

async function compact(session: Session, interval: number, lanes: number): Promise<void> {
  for (let lane = 0; lane < lanes; lane += 1) {
    await session.compact({
      reader: { agent: '', lane: laneAt(lane) },
      sliding: { interval, overlap: 0 },
      keep: { events: TAIL },
    });
  }
}

function draftAt(at: number, lanes: number): EventDraft {
  const invocation = Math.floor(at / TURN);
  const common = { lane: laneAt(invocation % lanes), invocation: `turn-${invocation}` };
  return {
    ...common,
    role: at % TURN === 0 ? 'user' : 'assistant',
    content: TEXTS[at % TEXTS.length] as string,
  };
}

function laneAt(index: number): Lane {
  return index === 0 ? ROOT_LANE : { branch: `worker-${index}`, isolation: '' };
}
