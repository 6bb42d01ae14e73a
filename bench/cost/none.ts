import { PRICES } from './bill.ts';
import type { TurnSize } from './turns-of.ts';

/** What a session costs a call that is never compacted, in input-token equivalents: all before a call is read from the cache. */
export function costOfNone(
  systemTokens: number,
  turns: readonly TurnSize[],
): { perCall: number; mostTokens: number } {
  let before = 0;
  let tokens = systemTokens;
  let cost = 0;
  let calls = 0;
  for (const { input, output } of turns.flat()) {
    tokens += input;
    cost += before * PRICES.cached + (tokens - before) * PRICES.uncached + output * PRICES.output;
    before = tokens;
    tokens += output;
    calls += 1;
  }
  return { perCall: cost / calls, mostTokens: before };
}
