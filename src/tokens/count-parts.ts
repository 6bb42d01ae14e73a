import type { JsonValue } from '../event/json.ts';
import type { MediaPart, Part, ProviderState } from '../event/part.ts';
import type { TokenCounter } from './token-counter.ts';

/** What a message's role and delimiters cost, by whatever provider. */
export const EVENT_TOKENS = 4;
/** What a part's type, or a call's and a result's id and delimiters, cost. */
export const PART_TOKENS = 2;

/** An image of unknown size; providers charge 260 to 1,600 for one. */
const IMAGE_TOKENS = 1_000;
/** Sound: 32 tokens a second at 16,000 bytes a second. */
const AUDIO_BYTES_PER_TOKEN = 500;
/** Documents: about 2,000 tokens a page of 60,000 bytes; plain text more. */
const DOCUMENT_BYTES_PER_TOKEN = 30;
const TEXT_BYTES_PER_TOKEN = 4;
/** Bounds for sound and documents; the lower one is also what a URL counts, whose size is unknown. */
const LEAST_MEDIA_TOKENS = 500;
const MOST_MEDIA_TOKENS = 100_000;

/** State sent back in the provider's own encoding: base64 of what is mostly text, of no use beyond this size. */
const STATE_CHARACTERS_PER_TOKEN = 4;
const MOST_STATE_TOKENS = 4_000;

/**
 * Tokens an event's content costs in a prompt, shown as it is. The one definition: what the store keeps as an event's
 * `tokens` is this and nothing else. Linear in the content; nested results do not nest calls.
 *
 * - Texts, names, code and refusals count as the counter says, JSON as its `JSON.stringify` text.
 * - Media count by kind and size, never by their base64.
 * - Provider state counts a token for 4 characters, at most 4,000. A reasoning's signature holds the reasoning itself, so
 *   of the two the larger counts; on other parts the state is added.
 * - {@link PART_TOKENS} a part and {@link EVENT_TOKENS} in all are for what a provider puts around them.
 */
export function countParts(content: readonly Part[], counter: TokenCounter): number {
  let tokens = EVENT_TOKENS;
  const pending: (readonly Part[])[] = [content];
  for (let parts = pending.pop(); parts !== undefined; parts = pending.pop()) {
    for (const part of parts) {
      tokens += PART_TOKENS + countPart(part, counter);
      if (part.type === 'toolResult' && 'parts' in part.output) pending.push(part.output.parts);
    }
  }
  return tokens;
}

/** A part without the parts nested in it. */
function countPart(part: Part, counter: TokenCounter): number {
  switch (part.type) {
    case 'text':
      return counter.count(part.text) + countState(part.providerState);
    case 'reasoning':
      return Math.max(counter.count(part.text), countState(part.providerState));
    case 'media':
      return countMedia(part);
    case 'refusal':
      return counter.count(part.text);
    case 'code':
      return counter.count(part.language) + counter.count(part.code);
    case 'codeResult':
      return counter.count(part.outcome) + counter.count(part.output);
    case 'toolCall':
      return (
        counter.count(part.name) +
        ('raw' in part.input ? counter.count(part.input.raw) : countJson(part.input.json, counter)) +
        countState(part.providerState)
      );
    case 'toolResult':
      return counter.count(part.name) + ('json' in part.output ? countJson(part.output.json, counter) : 0);
    case 'opaque':
      return counter.count(part.kind) + countJson(part.json, counter);
    default:
      return part satisfies never;
  }
}

function countJson(json: JsonValue, counter: TokenCounter): number {
  return counter.count(JSON.stringify(json));
}

function countState(state: ProviderState | undefined): number {
  if (state === undefined) return 0;
  const characters = JSON.stringify(state.json).length;
  return Math.min(MOST_STATE_TOKENS, Math.ceil(characters / STATE_CHARACTERS_PER_TOKEN));
}

function countMedia(part: MediaPart): number {
  const name = part.name === undefined ? 0 : Math.ceil(part.name.length / 4);
  if (part.kind === 'image') return IMAGE_TOKENS + name;
  const bytes = ((part.data?.length ?? 0) * 3) / 4;
  const tokens = Math.ceil(bytes / bytesPerToken(part));
  return Math.min(MOST_MEDIA_TOKENS, Math.max(LEAST_MEDIA_TOKENS, tokens)) + name;
}

function bytesPerToken(part: MediaPart): number {
  if (part.kind === 'audio') return AUDIO_BYTES_PER_TOKEN;
  return part.mimeType.startsWith('text/') ? TEXT_BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN;
}
