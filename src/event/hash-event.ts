import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { StoredEvent } from './event.ts';
import type { JsonValue } from './json.ts';

/** What of an event its hash is taken over: all that was said, and where; not tokens, usage or times. */
export type HashedFields = Pick<StoredEvent, 'id' | 'invocation' | 'lane' | 'author' | 'role' | 'content'> &
  Partial<Pick<StoredEvent, 'reply' | 'finish' | 'longRunning' | 'asks' | 'answers' | 'metadata'>>;

/** In the order canonical JSON has them. */
const FIELDS = [
  'answers',
  'asks',
  'author',
  'content',
  'finish',
  'id',
  'invocation',
  'lane',
  'longRunning',
  'metadata',
  'reply',
  'role',
] as const satisfies readonly (keyof HashedFields)[];

/**
 * SHA-256, hex, over the canonical JSON of what an event says. Taken once at append; `verify` takes it again. Two drafts
 * of one id are the same event exactly when these are equal.
 */
export function hashEvent(event: HashedFields): string {
  let text = '';
  for (const field of FIELDS) {
    const value: unknown = event[field];
    // The fields were checked and copied at append: what is left is JSON.
    if (value !== undefined)
      text += `${text === '' ? '' : ','}"${field}":${canonicalJson(value as JsonValue)}`;
  }
  return sha256(`{${text}}`);
}

/** SHA-256 of a text's UTF-8 bytes, hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
