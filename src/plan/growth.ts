import type { View } from '../coverage/view.ts';
import { type KeptTail, keptTail } from './kept-tail.ts';
import { coverableTail } from './tail.ts';

/** What the prompt may take beside what is learned here. */
export interface GrowthRoom {
  readonly keep: KeptTail;
  /** Stored tokens a prompt may take in all (the input limit less the overhead, in the counter's); null where nobody said. */
  readonly roomTokens: number | null;
}

/** The price of re-reading a cached token, where a fresh one costs 1 and one written 5. */
const CACHED = 0.1;
const OUTPUT = 5;
/** What a summarizer is told beside what it summarizes, in tokens. */
const INSTRUCTION_TOKENS = 400;
/** Merges a window, and the summaries one reads: whatever the number of live summaries, about so. */
const MERGES_A_WINDOW = 1 / 3;
const SUMMARIES_A_MERGE = 4;

/** Between these the bill is flat whatever the session; outside, what was learned is noise. */
const LEAST_GROWTH_TOKENS = 4_000;
const MOST_GROWTH_TOKENS = 32_000;

/** With fewer replies in the tail, or no summaries yet, what the sessions measured have at their mean. */
const LEAST_REPLIES = 6;
const USUAL_CALL_TOKENS = 500;
const USUAL_SUMMARY_TOKENS = 700;
/** The replies that may come between reaching the growth and covering it. */
const REPLIES_TO_SPARE = 4;

/**
 * How many stored tokens to let gather beyond the kept tail before covering them, so that re-reading them and
 * compacting cost the least together: D = sqrt(2rC/c), with r the tokens a model call adds, c the price of re-reading a
 * cached token and C what a compaction costs: the cache it breaks (the tail kept and the summary, L + S, paid in full
 * once), the summary written, the instruction, and its share of the merges. Learned from the view; between 4,000 and
 * 32,000, and no more than the room a request has.
 */
export function learnedGrowth(view: View, room: GrowthRoom): number {
  const { keep, roomTokens } = room;
  const summary = summaryTokens(view);
  const kept = keptTokens(view, keep);
  const perCall = callTokens(view);
  const merge = MERGES_A_WINDOW * (SUMMARIES_A_MERGE * summary + OUTPUT * summary + INSTRUCTION_TOKENS);
  const compaction = (1 - CACHED) * (kept + summary) + OUTPUT * summary + INSTRUCTION_TOKENS + merge;
  const best = Math.sqrt((2 * perCall * compaction) / CACHED);
  const growth = Math.round(Math.min(MOST_GROWTH_TOKENS, Math.max(LEAST_GROWTH_TOKENS, best)));
  if (roomTokens === null) return growth;
  const left = roomTokens - kept - fixedTokens(view, keep);
  return Math.max(1, Math.min(growth, Math.floor(Math.max(left - REPLIES_TO_SPARE * perCall, left / 2))));
}

/** Stored tokens of the prompt beside the kept tail that do not come and go with the growth: summaries, and what is held back. */
function fixedTokens(view: View, keep: KeptTail): number {
  const kept = keptTail(view.raw, keep);
  let tokens = -coverableTail(view, keep);
  for (const { exchange, event } of view.raw) if (!kept.has(exchange)) tokens += event.tokens;
  for (const { event } of view.recovered) tokens += event.tokens;
  for (const { record } of view.records) tokens += record.tokens.summary;
  return tokens;
}

/** Stored tokens a model call adds to the prompt: what is raw, by the replies in it. */
function callTokens(view: View): number {
  const replies = new Set<string>();
  let tokens = 0;
  for (const { event } of view.raw) {
    if (event.role === 'system') continue;
    tokens += event.tokens;
    if (event.role === 'assistant') {
      replies.add(
        event.reply === undefined ? `seq ${event.seq}` : `reply ${event.invocation}\u0000${event.reply}`,
      );
    }
  }
  return replies.size < LEAST_REPLIES ? USUAL_CALL_TOKENS : tokens / replies.size;
}

/** What a window's summary takes in the prompt. */
function summaryTokens(view: View): number {
  const made = view.records.filter(({ record }) => record.level === 1);
  if (made.length === 0) return USUAL_SUMMARY_TOKENS;
  return made.reduce((sum, { record }) => sum + record.tokens.summary, 0) / made.length;
}

function keptTokens(view: View, keep: KeptTail): number {
  const kept = keptTail(view.raw, keep);
  let tokens = 0;
  for (const row of view.raw) if (kept.has(row.exchange)) tokens += row.event.tokens;
  return Math.max(keep.tokens, tokens);
}
