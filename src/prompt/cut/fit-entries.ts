import type { Count } from '../../coverage/view.ts';
import type { StoredEvent } from '../../event/event.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import type { EventEntry, PromptEntry } from '../prompt.ts';
import { eventCutter } from './cut-event.ts';

/** The smallest cap: what is left of an event still says what it is about. */
export const LEAST_CAP = 256;

/** Entries, and what is not shown of them. */
export interface FittedEntries {
  readonly entries: readonly PromptEntry[];
  readonly cut: Count;
}

/**
 * Entries whose largest events are shown cut, so that at least `over` tokens less are shown: each to the largest cap, of
 * the powers of two from 256 up, with which that is so. The application's instructions are cut only where all else at the
 * smallest cap is not enough. Where nothing is enough, all are at the smallest cap.
 */
export function fitEntries(
  entries: readonly PromptEntry[],
  over: number,
  counter: TokenCounter,
): FittedEntries {
  const large = entries.filter(
    (entry): entry is EventEntry => entry.kind === 'event' && entry.event.tokens > LEAST_CAP,
  );
  const said = new Cuts(
    large.filter(({ event }) => event.role !== 'system'),
    counter,
  );
  const instructions = new Cuts(
    large.filter(({ event }) => event.role === 'system'),
    counter,
  );
  let shown = said.atLargestCap(over);
  if (savedBy(shown) < over) shown = [...shown, ...instructions.atLargestCap(over - savedBy(shown))];
  const bySeq = new Map(shown.map((cut) => [cut.event.seq, cut]));
  return {
    entries: entries.map((entry) => {
      const cut = entry.kind === 'event' ? bySeq.get(entry.event.seq) : undefined;
      return entry.kind !== 'event' || cut === undefined
        ? entry
        : Object.freeze({ ...entry, event: cut.event, cut: Object.freeze({ tokens: cut.tokens }) });
    }),
    cut: Object.freeze({ events: shown.length, tokens: savedBy(shown) }),
  };
}

/** An event as shown, and how many of its tokens are not. */
interface CutEvent {
  readonly event: StoredEvent;
  readonly tokens: number;
}

function savedBy(cuts: readonly CutEvent[]): number {
  return cuts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The large events of a prompt, each counted when first cut. */
class Cuts {
  readonly #events: readonly StoredEvent[];
  readonly #counter: TokenCounter;
  readonly #cutters = new Map<StoredEvent, (cap: number) => StoredEvent>();

  constructor(entries: readonly EventEntry[], counter: TokenCounter) {
    this.#events = entries.map(({ event }) => event);
    this.#counter = counter;
  }

  /** Cut to the largest cap with which at least `over` tokens are saved, else to the smallest. */
  atLargestCap(over: number): readonly CutEvent[] {
    const largest = this.#events.reduce((most, { tokens }) => Math.max(most, tokens), 0);
    let cap = LEAST_CAP;
    while (cap * 2 < largest && this.#savedBy(cap * 2) >= over) cap *= 2;
    let cuts = this.#at(cap);
    for (; cap > LEAST_CAP && savedBy(cuts) < over; cuts = this.#at(cap)) cap /= 2;
    // What cannot take all of a cap (an image and its label have nothing between them) saves more than that.
    while (cap * 2 < largest && savedBy(cuts) >= over) {
      const further = this.#at(cap * 2);
      if (savedBy(further) < over) break;
      cuts = further;
      cap *= 2;
    }
    return cuts;
  }

  /** What a cap saves where each event over it takes all of it. */
  #savedBy(cap: number): number {
    return this.#events.reduce((sum, { tokens }) => sum + Math.max(0, tokens - cap), 0);
  }

  #at(cap: number): readonly CutEvent[] {
    return this.#events.flatMap((event) => {
      if (event.tokens <= cap) return [];
      const shown = this.#cutter(event)(cap);
      return shown === event ? [] : [{ event: shown, tokens: event.tokens - shown.tokens }];
    });
  }

  #cutter(event: StoredEvent): (cap: number) => StoredEvent {
    const known = this.#cutters.get(event) ?? eventCutter(event, this.#counter);
    this.#cutters.set(event, known);
    return known;
  }
}
