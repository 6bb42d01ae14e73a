import type { RawEvent } from '../coverage/view.ts';
import type { ExchangeId } from '../event/obligation.ts';

/** The kept tail's two bounds; the larger holds. */
export interface KeptTail {
  readonly events: number;
  readonly tokens: number;
}

/** Keeps the newest exchange and no more. */
export const NEWEST_ONLY: KeptTail = Object.freeze({ events: 0, tokens: 0 });

/**
 * The exchanges a reader's kept tail holds: those of the newest `events` raw events and of the newest that fit
 * `tokens`, whichever is more, and always the newest exchange. A tail is made of whole exchanges, so that one long
 * unanswered call does not drag all that came after it along.
 */
export function keptTail(raw: readonly RawEvent[], keep: KeptTail): ReadonlySet<ExchangeId> {
  const kept = new Set<ExchangeId>();
  let events = 0;
  let tokens = 0;
  for (let at = raw.length - 1; at >= 0; at -= 1) {
    const row = raw[at] as RawEvent;
    events += 1;
    tokens += row.event.tokens;
    if (kept.size > 0 && events > keep.events && tokens > keep.tokens) break;
    kept.add(row.exchange);
  }
  return kept;
}
