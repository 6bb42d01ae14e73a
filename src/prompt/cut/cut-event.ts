import type { StoredEvent } from '../../event/event.ts';
import { EVENT_TOKENS } from '../../tokens/count-parts.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { cutPieces } from './cut-pieces.ts';
import { piecesOf } from './pieces.ts';

/**
 * How an event is shown within a cap of tokens, or as near as it goes: what it says cut to head and tail, `tokens` those
 * of what is shown, and all else of it as stored. The event itself where that is no smaller. Its content is counted once,
 * when the cutter is made.
 */
export function eventCutter(event: StoredEvent, counter: TokenCounter): (cap: number) => StoredEvent {
  const pieces = piecesOf(event.content, { event, counter });
  return (cap) => {
    const { parts: content, tokens: shown } = cutPieces(pieces, cap - EVENT_TOKENS);
    const tokens = EVENT_TOKENS + shown;
    return tokens < event.tokens ? Object.freeze({ ...event, content, tokens }) : event;
  };
}
