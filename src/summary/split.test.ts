import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seq } from '../event/ids.ts';
import type { Part } from '../event/part.ts';
import { codePoints } from './code-points.ts';
import { deepFreeze, shownEvent, text } from './source.fixture.ts';
import { MIN_TRANSCRIPT_CODE_POINTS, splitShown } from './split.ts';
import type { PreviousSummary, SourceEvent } from './summarizer.ts';
import { renderTranscript, type Shown } from './transcript.ts';
import { DEFAULT_CAPS, transcriptCaps } from './transcript-caps.ts';

const NONCE = 'n'.repeat(64);

function split(
  shown: Partial<Shown>,
  limit: number | undefined,
  exchangeOf = (seq: Seq): Seq => seq,
  caps = DEFAULT_CAPS,
) {
  return splitShown({ previous: [], context: [], events: [], ...shown }, { limit, caps, exchangeOf });
}

function size(shown: Shown, caps = DEFAULT_CAPS): number {
  return codePoints(renderTranscript(shown, { nonce: NONCE, caps }));
}

/** The texts of an event's parts, whatever their type, joined. */
function textOf(parts: readonly Part[]): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

function seqs(parts: readonly Shown[]): readonly (readonly Seq[])[] {
  return parts.map(({ events }) => events.map(({ seq }) => seq));
}

const words = 'lorem ipsum 😀 dolor\n';

describe('splitShown', () => {
  it('leaves a window alone that fits, or has no bound', () => {
    const shown: Shown = {
      previous: [],
      context: [shownEvent(1, [text('a')])],
      events: [shownEvent(2, [text('b')])],
    };
    for (const limit of [undefined, 1, 4_000, 1e9, Number.POSITIVE_INFINITY]) {
      expect(splitShown(shown, { limit, caps: DEFAULT_CAPS, exchangeOf: (seq) => seq })).toEqual([shown]);
    }
  });

  it('splits where it has to, to the code point', () => {
    const events = [1, 2].map((seq) => shownEvent(seq, [text(words.repeat(100))]));
    const whole = size({ previous: [], context: [], events });
    expect(whole).toBeGreaterThan(MIN_TRANSCRIPT_CODE_POINTS);
    expect(split({ events }, whole)).toHaveLength(1);
    expect(split({ events }, whole - 1)).toHaveLength(2);
    const more = shownEvent(3, [text('next')]);
    expect(seqs(split({ events: [...events, more] }, whole))).toEqual([[1, 2], [3]]);
  });

  // Fails when calls are filled event by event, as the exchange of 2, 3 and 4 then begins in the first.
  it('splits at exchange boundaries', () => {
    const events = [1, 2, 3, 4, 5].map((seq) => shownEvent(seq, [text('x'.repeat(900))]));
    const exchangeOf = (seq: Seq): Seq => (seq >= 2 && seq <= 4 ? 2 : seq);
    expect(seqs(split({ events }, 4_000, exchangeOf))).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('keeps interleaved exchanges together, which no boundary parts', () => {
    const events = [1, 2, 3, 4, 5, 6].map((seq) => shownEvent(seq, [text('x'.repeat(700))]));
    const exchangeOf = (seq: Seq): Seq => [1, 2, 3, 2, 3, 6][seq - 1] ?? seq;
    expect(seqs(split({ events }, 4_000, exchangeOf))).toEqual([[1], [2, 3, 4, 5], [6]]);
  });

  it('splits an exchange too large alone between its events', () => {
    const events = [1, 2, 3, 4, 5].map((seq) => shownEvent(seq, [text('x'.repeat(1_100))]));
    expect(seqs(split({ events }, 4_000, (seq) => (seq === 5 ? 5 : 1)))).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('splits an event too large alone between its parts, and a part inside its text, into numbered pieces', () => {
    const parts = [text('first'), text(words.repeat(500)), text('last')];
    const calls = split({ events: [shownEvent(1, parts)] }, 5_000);
    const pieces = calls.flatMap(({ events }) => events);
    expect(calls.length).toBeGreaterThan(2);
    expect(pieces.map(({ piece }) => piece)).toEqual(
      pieces.map((_, index) => ({ index: index + 1, of: pieces.length })),
    );
    expect(pieces[0]?.parts).toEqual([parts[0]]);
    expect(pieces.at(-1)?.parts.at(-1)).toEqual(parts[2]);
    expect(textOf(pieces.flatMap((piece) => piece.parts))).toBe(textOf(parts));
  });

  // Fails when a previous summary over the limit is cut, dropped, or handed on whole.
  it('splits a previous summary too large alone, and loses none of it', () => {
    const previous: readonly PreviousSummary[] = [
      { firstSeq: 1, lastSeq: 9, text: 'short' },
      { firstSeq: 10, lastSeq: 99, text: words.repeat(1_000) },
    ];
    const calls = split({ previous, events: [shownEvent(100, [text('new')])] }, 4_000);
    const shown = calls.flatMap((call) => call.previous);
    expect(
      shown
        .slice(1)
        .map(({ text: piece }) => piece)
        .join(''),
    ).toBe(previous[1]?.text);
    expect(
      shown.every((one) => one.lastSeq === 9 || (one.firstSeq === 10 && one.piece?.of === shown.length - 1)),
    ).toBe(true);
    expect(calls.at(-1)?.events).toHaveLength(1);
    for (const call of calls) expect(size(call)).toBeLessThanOrEqual(4_000);
  });

  const bigParts: readonly Part[] = [
    { type: 'toolCall', id: 'c', name: 'write', input: { json: { body: words.repeat(2_000) } } },
    { type: 'toolResult', id: 'c', name: 'read', isError: false, output: { json: [words.repeat(2_000)] } },
    {
      type: 'toolResult',
      id: 'c',
      name: 'read',
      isError: false,
      output: { parts: [text(words.repeat(2_000)), text('x')] },
    },
    { type: 'code', language: 'js', code: words.repeat(2_000) },
    { type: 'codeResult', outcome: 'ok', output: words.repeat(2_000) },
    { type: 'opaque', provider: 'p', kind: 'k', json: { a: words.repeat(2_000) } },
    { type: 'refusal', text: words.repeat(2_000) },
    { type: 'reasoning', text: words.repeat(2_000) },
  ];

  it('splits every type of part whose caps are off inside its text, as parts of that type', () => {
    const caps = transcriptCaps({ toolInput: false, toolOutput: false, mediaLabel: false });
    for (const part of bigParts) {
      const calls = split({ events: [shownEvent(1, [part])] }, 4_000, undefined, caps);
      const pieces = calls.flatMap(({ events }) => events.flatMap(({ parts }) => parts));
      expect(pieces.length).toBeGreaterThan(10);
      expect(new Set(pieces.map(({ type }) => type))).toEqual(new Set([part.type]));
      for (const call of calls) expect(size(call, caps)).toBeLessThanOrEqual(4_000);
      const shown = pieces.map((piece) => {
        if (piece.type === 'toolCall') return 'raw' in piece.input ? piece.input.raw : '';
        if (piece.type === 'toolResult') return 'parts' in piece.output ? textOf(piece.output.parts) : '';
        if (piece.type === 'code') return piece.code;
        if (piece.type === 'codeResult') return piece.output;
        if (piece.type === 'opaque') return typeof piece.json === 'string' ? piece.json : '';
        return 'text' in piece ? piece.text : '';
      });
      expect(shown.join('').split('lorem ipsum')).toHaveLength(2_001);
    }
  });

  // Fails when the cap is forgotten once a value is split: 40 calls instead of 4.
  it('splits a value as its cap leaves it', () => {
    const caps = transcriptCaps({ toolInput: 10_000, toolOutput: 10_000 });
    for (const part of bigParts.slice(0, 6)) {
      const calls = split({ events: [shownEvent(1, [part])] }, 4_000, undefined, caps);
      expect(calls.length).toBeLessThanOrEqual(5);
      expect(JSON.stringify(calls).split('code points left out')).toHaveLength(2);
    }
  });

  it('shortens a label that fits no call, which only happens where its cap is off', () => {
    const caps = transcriptCaps({ mediaLabel: false });
    const giant = 'x'.repeat(100_000);
    const media: Part = { type: 'media', kind: 'image', mimeType: giant, name: giant, url: giant };
    const calls = split({ events: [shownEvent(1, [media, { ...media, url: 'u' }])] }, 4_000, undefined, caps);
    for (const call of calls) expect(size(call, caps)).toBeLessThanOrEqual(4_000);
    expect(calls.flatMap(({ events }) => events.flatMap(({ parts }) => parts))).toHaveLength(2);
  });

  it('gives context to every call, and of too much context the newest that fits a quarter', () => {
    const events = [10, 11, 12].map((seq) => shownEvent(seq, [text('x'.repeat(1_800))]));
    const small = [1, 2].map((seq) => shownEvent(seq, [text('c')]));
    for (const call of split({ context: small, events }, 4_000)) expect(call.context).toEqual(small);
    const large = [1, 2, 3, 4].map((seq) => shownEvent(seq, [text('c'.repeat(seq === 3 ? 3_000 : 300))]));
    for (const call of split({ context: large, events }, 4_000)) {
      expect(call.context.map(({ seq }) => seq)).toEqual([2, 4]);
      expect(size(call)).toBeLessThanOrEqual(4_000);
    }
    expect(split({ context: large, events: [] }, 4_000)).toHaveLength(1);
  });

  const anyEvents = fc
    .array(
      fc.record({
        texts: fc.array(
          fc.tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.integer({ min: 1, max: 400 })),
          { maxLength: 3 },
        ),
        exchange: fc.integer({ min: 0, max: 6 }),
      }),
      { maxLength: 12 },
    )
    .map((drafts) => ({
      events: drafts.map(({ texts }, index) =>
        shownEvent(
          index + 1,
          texts.map(([unit, times]) => text(unit.repeat(times))),
        ),
      ),
      exchanges: drafts.map(({ exchange }) => exchange),
    }));

  it('shows every event once and in order, whole or in all its pieces, in calls that all fit, whatever the limit', () => {
    fc.assert(
      fc.property(
        anyEvents,
        fc.oneof(fc.integer({ min: -5, max: 12_000 }), fc.constantFrom(Number.NaN, 0.5)),
        ({ events, exchanges }, limit) => {
          const calls = split(deepFreeze({ events }), limit, (seq) => exchanges[seq - 1] ?? seq);
          for (const call of calls)
            expect(size(call)).toBeLessThanOrEqual(Math.max(limit || 0, MIN_TRANSCRIPT_CODE_POINTS));
          const shown = calls.flatMap((call) => call.events);
          expect(merged(shown)).toEqual(events.map(({ seq, parts }) => [seq, textOf(parts)]));
          // No cut inside a pair: the pieces have as many code points as the texts.
          const count = (all: readonly SourceEvent[]): number =>
            all.flatMap(({ parts }) => parts).reduce((sum, part) => sum + codePoints(textOf([part])), 0);
          expect(count(shown)).toBe(count(events));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('splits a megabyte without a blank, and what escapes to six times its length', () => {
    for (const unit of ['a', '\u2028', '😀', '\ud83d', '"']) {
      const events = [shownEvent(1, [text(unit.repeat(1_000_000 / unit.length))])];
      const calls = split({ events }, 50_000);
      expect(merged(calls.flatMap((call) => call.events))).toEqual([[1, textOf(events[0]?.parts ?? [])]]);
    }
  });
});

/** Seq and text of each event, pieces put together; pieces out of order or without their number stay apart. */
function merged(events: readonly SourceEvent[]): readonly (readonly [Seq, string])[] {
  const out: [Seq, string][] = [];
  for (const { seq, parts, piece } of events) {
    const last = out.at(-1);
    if (piece !== undefined && piece.index > 1 && last?.[0] === seq) last[1] += textOf(parts);
    else out.push([seq, textOf(parts)]);
  }
  return out;
}
