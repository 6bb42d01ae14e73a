import { assert, nat, property, string } from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { cutUnbroken } from './cut-text.ts';
import { estimatingCounter } from './estimating-counter.ts';
import { exactCounter } from './exact-counter.ts';
import { sampleText } from './sample-text.ts';

const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** What o200k takes as one word, number or run; transcribed from its published pattern. */
const WORD =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+('s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*('s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/giu;

/** Texts that are one word, or nearly, to a tokenizer. */
const UNBROKEN: Readonly<Record<string, string>> = {
  'a letter': 'a'.repeat(200_000),
  kana: 'あ'.repeat(200_000),
  base64: Buffer.from(Array.from({ length: 750_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256)).toString(
    'base64',
  ),
  signs: '!?'.repeat(100_000),
  'a sign and slashes with line breaks': `!${'/\n'.repeat(100_000)}`,
  'letters of which one is in no ASCII group': 'ꀀa'.repeat(100_000),
  blanks: `${' '.repeat(200_000)}x`,
  'line breaks and blanks': `${'\n'.repeat(250)}${' '.repeat(250)}`.repeat(400),
  emoji: '😀'.repeat(100_000),
  'lone surrogates': '\ud83d'.repeat(200_000),
  'marks alone': '\u0301'.repeat(200_000),
};

describe('cutUnbroken', () => {
  it('leaves ordinary text whole', () => {
    const text = 'One line of prose, one of code:\n  const answer = 42;\n'.repeat(500);
    expect(cutUnbroken(text)).toEqual([text]);
  });

  // Treating line breaks as the end of a run of signs, or a letter beyond ASCII as the end of one within it, lets a match
  // of 200,000 characters through.
  it.each(Object.entries(UNBROKEN))('bounds what the tokenizer takes as one: %s', (_, text) => {
    const pieces = cutUnbroken(text);
    expect(pieces.join('')).toBe(text);
    let longest = 0;
    for (const piece of pieces) {
      for (const match of piece.matchAll(WORD)) longest = Math.max(longest, match[0].length);
    }
    expect(longest).toBeLessThan(520);
    expect(pieces.length).toBeLessThan(text.length / 200);
  });

  it('parts no surrogate pair and loses nothing', () => {
    assert(
      property(string({ unit: 'binary', minLength: 1, maxLength: 9 }), nat(900), (unit, times) => {
        const text = unit.repeat(times);
        const pieces = cutUnbroken(text);
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece.isWellFormed()) || !text.isWellFormed()).toBe(true);
      }),
    );
    // An odd start puts every cut inside a pair.
    expect(cutUnbroken(`é${'😀'.repeat(1_000)}`).every((piece) => piece.isWellFormed())).toBe(true);
  });
});

describe('sampleText', () => {
  const bounds = { tokens: 8_000, characters: 12_000 };

  it('takes a text within its bounds whole', () => {
    const text = 'Some words. '.repeat(900);
    expect(sampleText(text, bounds, estimatingCounter).blocks).toEqual([text]);
  });

  it.each(Object.entries(UNBROKEN))('hands out no more than its bounds and one block: %s', (_, text) => {
    const { blocks, estimatedTokens, estimatedTotal } = sampleText(text, bounds, estimatingCounter);
    expect(blocks.reduce((sum, block) => sum + block.length, 0)).toBeLessThanOrEqual(12_000 + 1_024);
    expect(estimatedTokens).toBeLessThanOrEqual(8_000 + 2_048);
    expect(estimatedTokens).toBeGreaterThan(0);
    expect(estimatedTotal).toBeGreaterThan(estimatedTokens);
  });

  // Without the stop, 11,000 tokens.
  it('keeps its bounds where the blocks it looks at hold more tokens than the rest', () => {
    const dense = '☃☂☁☀'.repeat(256);
    const text = `${dense}${'あ'.repeat(2_500 - dense.length)}`.repeat(2_000);
    expect(sampleText(text, bounds, estimatingCounter).estimatedTokens).toBeLessThanOrEqual(8_000 + 1_300);
  });

  // With a share of characters alone, the tokens run out half-way through this text.
  it('spreads over the whole of a text whose characters cost much', () => {
    const { blocks } = sampleText(
      `${'☃☂☁☀'.repeat(50_000)}${'✂✃✄✆'.repeat(10_000)}`,
      bounds,
      estimatingCounter,
    );
    expect(blocks.some((block) => block.includes('✂'))).toBe(true);
  });
});

describe('exactCounter', () => {
  it('counts as the tokenizer does', async () => {
    const counter = await exactCounter();
    expect(counter.quality).toBe('exact');
    expect(counter.count('')).toBe(0);
    assert(
      property(string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(counter.count(text)).toBe(countTokens(text, AS_TEXT));
      }),
    );
  });

  it('takes what looks like a special token as text', async () => {
    const counter = await exactCounter();
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
    expect(counter.count('a <|im_start|> b <|endofprompt|>')).toBeGreaterThan(5);
  });

  // Without the cut, 200,000 times "a" takes half a minute.
  it('counts unbroken text, nearly as the tokenizer would', async () => {
    const counter = await exactCounter();
    expect(counter.count('a'.repeat(200_000)) / 25_000).toBeCloseTo(1, 1);
    expect(counter.count('あ'.repeat(200_000)) / 200_000).toBeCloseTo(1, 1);
    for (const text of Object.values(UNBROKEN)) expect(counter.count(text)).toBeGreaterThan(100);
  });

  it('corrects the estimate of a long text by what it counted of it', async () => {
    const counter = await exactCounter();
    const text = 'Ein Benutzer bat darum, den Fehler im Zahlungsmodul zu beheben; 12 Tests.\n'.repeat(3_000);
    const exact = countTokens(text, AS_TEXT);
    expect(counter.count(text) / exact).toBeCloseTo(1, 1);
    expect(Math.abs(counter.count(text) / exact - 1)).toBeLessThan(0.02);
  });
});
