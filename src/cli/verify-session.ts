import type { VerifyReport } from '../coverage/problem.ts';
import type { Session } from '../engine/session.ts';
import type { Io } from './io.ts';

/** Verifies a session and shows how far it is. */
export function verifySession(io: Io, session: Session): Promise<VerifyReport> {
  io.progress.begin('verifying');
  return session.verify({
    onProgress: (events, of) => {
      io.signal.throwIfAborted();
      io.progress.report('verifying', events, of);
    },
  });
}
