import type { Usage } from '../event/event.ts';

/** What summarizer calls cost, in tokens they reported. What was not reported is not known, and not in it. */
export interface Spend {
  readonly inputTokens: number;
  /** Reasoning included. */
  readonly outputTokens: number;
  /** How many calls reported these. */
  readonly calls: number;
}

/**
 * What one call cost by what it reported; undefined where that is nothing, as of a summarizer that has no model. Some
 * report reasoning, or what came from a cache, beside the whole instead of in it: then it is added, once.
 */
export function spendOf(reported: Usage | undefined): Spend | undefined {
  if (reported === undefined) return undefined;
  const inputTokens = wholeOf(reported.inputTokens, reported.cachedInputTokens);
  const outputTokens = wholeOf(reported.outputTokens, reported.reasoningTokens);
  if (inputTokens + outputTokens === 0) return undefined;
  return Object.freeze({ inputTokens, outputTokens, calls: 1 });
}

/** What both cost. */
export function addSpend(a: Spend | undefined, b: Spend | undefined): Spend | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Object.freeze({
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    calls: a.calls + b.calls,
  });
}

/** A part that is more than its whole was not counted in it. */
function wholeOf(whole = 0, part = 0): number {
  return part > whole ? whole + part : whole;
}
