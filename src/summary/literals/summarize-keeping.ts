import type { Literal } from '../../coverage/record.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import type { SummaryCost, SummaryFate } from '../ask.ts';
import { addSpend } from '../spend.ts';
import { type SummarizeWindowOptions, summarizeWindow } from '../summarize-window.ts';
import type { Summarizer, SummaryRequest } from '../summarizer.ts';
import { addUsage } from '../usage.ts';
import { chooseLiterals, tokensOfList } from './choose-literals.ts';
import { literalFates, shareKept } from './literal-fates.ts';
import type { FoundLiteral } from './literal-kind.ts';

/** How a window is summarized and its literals kept. */
export interface SummarizeKeepingOptions extends SummarizeWindowOptions {
  /** The literals of what the answer covers, most important first; none where nothing is to be done about them. */
  readonly found: readonly FoundLiteral[];
  /** The least share, 0 to 1, of the 100 most important that the prose must keep, or it is asked for once more; 0 for any. */
  readonly literalsFloor: number;
  /** The most tokens the list beside the prose may take; see {@link shareAllowance}. */
  readonly listTokens: number;
}

/** What became of a window: the prose, the literals carried beside it, and how many of the most important both keep. */
export type KeepingFate =
  | Exclude<SummaryFate, { readonly kind: 'summary' }>
  | (Extract<SummaryFate, { readonly kind: 'summary' }> & {
      readonly literals: readonly Literal[];
      readonly share: { readonly found: number; readonly kept: number };
    });

/** The list takes at most this share of a summary's tokens… */
const LIST_SHARE = 0.25;
/** …but of a small summary so many, up to a larger share: fewer hold a heading and nothing under it. */
const SMALL_LIST = 60;
const SMALL_LIST_SHARE = 0.4;

/**
 * How the tokens a summary may take are shared out: a quarter to the list of literals, or less where all of them take
 * less, and the rest to the prose.
 */
export function shareAllowance(
  tokens: number,
  found: readonly FoundLiteral[],
  counter: TokenCounter,
): { readonly prose: number; readonly list: number } {
  const share = Math.max(tokens * LIST_SHARE, Math.min(SMALL_LIST, tokens * SMALL_LIST_SHARE));
  const list = Math.floor(Math.min(share, tokensOfList(found, counter)));
  return { prose: tokens - list, list };
}

/** A second request names so many values at most, in code points of all: the rest of it is for the transcript. */
const MOST_NAMED = 2_000;

/**
 * Summarizes a window so that its concrete values survive: the most important that the prose does not keep go into a list
 * beside it. The list may take its own tokens and as many again of those the prose left. Prose that keeps less than the
 * floor is asked for once more, naming what it lost; the better of the two stands, and where that is under the floor too,
 * the list may take all that the prose left. Never throws for what the summarizer does.
 */
export async function summarizeKeeping(
  summarizer: Summarizer,
  request: SummaryRequest,
  options: SummarizeKeepingOptions,
): Promise<KeepingFate & SummaryCost> {
  const { counter, found, literalsFloor, listTokens } = options;
  const first = await summarizeWindow(summarizer, request, options);
  if (first.kind !== 'summary') return first;
  const floor = Math.ceil(Math.min(found.length, 100) * literalsFloor);
  let { text, calls, usage, estimated, spend } = first;
  if (keptBy(found, text) < floor) {
    const again = Object.freeze({ ...request, mustKeep: lostBy(found, text) });
    const second = await summarizeWindow(summarizer, again, options);
    calls += second.calls;
    usage = addUsage(usage, second.usage);
    estimated ||= second.estimated;
    spend = addSpend(spend, second.spend);
    if (second.kind === 'summary' && keptBy(found, second.text) > keptBy(found, text)) text = second.text;
  }
  const left = Math.max(0, request.maxSummaryTokens - counter.count(text));
  const more = keptBy(found, text) < floor ? left : Math.min(left, listTokens);
  const literals = chooseLiterals(found, text, listTokens + more, counter);
  const share = shareKept(literalFates(found, { text, literals }));
  return Object.freeze({ kind: 'summary', text, literals, share, calls, usage, estimated, spend });
}

/** How many of the most important literals the prose keeps. */
function keptBy(found: readonly FoundLiteral[], text: string): number {
  return shareKept(literalFates(found, { text, literals: [] })).kept;
}

/** The most important ones it does not. */
function lostBy(found: readonly FoundLiteral[], text: string): readonly string[] {
  const lost: string[] = [];
  let left = MOST_NAMED;
  for (const { fate, text: value } of literalFates(found, { text, literals: [] })) {
    if (fate !== 'dropped' || value.length > left) continue;
    left -= value.length;
    lost.push(value);
  }
  return Object.freeze(lost);
}
