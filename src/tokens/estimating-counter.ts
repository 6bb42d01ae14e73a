import { KIND_COUNT, KIND_OF, Kind } from './character-kind.ts';
import { CHEAP_FROM, costAfter, isLetter, LONG_WORD, REPETITION } from './token-costs.ts';
import type { TokenCounter } from './token-counter.ts';

/** A longer text is estimated from blocks spread evenly over it: reading it all would block the event loop. */
const MOST_READ = 2_000_000;
const BLOCK = 4_000;

/**
 * Estimates o200k tokens in one pass without allocation: within 8 % in total over real logs, prose, code and tool JSON,
 * mostly within 10 % for one text of some thousand characters. The empty text counts 0, any other at least 1. Up to
 * 2,000,000 characters, appending to a text never lowers its count; a longer text is estimated from as many, spread
 * evenly.
 */
export const estimatingCounter: TokenCounter = Object.freeze({
  name: 'estimate-o200k',
  quality: 'estimate',
  count: estimateTokens,
});

function estimateTokens(text: string): number {
  if (text.length === 0) return 0;
  if (text.length <= MOST_READ) return Math.max(1, Math.round(hundredthsOf(text, 0, text.length) / 100));
  const blocks = Math.floor(MOST_READ / BLOCK);
  let hundredths = 0;
  for (let block = 0; block < blocks; block += 1) {
    const from = Math.floor((block * (text.length - BLOCK)) / (blocks - 1));
    hundredths += hundredthsOf(text, from, from + BLOCK);
  }
  return Math.round((hundredths / 100) * (text.length / MOST_READ));
}

// The pass is a table walk: a state is all of the text so far that matters to the next character's cost. Deciding per
// character instead takes three times as long, for mispredicted branches.

/** Entries of a state are this many apart, so that finding one is a shift. */
const SHIFT = 5;
/** An entry holds a cost in its low bits and the next state above them. */
const COST_BITS = 8;
const COST_MASK = (1 << COST_BITS) - 1;
const STATES: readonly State[] = allStates();
const START = STATES.findIndex((state) => state.kind === Kind.start);
const STEPS: Uint16Array = allSteps();

/** Estimated hundredths of a token from one index to before another. */
function hundredthsOf(text: string, from: number, to: number): number {
  let hundredths = 0;
  let state = START;
  let previous = -1;
  let repetitions = 0;
  for (let index = from; index < to; index += 1) {
    const code = text.charCodeAt(index);
    const kind = KIND_OF[code] as number;
    const step = STEPS[(state << SHIFT) | kind] as number;
    state = step >> COST_BITS;
    if (code === previous) {
      repetitions += 1;
      hundredths +=
        repetitions >= (CHEAP_FROM[kind] as number) ? (REPETITION[kind] as number) : step & COST_MASK;
    } else {
      repetitions = 0;
      previous = code;
      hundredths += step & COST_MASK;
    }
  }
  return hundredths;
}

/** The kind of the last character and, of a letter, its place in its word; of a digit, its place in its group of three. */
interface State {
  readonly kind: number;
  readonly count: number;
}

function allStates(): readonly State[] {
  const states: State[] = [];
  for (let kind = 0; kind < KIND_COUNT; kind += 1) {
    if (kind === Kind.digit) for (let count = 0; count < 3; count += 1) states.push({ kind, count });
    else if (!isLetter(kind)) states.push({ kind, count: 0 });
    else for (let count = 1; count <= LONG_WORD + 1; count += 1) states.push({ kind, count });
  }
  return states;
}

function allSteps(): Uint16Array {
  const steps = new Uint16Array(STATES.length << SHIFT);
  for (const [at, state] of STATES.entries()) {
    for (let kind = 0; kind < KIND_COUNT; kind += 1) {
      const count = countAfter(state, kind);
      const next = STATES.findIndex((other) => other.kind === kind && other.count === count);
      steps[(at << SHIFT) | kind] = (next << COST_BITS) | costAfter(state.kind, kind, count);
    }
  }
  return steps;
}

function countAfter(state: State, kind: number): number {
  if (kind === Kind.digit) return state.kind === Kind.digit ? (state.count + 1) % 3 : 0;
  if (!isLetter(kind)) return 0;
  const startsWord = !isLetter(state.kind) || (kind === Kind.upper && state.kind !== Kind.upper);
  return startsWord ? 1 : Math.min(state.count + 1, LONG_WORD + 1);
}
