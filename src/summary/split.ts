import type { Seq } from '../event/ids.ts';
import type { ExchangeId } from '../event/obligation.ts';
import { codePoints } from './code-points.ts';
import { pieceEvent, piecePrevious } from './pieces.ts';
import type { PreviousSummary, SourceEvent } from './summarizer.ts';
import { FRAME_CODE_POINTS, type Shown } from './transcript.ts';
import type { TranscriptCaps } from './transcript-caps.ts';
import { eventLines, type LineKind, previousLine } from './transcript-line.ts';

/** The least a call's transcript may be bounded to: the frame, one line's fields, and room to advance. */
export const MIN_TRANSCRIPT_CODE_POINTS = 4_000;

/** Context that does not fit beside what is covered is given up to this share of a call. */
const CONTEXT_SHARE = 0.25;

/** What a window is split by. */
export interface SplitOptions {
  /** The most code points of one call's transcript; under {@link MIN_TRANSCRIPT_CODE_POINTS} it counts as that. Missing: no bound. */
  readonly limit?: number | undefined;
  readonly caps: TranscriptCaps;
  /** The exchange an event belongs to: exchanges are kept together while one fits a call. */
  readonly exchangeOf: (seq: Seq) => ExchangeId;
}

/** What is shown in one line or more and covered: it goes into exactly one call, or in pieces into several. */
type Item =
  | { readonly kind: 'previous'; readonly previous: PreviousSummary; readonly cost: number }
  | { readonly kind: 'event'; readonly event: SourceEvent; readonly cost: number };

/**
 * What each call is shown, in order: everything at once if it fits; else split at exchange boundaries, an exchange too
 * large alone between its events, an event or a previous summary too large alone into numbered pieces. Nothing is
 * dropped or refused, and every call fits the limit. Context goes along with every call: all of it if it fits a quarter
 * of one, else the newest of it that does.
 */
export function splitShown(shown: Shown, options: SplitOptions): readonly Shown[] {
  const { limit, caps } = options;
  if (limit === undefined) return [shown];
  const room = Math.max(Math.floor(limit) || 0, MIN_TRANSCRIPT_CODE_POINTS) - FRAME_CODE_POINTS;
  const blocks = [
    ...shown.previous.map((previous) => [previousItem(previous)]),
    ...exchangeBlocks(shown.events, options),
  ];
  const context = shown.context.map((event) => ({ event, cost: eventCost(event, 'context', caps) }));
  if (sum(blocks.flat()) + sum(context) <= room) return [shown];
  const kept = newestWithin(context, room * CONTEXT_SHARE);
  const contextEvents = Object.freeze(kept.map((item) => item.event));
  return packed(blocks, room - sum(kept), caps).map((items) =>
    Object.freeze({
      previous: Object.freeze(items.flatMap((item) => (item.kind === 'previous' ? [item.previous] : []))),
      context: contextEvents,
      events: Object.freeze(items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))),
    }),
  );
}

/** Code points of a transcript that shows this, but for its frame. */
export function shownCodePoints(shown: Shown, caps: TranscriptCaps): number {
  let codePoints = 0;
  for (const previous of shown.previous) codePoints += previousItem(previous).cost;
  for (const event of shown.context) codePoints += eventCost(event, 'context', caps);
  for (const event of shown.events) codePoints += eventCost(event, 'event', caps);
  return codePoints;
}

/** The smallest runs of events that no exchange crosses. Exchanges may interleave: then they share a run. */
function exchangeBlocks(events: readonly SourceEvent[], options: SplitOptions): Item[][] {
  const lastIndex = new Map<ExchangeId, number>();
  for (const [index, event] of events.entries()) lastIndex.set(options.exchangeOf(event.seq), index);
  const blocks: Item[][] = [];
  let block: Item[] = [];
  let end = 0;
  for (const [index, event] of events.entries()) {
    block.push({ kind: 'event', event, cost: eventCost(event, 'event', options.caps) });
    end = Math.max(end, lastIndex.get(options.exchangeOf(event.seq)) ?? index);
    if (index < end) continue;
    blocks.push(block);
    block = [];
  }
  return blocks;
}

/** Fills calls in order: a block that does not fit what is left begins a new one, and is itself cut only if it fits none. */
function packed(
  blocks: readonly (readonly Item[])[],
  room: number,
  caps: TranscriptCaps,
): readonly (readonly Item[])[] {
  const calls: Item[][] = [];
  let left = 0;
  if (blocks.length === 0) calls.push([]);
  const put = (items: readonly Item[]): void => {
    const cost = sum(items);
    if (cost > left) {
      calls.push([]);
      left = room;
    }
    calls.at(-1)?.push(...items);
    left -= cost;
  };
  for (const block of blocks) {
    if (sum(block) <= room) put(block);
    else
      for (const item of block)
        for (const piece of item.cost <= room ? [item] : pieces(item, room, caps)) put([piece]);
  }
  return calls;
}

function pieces(item: Item, room: number, caps: TranscriptCaps): readonly Item[] {
  if (item.kind === 'previous') return piecePrevious(item.previous, room).map(previousItem);
  return pieceEvent(item.event, room, caps).map(
    (event): Item => ({ kind: 'event', event, cost: eventCost(event, 'event', caps) }),
  );
}

/** The newest items that fit, in their order; one too large alone is passed over. */
function newestWithin<T extends { readonly cost: number }>(items: readonly T[], room: number): readonly T[] {
  const kept: T[] = [];
  let left = room;
  for (const item of items.toReversed()) {
    if (item.cost > left) continue;
    kept.push(item);
    left -= item.cost;
  }
  return kept.reverse();
}

function previousItem(previous: PreviousSummary): Item {
  return { kind: 'previous', previous, cost: lineCost(previousLine(previous)) };
}

function eventCost(event: SourceEvent, kind: LineKind, caps: TranscriptCaps): number {
  let cost = 0;
  for (const line of eventLines(event, kind, caps)) cost += lineCost(line);
  return cost;
}

/** A line and its line break. */
function lineCost(line: string): number {
  return codePoints(line) + 1;
}

function sum(items: readonly { readonly cost: number }[]): number {
  let cost = 0;
  for (const item of items) cost += item.cost;
  return cost;
}
