import type { Preview } from '../engine/preview.ts';
import type { Session } from '../engine/session.ts';
import { type CompactSettings, KEPT_EVENTS } from './compact-session.ts';
import type { Io } from './io.ts';

/** Asks what a compaction would do. Shows how far it is. */
export async function previewSession(
  io: Io,
  session: Session,
  { keep = { events: KEPT_EVENTS }, sliding }: CompactSettings,
): Promise<Preview> {
  let windows = 0;
  io.progress.begin('summarizing');
  const preview = await session.preview({
    keep,
    ...(sliding === undefined ? {} : { sliding }),
    signal: io.signal,
    onOutcome: () => {
      windows += 1;
      io.progress.report('summarizing, windows done', windows, null);
    },
  });
  io.signal.throwIfAborted();
  return preview;
}
