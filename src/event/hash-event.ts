import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { StoredEvent } from './event.ts';
import type { JsonValue } from './json.ts';

/** What of an event its hash is taken over: all that was said, and where; not tokens, usage or times. */
export type HashedFields = Pick<StoredEvent, 'id' | 'invocation' | 'lane' | 'author' | 'role' | 'content'> &
  Partial<Pick<StoredEvent, 'reply' | 'finish' | 'longRunning' | 'asks' | 'answers' | 'metadata'>>;

/**
 * SHA-256, hex, over the canonical JSON of what an event says. Taken once at append; `verify` takes it again. Two drafts
 * of one id are the same event exactly when these are equal.
 */
export function hashEvent(event: HashedFields): string {
  const fields = {
    answers: event.answers,
    asks: event.asks,
    author: event.author,
    content: event.content,
    finish: event.finish,
    id: event.id,
    invocation: event.invocation,
    lane: event.lane,
    longRunning: event.longRunning,
    metadata: event.metadata,
    reply: event.reply,
    role: event.role,
  };
  return sha256(canonicalJson(withoutUndefined(fields)));
}

/** SHA-256 of a text's UTF-8 bytes, hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

function withoutUndefined(fields: { readonly [key: string]: unknown }): JsonValue {
  const out: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(fields)) {
    // The fields were checked and copied at append: what is left is JSON.
    if (value !== undefined) out[key] = value as JsonValue;
  }
  return out;
}
