import type { StoredEvent } from '../../event/event.ts';
import { clusterEnd, clusterStart } from '../../tokens/cluster.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import { cutMarker } from './marker.ts';

/** What a text costs where it stands: as it is, or inside JSON. */
export type Measure = (text: string) => number;

/** A text and what it costs, weighed once: it may have megabytes. */
export interface WeighedText {
  readonly text: string;
  readonly tokens: number;
  /** What it costs for each token of its estimate. Cuts are found by estimates, which are cheap, and then measured. */
  readonly scale: number;
}

/** A counter that says of nearly nothing that it costs anything must not make cuts endless. */
const LEAST_SCALE = 0.01;

/** A text with its cost. */
export function weigh(text: string, measure: Measure): WeighedText {
  const tokens = measure(text);
  const estimate = estimatingCounter.count(text);
  return { text, tokens, scale: estimate === 0 ? 1 : Math.max(tokens / estimate, LEAST_SCALE) };
}

/** How often a cut that came out over its room is made again, smaller. */
const ATTEMPTS = 6;

/** How the texts of one run are cut. */
export interface TextCut {
  readonly event: Pick<StoredEvent, 'id' | 'seq'>;
  readonly measure: Measure;
  /** Tokens a text costs beside its own. */
  readonly each: number;
  /** Tokens the run may cost. */
  readonly room: number;
}

/**
 * Texts that follow one another, cut to a room: the first and the last of them, in equal shares by tokens, around one
 * text with a marker that says how much is missing. As they are where they fit. Where not even the marker fits, it alone.
 */
export function cutTexts(texts: readonly WeighedText[], cut: TextCut): readonly string[] {
  const { event, measure, each, room } = cut;
  const total = texts.reduce((sum, { tokens }) => sum + each + tokens, 0);
  if (total <= room) return texts.map(({ text }) => text);
  let share = Math.floor((room - each - measure(cutMarker(event, total, ['', '']))) / 2);
  for (let attempt = 1; ; attempt += 1) {
    const shown = around(texts, Math.max(0, share), cut);
    const tokens = shown.whole + each + measure(shown.middle);
    if (tokens <= room || share <= 0) {
      return [...before(texts, shown.first), shown.middle, ...after(texts, shown.last)];
    }
    share = attempt < ATTEMPTS ? Math.min(share - 1, Math.floor(share - (tokens - room) / 2)) : 0;
  }
}

/** One text, cut in the same way. */
export function cutText(text: WeighedText, cut: Omit<TextCut, 'each'>): string {
  return cutTexts([text], { ...cut, each: 0 })[0] ?? '';
}

interface Around {
  /** The first and the last text that are not shown whole: `middle` stands for them and all between. */
  readonly first: number;
  readonly last: number;
  readonly middle: string;
  /** What those that are shown whole cost. */
  readonly whole: number;
}

function around(texts: readonly WeighedText[], share: number, { event, each }: TextCut): Around {
  let [headRoom, tailRoom] = [share, share];
  let first = 0;
  for (; first < texts.length - 1; first += 1) {
    const cost = each + (texts[first]?.tokens ?? 0);
    if (cost > headRoom) break;
    headRoom -= cost;
  }
  let last = texts.length - 1;
  for (; last > first; last -= 1) {
    const cost = each + (texts[last]?.tokens ?? 0);
    if (cost > tailRoom) break;
    tailRoom -= cost;
  }
  const [head, headTokens] = headOf(texts[first], headRoom);
  const [tail, tailTokens] = tailOf(texts[last], first === last ? head.length : 0, tailRoom);
  const between = texts.slice(first, last + 1).reduce((sum, { tokens }) => sum + tokens, 0);
  const missing = Math.max(1, Math.round(between - headTokens - tailTokens));
  const marker = cutMarker(event, missing, [head, tail]);
  const middle = [head, marker, tail].filter((words) => words !== '').join('\n');
  return { first, last, middle, whole: 2 * share - headRoom - tailRoom };
}

function headOf(from: WeighedText | undefined, room: number): readonly [string, number] {
  if (from === undefined) return ['', 0];
  const { text, scale } = from;
  const length = longestWithin(text.length, from, room, (most) => text.slice(0, most));
  const head = text.slice(0, clusterEnd(text, length));
  return [head, estimatingCounter.count(head) * scale];
}

/** The end of a text, not reaching over what is shown of its beginning. */
function tailOf(from: WeighedText | undefined, least: number, room: number): readonly [string, number] {
  if (from === undefined) return ['', 0];
  const { text, scale } = from;
  const length = longestWithin(text.length - least, from, room, (most) => text.slice(text.length - most));
  const tail = text.slice(clusterStart(text, text.length - length));
  return [tail, estimatingCounter.count(tail) * scale];
}

/** Guesses by the cost so far, then halves; never much further than is shown, so that what is read follows the room. */
const GUESSES = 6;
const STEPS = 40;
const GROWTH = 4;

/** The most characters whose estimate is within a room: nearly, from below. */
function longestWithin(
  length: number,
  { text, tokens, scale }: WeighedText,
  room: number,
  slice: (most: number) => string,
): number {
  if (room <= 0) return 0;
  let within = 0;
  let beyond = length + 1;
  let guess = (text.length * room) / Math.max(1, tokens);
  for (let step = 1; step <= STEPS && beyond - within > 1; step += 1) {
    const most = Math.min(Math.max(Math.floor(guess), within + 1), beyond - 1);
    const cost = estimatingCounter.count(slice(most)) * scale;
    if (cost > room) beyond = most;
    else within = most;
    if (cost <= room && cost >= room * 0.98) break;
    const further = Math.min(beyond, most * GROWTH);
    guess = step < GUESSES && cost > 0 ? Math.min((most * room) / cost, further) : (within + further) / 2;
  }
  return within;
}

function before(texts: readonly WeighedText[], first: number): readonly string[] {
  return texts.slice(0, first).map(({ text }) => text);
}

function after(texts: readonly WeighedText[], last: number): readonly string[] {
  return texts.slice(last + 1).map(({ text }) => text);
}
