import type { StoredEvent } from '../event/event.ts';
import type { EventId, InvocationId } from '../event/ids.ts';
import { ROOT_LANE } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Part } from '../event/part.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { codePoints } from './code-points.ts';
import type { SourceEvent, SummaryRequest } from './summarizer.ts';

/** Every character that ends a line somewhere in Unicode. */
export const LINE_BREAKS: RegExp = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** A token for four code points. */
export const fourths: TokenCounter = {
  name: 'fourths',
  quality: 'estimate',
  count: (text) => Math.ceil(codePoints(text) / 4),
};

export function text(value: string): Part {
  return { type: 'text', text: value };
}

/** An event as a summarizer is shown it; a user's with one text where nothing else is said. */
export function shownEvent(
  seq: number,
  parts: readonly Part[],
  more: Partial<SourceEvent> = {},
): SourceEvent {
  return {
    seq,
    invocation: 'i1' as InvocationId,
    role: 'user',
    author: 'user',
    parts,
    unanswered: [],
    ...more,
  };
}

export function requestOf(
  events: readonly SourceEvent[],
  more: Partial<SummaryRequest> = {},
): SummaryRequest {
  return { previous: [], context: [], events, maxSummaryTokens: 1_000, ...more };
}

/** A stored event, deeply frozen as a store hands it out. */
export function loggedEvent(
  seq: number,
  content: readonly Part[],
  more: Partial<StoredEvent> = {},
): LoggedEvent {
  return deepFreeze({
    event: {
      seq,
      id: `e${seq}` as EventId,
      invocation: 'i1' as InvocationId,
      lane: ROOT_LANE,
      author: 'user',
      role: 'user',
      content,
      tokens: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
      ...more,
    },
    exchange: seq,
    pinned: false,
    laneOrdinal: seq,
    isolationOrdinal: seq,
    hash: '',
  });
}

/** Every object reachable from a value, by its own properties. */
export function reachable(value: unknown): ReadonlySet<object> {
  const found = new Set<object>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || found.has(next)) continue;
    found.add(next);
    pending.push(...Reflect.ownKeys(next).map((key): unknown => Reflect.get(next, key)));
  }
  return found;
}

export function deepFreeze<T>(value: T): T {
  for (const object of reachable(value)) Object.freeze(object);
  return value;
}
