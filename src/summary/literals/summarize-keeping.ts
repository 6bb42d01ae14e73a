import type { Literal, Summary } from '../../coverage/record.ts';
import type { SummaryCost, SummaryFate } from '../ask.ts';
import { type SummarizeWindowOptions, summarizeWindow } from '../summarize-window.ts';
import type { Summarizer, SummaryRequest } from '../summarizer.ts';
import { addUsage } from '../usage.ts';
import { chooseLiterals } from './choose-literals.ts';
import { gatherLiterals } from './gather-literals.ts';
import { literalFates, shareKept } from './literal-fates.ts';
import type { FoundLiteral } from './literal-kind.ts';

/** What is done about literals. */
export interface LiteralsPolicy {
  /** False: none are looked for, and a summary's prose has all the room. */
  readonly literals: boolean;
  /** The least share, 0 to 1, of the 100 most important that the prose must keep, or it is asked for once more; 0 for any. */
  readonly literalsFloor: number;
}

/** How a window is summarized and its literals kept. */
export interface SummarizeKeepingOptions extends SummarizeWindowOptions, LiteralsPolicy {
  /** The summaries the answer replaces, oldest first: their literals go on. */
  readonly superseded: readonly Summary[];
  /** The most tokens the list beside the prose may take. */
  readonly listTokens: number;
}

/** What became of a window: the prose, the literals carried beside it, and how many of the most important both keep. */
export type KeepingFate =
  | Exclude<SummaryFate, { readonly kind: 'summary' }>
  | (Extract<SummaryFate, { readonly kind: 'summary' }> & {
      readonly literals: readonly Literal[];
      readonly share: { readonly found: number; readonly kept: number };
    });

/** The list takes this share of a summary's allowance. */
const LIST_SHARE = 0.25;

/** How the tokens a summary may take are shared out to its prose and to the list beside it. */
export function shareAllowance(
  tokens: number,
  { literals }: Pick<LiteralsPolicy, 'literals'>,
): { readonly prose: number; readonly list: number } {
  const list = literals ? Math.floor(tokens * LIST_SHARE) : 0;
  return { prose: tokens - list, list };
}

/** A second request names so many values at most, in code points of all: the rest of it is for the transcript. */
const MOST_NAMED = 2_000;
const NONE = Object.freeze({ found: 0, kept: 0 });

/**
 * Summarizes a window so that its concrete values survive: the most important values the prose does not keep go into a
 * list beside it. Prose that keeps less than the floor is asked
 * for once more, naming what it lost; the better of the two stands, and where that is under the floor too, the list may
 * take what the prose left of its own tokens. Never throws for what the summarizer does.
 */
export async function summarizeKeeping(
  summarizer: Summarizer,
  request: SummaryRequest,
  options: SummarizeKeepingOptions,
): Promise<KeepingFate & SummaryCost> {
  const { counter, literalsFloor, superseded, listTokens } = options;
  if (!options.literals) {
    const fate = await summarizeWindow(summarizer, request, options);
    return fate.kind === 'summary' ? { ...fate, literals: [], share: NONE } : fate;
  }
  const first = await summarizeWindow(summarizer, request, options);
  if (first.kind !== 'summary') return first;
  const found = await gatherLiterals(request.events, superseded);
  const floor = Math.ceil(Math.min(found.length, 100) * literalsFloor);
  let { text, calls, usage, estimated } = first;
  if (keptBy(found, text) < floor) {
    const again = Object.freeze({ ...request, mustKeep: lostBy(found, text) });
    const second = await summarizeWindow(summarizer, again, options);
    calls += second.calls;
    usage = addUsage(usage, second.usage);
    estimated ||= second.estimated;
    if (second.kind === 'summary' && keptBy(found, second.text) > keptBy(found, text)) text = second.text;
  }
  const left = keptBy(found, text) < floor ? request.maxSummaryTokens - counter.count(text) : 0;
  const literals = chooseLiterals(found, text, listTokens + Math.max(0, left), counter);
  const share = shareKept(literalFates(found, { text, literals }));
  return Object.freeze({ kind: 'summary', text, literals, share, calls, usage, estimated });
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
