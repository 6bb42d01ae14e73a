import type { VerifyReport } from '../coverage/problem.ts';
import type { CompactionOutcome } from '../engine/outcome.ts';
import type { Palimpsest } from '../engine/palimpsest.ts';
import type { Keep, Session, SlidingWindow } from '../engine/session.ts';
import { ROOT_LANE } from '../event/lane.ts';
import { keptTail } from '../plan/kept-tail.ts';
import { unitsOf } from '../plan/unit.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { Io } from './io.ts';
import { type SessionFacts, sessionFacts } from './session-facts.ts';
import { verifySession } from './verify-session.ts';

/** What is kept raw, where nothing else is said. */
export const KEPT_EVENTS = 20;

/** How much is kept raw, and in which windows the rest is covered. */
export interface CompactSettings {
  readonly keep?: Keep;
  readonly sliding?: SlidingWindow;
}

/** What became of a compaction, the proof, and the session after it. */
export interface Compacted {
  readonly outcomes: readonly CompactionOutcome[];
  readonly verified: VerifyReport;
  readonly session: SessionFacts;
  /** Raw events of the main conversation that are neither held back nor in the tail that is kept. */
  readonly waiting: number;
}

/** Compacts all that may be, verifies, and reads what is said of the session. Shows how far it is. */
export async function compactSession(
  io: Io,
  palimpsest: Palimpsest,
  session: Session,
  { keep = { events: KEPT_EVENTS }, sliding }: CompactSettings = {},
): Promise<Compacted> {
  let windows = 0;
  io.progress.begin('summarizing');
  const outcomes = await session.compact({
    keep,
    ...(sliding === undefined ? {} : { sliding }),
    signal: io.signal,
    onOutcome: () => {
      windows += 1;
      io.progress.report('summarizing, windows done', windows, null);
    },
  });
  io.signal.throwIfAborted();
  const verified = await verifySession(io, session);
  const facts = await sessionFacts(palimpsest.store, session, io.signal);
  return {
    outcomes,
    verified,
    session: facts,
    waiting: await waitingEvents(palimpsest.store, session, keep),
  };
}

async function waitingEvents(store: SessionStore, { key }: Session, keep: Keep): Promise<number> {
  const view = await store.view(key, ROOT_LANE, 'reader');
  const kept = keptTail(view.raw, { events: keep.events ?? 0, tokens: keep.tokens ?? 0 });
  return unitsOf(view, false)
    .filter((unit) => unit.held === null && !kept.has(unit.exchange))
    .reduce((sum, unit) => sum + unit.events.length, 0);
}
