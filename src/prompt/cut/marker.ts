import { createHash } from 'node:crypto';
import type { StoredEvent } from '../../event/event.ts';
import { RECALL_TOOL } from '../recalled/recalled-text.ts';

/**
 * Stands where a part of an event is not shown. Constant words, numbers, and a fence made of the event's id and the very
 * words around it: no words can contain it, and what only looks like a marker does not have it.
 *
 * @param tokens How many tokens of the event are missing there.
 * @param around What is shown before and after it.
 */
export function cutMarker(
  event: Pick<StoredEvent, 'id' | 'seq'>,
  tokens: number,
  around: readonly [head: string, tail: string],
): string {
  const fence = createHash('sha256')
    .update(JSON.stringify([event.id, ...around]))
    .digest('hex')
    .slice(0, 16);
  return `[${tokens} tokens of event ${event.seq} are not shown here; the ${RECALL_TOOL} tool reads the rest, fence ${fence}]`;
}
