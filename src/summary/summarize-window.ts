import { InvalidSummaryError } from '../event/errors.ts';
import type { Seq } from '../event/ids.ts';
import type { ExchangeId } from '../event/obligation.ts';
import { type AskOptions, askSummarizer, refused, type SummaryCost, type SummaryFate } from './ask.ts';
import { codePoints } from './code-points.ts';
import { addSpend } from './spend.ts';
import { MIN_TRANSCRIPT_CODE_POINTS, shownCodePoints, splitShown } from './split.ts';
import type { PreviousSummary, Summarizer, SummaryRequest } from './summarizer.ts';
import type { Shown } from './transcript.ts';
import { DEFAULT_CAPS } from './transcript-caps.ts';
import { mustKeepLine } from './transcript-line.ts';
import { addUsage } from './usage.ts';

/** How a window is summarized. */
export interface SummarizeWindowOptions extends AskOptions {
  /** The exchange an event of the window belongs to: a window too long for one call is split between exchanges. */
  readonly exchangeOf: (seq: Seq) => ExchangeId;
}

/** A part is asked for one token for so many code points a call takes: then several parts' summaries fit one call. */
const CODE_POINTS_PER_PART_TOKEN = 16;
const NONE: readonly never[] = Object.freeze([]);
/** With fewer tokens a part cannot say anything. */
const MIN_PART_TOKENS = 32;

/**
 * Summarizes a window: in one call where it fits, else its parts one after the other, and then their summaries, level by
 * level, until one call takes what is left. A part its summarizer finds too long is split again. Every answer passes the
 * gate; a bad part fails the whole. Only a `summary` may be committed, once `requireSmaller` finds it worth it. The cost
 * is of all calls, whatever the fate. Never throws for what the summarizer does.
 */
export async function summarizeWindow(
  summarizer: Summarizer,
  request: SummaryRequest,
  options: SummarizeWindowOptions,
): Promise<SummaryFate & SummaryCost> {
  const { caps = DEFAULT_CAPS } = summarizer;
  const { maxSummaryTokens, identity, mustKeep } = request;
  let limit = roomBeside(mustKeep, summarizer.maxTranscriptCodePoints);
  let partTokens = Math.min(maxSummaryTokens, tokensOfPart(limit));
  let cost: SummaryCost = { calls: 0, usage: undefined, estimated: false, spend: undefined };
  const split = (shown: Shown): readonly Shown[] =>
    splitShown(shown, { limit, caps, exchangeOf: options.exchangeOf });
  const ask = async (shown: Shown, maxTokens: number): Promise<SummaryFate> => {
    const asked = {
      ...shown,
      maxSummaryTokens: maxTokens,
      ...(identity === undefined ? {} : { identity }),
      ...(mustKeep === undefined ? {} : { mustKeep }),
    };
    const { calls, usage, estimated, spend, ...fate } = await askSummarizer(summarizer, asked, options);
    cost = {
      calls: cost.calls + calls,
      usage: addUsage(cost.usage, usage),
      estimated: cost.estimated || estimated,
      spend: addSpend(cost.spend, spend),
    };
    return fate;
  };
  /** The part in smaller ones, if it was found too long and can be split; all that follows is split as small. */
  const splitAgain = (part: Shown, fate: SummaryFate): readonly Shown[] | undefined => {
    if (fate.kind !== 'declined' || fate.reason !== 'too_long') return undefined;
    const half = Math.floor(shownCodePoints(part, caps) / 2);
    if (half < MIN_TRANSCRIPT_CODE_POINTS) return undefined;
    limit = half;
    partTokens = Math.min(partTokens, tokensOfPart(limit));
    return split(part);
  };

  let parts = split(ownCopy(request));
  let carry = true;
  for (;;) {
    const [only = request, ...more] = parts;
    if (more.length === 0) {
      const fate = await ask(only, maxSummaryTokens);
      const smaller = splitAgain(only, fate);
      if (smaller === undefined) return Object.freeze({ ...fate, ...cost });
      parts = smaller;
      continue;
    }
    const summaries: PreviousSummary[] = [];
    const queue = [...parts];
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      const alone = carry ? loneSummary(part) : undefined;
      if (alone !== undefined) {
        summaries.push(alone);
        continue;
      }
      const fate = await ask(part, partTokens);
      const smaller = splitAgain(part, fate);
      if (smaller !== undefined) queue.unshift(...smaller);
      else if (fate.kind !== 'summary') return Object.freeze({ ...fate, ...cost });
      else summaries.push(Object.freeze({ ...rangeOf(part), text: fate.text }));
    }
    const next = split({ previous: Object.freeze(summaries), context: NONE, events: NONE });
    // No two of them fit one call: ask for shorter ones. Halving ends, and more parts than before is no progress at all.
    carry = next.length < summaries.length;
    if (!carry) partTokens = Math.floor(partTokens / 2);
    if (next.length > summaries.length || (!carry && partTokens < MIN_PART_TOKENS)) {
      return Object.freeze({ ...refused(new InvalidSummaryError('not_smaller')), ...cost });
    }
    parts = next;
  }
}

/** What is left of a call's transcript beside the values it must keep. */
function roomBeside(mustKeep: readonly string[] | undefined, limit: number | undefined): number | undefined {
  if (limit === undefined || mustKeep === undefined) return limit;
  return limit - codePoints(mustKeepLine(mustKeep)) - 1;
}

/** Lists of its own, frozen, so that nothing a summarizer does reaches the caller's. The events in them are frozen already. */
function ownCopy(request: SummaryRequest): Shown {
  return Object.freeze({
    previous: Object.freeze(request.previous.map((previous) => Object.freeze({ ...previous }))),
    context: Object.freeze([...request.context]),
    events: Object.freeze([...request.events]),
  });
}

function tokensOfPart(limit: number | undefined): number {
  return Math.floor(Math.max(limit || 0, MIN_TRANSCRIPT_CODE_POINTS) / CODE_POINTS_PER_PART_TOKEN);
}

/** A part that is one whole summary: there is nothing to merge it with on this level. */
function loneSummary(part: Shown): PreviousSummary | undefined {
  const [only, ...more] = part.previous;
  return more.length === 0 && part.events.length === 0 && only?.piece === undefined ? only : undefined;
}

/** What a part's summary stands for. */
function rangeOf(part: Shown): { readonly firstSeq: Seq; readonly lastSeq: Seq } {
  let firstSeq = Number.POSITIVE_INFINITY;
  let lastSeq = 0;
  for (const { firstSeq: first, lastSeq: last } of part.previous) {
    firstSeq = Math.min(firstSeq, first);
    lastSeq = Math.max(lastSeq, last);
  }
  for (const { seq } of part.events) {
    firstSeq = Math.min(firstSeq, seq);
    lastSeq = Math.max(lastSeq, seq);
  }
  return { firstSeq, lastSeq };
}
