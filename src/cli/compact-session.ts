import type { VerifyReport } from '../coverage/problem.ts';
import type { CompactionOutcome } from '../engine/outcome.ts';
import type { Palimpsest } from '../engine/palimpsest.ts';
import type { Keep, Session, SlidingWindow } from '../engine/session.ts';
import type { Io } from './io.ts';
import { type SessionFacts, sessionFacts } from './session-facts.ts';
import { verifySession } from './verify-session.ts';

/** What is kept raw, where nothing else is said. */
export const KEPT_EVENTS = 20;

/** What became of a compaction, the proof, and the session after it. */
export interface Compacted {
  readonly outcomes: readonly CompactionOutcome[];
  readonly verified: VerifyReport;
  readonly session: SessionFacts;
}

/** Compacts all that may be, verifies, and reads what is said of the session. Shows how far it is. */
export async function compactSession(
  io: Io,
  palimpsest: Palimpsest,
  session: Session,
  {
    keep = { events: KEPT_EVENTS },
    sliding,
  }: { readonly keep?: Keep; readonly sliding?: SlidingWindow } = {},
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
  return { outcomes, verified, session: facts };
}
