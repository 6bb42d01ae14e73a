import { describe, expect, it } from 'vitest';
import type { Part } from '../event/part.ts';
import { countParts, EVENT_TOKENS, PART_TOKENS } from './count-parts.ts';
import type { TokenCounter } from './token-counter.ts';

/** One token a character, so that what was counted can be read off; remembers the texts. */
function characters(): TokenCounter & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    name: 'characters',
    quality: 'exact',
    texts,
    count(text: string): number {
      texts.push(text);
      return text.length;
    },
  };
}

const cost = (...parts: Part[]): number =>
  countParts(parts, characters()) - EVENT_TOKENS - parts.length * PART_TOKENS;

describe('countParts', () => {
  it('counts nothing but the event itself where there is no content', () => {
    expect(countParts([], characters())).toBe(EVENT_TOKENS);
  });

  it('counts every text a reader is shown', () => {
    expect(cost({ type: 'text', text: 'abc' }, { type: 'refusal', text: 'no' })).toBe(5);
    expect(cost({ type: 'code', language: 'py', code: 'x=1' })).toBe(5);
    expect(cost({ type: 'codeResult', outcome: 'ok', output: '1' })).toBe(3);
    expect(cost({ type: 'reasoning', text: 'hmm' })).toBe(3);
  });

  it('counts a call by its name and its input as text', () => {
    expect(cost({ type: 'toolCall', id: 'a long id', name: 'go', input: { json: { a: 1 } } })).toBe(2 + 7);
    expect(cost({ type: 'toolCall', id: 'i', name: 'go', input: { raw: '{"a": 1' } })).toBe(2 + 7);
  });

  it('counts a result with what is nested in it', () => {
    const nested: Part = {
      type: 'toolResult',
      id: 'i',
      name: 'go',
      isError: false,
      output: {
        parts: [
          { type: 'text', text: 'abcd' },
          { type: 'media', kind: 'image', mimeType: 'image/png', url: 'u' },
        ],
      },
    };
    expect(cost(nested)).toBe(2 + 2 * PART_TOKENS + 4 + 1_000);
    expect(cost({ ...nested, output: { json: ['a'] } })).toBe(2 + 5);
  });

  it('counts a result nested ten thousand deep without nesting calls', () => {
    let part: Part = { type: 'text', text: 'x' };
    for (let depth = 0; depth < 10_000; depth += 1) {
      part = { type: 'toolResult', id: '', name: '', isError: false, output: { parts: [part] } };
    }
    expect(countParts([part], characters())).toBe(EVENT_TOKENS + 10_001 * PART_TOKENS + 1);
  });

  // Counting the data of an image as text makes a screenshot 500,000 tokens.
  it('counts media by kind and size, within bounds, never as text', () => {
    const counter = characters();
    const data = 'A'.repeat(4_000_000);
    const media = (kind: 'image' | 'audio' | 'document', mimeType: string, data?: string): number =>
      countParts(
        [
          data === undefined
            ? { type: 'media', kind, mimeType, url: 'u' }
            : { type: 'media', kind, mimeType, data },
        ],
        counter,
      ) -
      EVENT_TOKENS -
      PART_TOKENS;
    expect(media('image', 'image/png', data)).toBe(1_000);
    expect(media('image', 'image/png')).toBe(1_000);
    expect(media('audio', 'audio/mp3', data)).toBe(6_000);
    expect(media('document', 'application/pdf', data)).toBe(100_000);
    expect(media('document', 'text/plain', 'A'.repeat(40_000))).toBe(7_500);
    expect(media('document', 'application/pdf')).toBe(500);
    expect(counter.texts).toEqual([]);
  });

  it('counts provider state within a bound, and a reasoning by the larger of its text and its state', () => {
    const state = (length: number): { provider: string; json: string } => ({
      provider: 'p',
      json: 's'.repeat(length - 2),
    });
    expect(cost({ type: 'reasoning', text: '', providerState: state(400) })).toBe(100);
    expect(cost({ type: 'reasoning', text: 'x'.repeat(150), providerState: state(400) })).toBe(150);
    expect(cost({ type: 'text', text: 'abc', providerState: state(400) })).toBe(103);
    expect(cost({ type: 'reasoning', text: '', providerState: state(1_000_000) })).toBe(4_000);
  });

  it('counts what it has no word for by its JSON', () => {
    expect(cost({ type: 'opaque', provider: 'openai', kind: 'web', json: { q: 'a' } })).toBe(3 + 9);
  });
});
