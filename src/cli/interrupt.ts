/** What the process ends with when it is interrupted. */
export const INTERRUPTED = 130 as const;

/**
 * Aborts on the first interrupt, so that the store is left whole; the second one leaves at once. Called before the rest is
 * loaded: what comes meanwhile would end the process without a word.
 */
export function onInterrupt(): AbortSignal {
  const stopping = new AbortController();
  process.on('SIGINT', () => {
    if (stopping.signal.aborted) process.exit(INTERRUPTED);
    stopping.abort();
  });
  process.on('SIGTERM', () => stopping.abort());
  return stopping.signal;
}
