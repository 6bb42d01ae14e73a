import type { Part } from '../../src/event/part.ts';
import type { PromptEntry } from '../../src/prompt/prompt.ts';

/** Every mark in a text, once each. */
export function marksIn(text: string): readonly string[] {
  return [...new Set(text.match(/k\d+k/gu) ?? [])];
}

/**
 * What parts say, without the id and name a result repeats of its call: those are its call's words, and the call may be
 * in a lane the reader of the result does not see.
 */
export function sayingOfParts(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'toolResult' ? JSON.stringify(part.output) : JSON.stringify(part)))
    .join('\n');
}

/** What an entry of a prompt says. */
export function sayingOfEntry(entry: PromptEntry): string {
  switch (entry.kind) {
    case 'summary':
      return JSON.stringify(entry.record.summary);
    case 'parked':
      return entry.obligations.map(({ id, name }) => `${id} ${name}`).join('\n');
    case 'event': {
      const { event, open } = entry;
      const asks = (event.asks ?? []).map((ask) => ask.id);
      return [sayingOfParts(event.content), ...asks, ...open].join('\n');
    }
    default:
      return entry satisfies never;
  }
}
