import type { CheckedDraft } from '../event/draft.ts';
import type { DraftPart, StoredEvent } from '../event/event.ts';
import { hashEvent } from '../event/hash-event.ts';
import type { EventId, InvocationId, Seq } from '../event/ids.ts';
import type { Link } from '../event/link.ts';
import type { Part } from '../event/part.ts';
import { countParts } from '../tokens/count-parts.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** What the store says of a new event. */
export interface Sealing {
  readonly seq: Seq;
  readonly id: EventId;
  readonly invocation: InvocationId;
  /** ISO 8601; used where the draft names no time. */
  readonly now: string;
}

/** The event as it is stored, with its hash. Tokens and hash are taken here, once. */
export function sealEvent(
  draft: CheckedDraft,
  link: Link,
  sealing: Sealing,
  counter: TokenCounter,
): { readonly event: StoredEvent; readonly hash: string } {
  const { id: _id, invocation: _invocation, content: _content, createdAt, ...rest } = draft;
  const event: StoredEvent = Object.freeze({
    ...rest,
    seq: sealing.seq,
    id: sealing.id,
    invocation: sealing.invocation,
    content: link.content,
    tokens: countParts(link.content, counter),
    createdAt: createdAt ?? sealing.now,
  });
  return { event, hash: hashEvent(event) };
}

/**
 * Whether a draft of a known id says what is stored. Ids and names the store filled in are taken over first, and so is
 * the place: where an event was said is settled when it is first stored.
 */
export function saysTheSame(draft: CheckedDraft, stored: StoredEvent, hash: string): boolean {
  if (draft.content.length !== stored.content.length) return false;
  const content = draft.content.map((part, index) => adoptNames(part, stored.content[index] as Part));
  return (
    hashEvent({ ...draft, id: stored.id, invocation: stored.invocation, lane: stored.lane, content }) === hash
  );
}

function adoptNames(part: DraftPart, stored: Part): Part {
  if (part.type === 'toolCall') {
    return { ...part, id: part.id || (stored.type === 'toolCall' ? stored.id : '') };
  }
  if (part.type === 'toolResult') {
    const like = stored.type === 'toolResult' ? stored : { id: '', name: '' };
    return { ...part, id: part.id || like.id, name: part.name || like.name, isError: part.isError ?? false };
  }
  return part;
}
