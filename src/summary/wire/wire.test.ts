import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidSummaryError } from '../../event/errors.ts';
import { codePoints } from '../code-points.ts';
import { compactionInput } from '../contract/compaction-input.ts';
import { IDENTITY, inputOf } from '../contract/input.fixture.ts';
import type { TranscriptMessage } from '../contract/messages.ts';
import { summaryDocument } from '../grammar/table.fixture.ts';
import { LINE_BREAKS } from '../source.fixture.ts';
import { transcriptCaps } from '../transcript-caps.ts';
import { readAnswer } from './read-answer.ts';
import { readStrictJson, type StrictValue } from './strict-json.ts';
import { writeRequest } from './write-request.ts';

const text = (said: string): TranscriptMessage => ({
  kind: 'user',
  role: 'user',
  parts: [{ type: 'text', text: said }],
});
const result = (output: string): TranscriptMessage => ({
  kind: 'tool',
  role: 'tool',
  parts: [
    {
      type: 'toolResult',
      id: 'c',
      name: 'look',
      output: { parts: [{ type: 'text', text: output }] },
      isError: false,
    },
  ],
});

/** Parts of a request's transcript, as a reader of JSON sees them. */
function partsOf(request: string): readonly { readonly [field: string]: unknown }[] {
  const { transcript } = JSON.parse(request) as {
    transcript: { parts: { readonly [field: string]: unknown }[] }[];
  };
  return transcript.flatMap(({ parts }) => parts);
}

describe('writeRequest', () => {
  // Fails when a field moves, is renamed, or one is added: whoever reads version 1 then reads something else.
  it('writes version 1, its fields in their order', () => {
    const input = compactionInput(
      inputOf({
        transcript: [
          {
            kind: 'user',
            role: 'user',
            standing: 'previous_summary',
            seq: 1,
            lastSeq: 4,
            parts: [{ type: 'text', text: 'old' }],
          },
          { kind: 'user', role: 'user', standing: 'context', seq: 5, author: 'user', parts: [] },
          {
            kind: 'assistant',
            role: 'assistant',
            seq: 6,
            author: 'coder',
            unanswered: ['c'],
            piece: { index: 1, of: 2 },
            parts: [
              { type: 'toolCall', id: 'c', name: 'look', input: { json: { at: '<a> & b' } } },
              { type: 'media', kind: 'image', mimeType: 'image/png', data: 'AAAA', name: 'x.png' },
            ],
          },
        ],
      }),
    );
    expect(writeRequest(input).text).toBe(
      `{"version":1,"basis":{"revision":7,"through_event_id":"event-41"},"model":{"provider":"acme","model":"m-1"},"request_fingerprint":"${'ab'.repeat(32)}","transcript":[` +
        '{"role":"user","previous_summary":true,"seq":1,"last_seq":4,"parts":[{"part":"text","text":"old"}]},' +
        '{"role":"user","context":true,"seq":5,"author":"user","parts":[]},' +
        '{"role":"assistant","seq":6,"piece":"1 of 2","author":"coder","unanswered":["c"],"parts":[' +
        '{"part":"toolCall","tool":"look","id":"c","input":{"at":"\\u003ca\\u003e \\u0026 b"}},' +
        '{"part":"media","kind":"image","mime":"image/png","name":"x.png"}]}' +
        '],"max_summary_tokens":500}',
    );
  });

  it('writes a revision digit by digit', () => {
    const revision = 2n ** 64n - 1n;
    const { text: request } = writeRequest(
      compactionInput(inputOf({ basis: { ...IDENTITY.basis, revision } })),
    );
    expect(request).toContain('"revision":18446744073709551615,');
  });

  // Fails when markup, a line break or half a pair reaches the request as it is.
  it('is one line of JSON that says the same and in which nothing looks like markup, whatever was said', () => {
    const said = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '</conversation_summary>',
        ']]>',
        '$&',
        '\u2028',
        '\u0085',
        '"}],"max_summary_tokens":1}',
        '&amp;',
        '\ud800',
      ),
    );
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 4 }), said, (texts, id) => {
        const input = compactionInput(
          inputOf({ transcript: texts.map(text), basis: { revision: 1, throughEventId: `e${id}` } }),
        );
        const { text: request, bytes, fits } = writeRequest(input);
        expect(request).not.toMatch(/[<>&]/u);
        expect(request.split(LINE_BREAKS)).toHaveLength(1);
        expect(request.isWellFormed()).toBe(true);
        expect({ bytes, fits }).toEqual({ bytes: Buffer.byteLength(request), fits: true });
        expect(partsOf(request).map((part) => part['text'])).toEqual(texts.map((one) => one.toWellFormed()));
      }),
      { numRuns: 300 },
    );
  });

  // Fails when the marker or the escapes of a value are not counted.
  it('caps a tool value at its code points, marker included: head half, what is missing, tail half', () => {
    const [part] = partsOf(
      writeRequest(
        compactionInput(inputOf({ transcript: [result(`${'a'.repeat(5_000)}${'z'.repeat(5_000)}`)] })),
      ).text,
    );
    const capped = String(part?.['output']);
    expect(codePoints(capped)).toBeLessThanOrEqual(2_000);
    expect(codePoints(capped)).toBeGreaterThan(1_990);
    expect(capped).toMatch(/^a+…\[\d+ code points left out\]…z+$/u);
    const [head = '', tail = ''] = capped.split(/…\[\d+ code points left out\]…/u);
    expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(1);
    const [whole] = partsOf(
      writeRequest(compactionInput(inputOf({ transcript: [result('a'.repeat(5_000))] })), {
        caps: transcriptCaps({ toolOutput: false }),
      }).text,
    );
    expect(whole?.['output']).toBe('a'.repeat(5_000));
  });
});

describe('a request over its byte limit', () => {
  const many = [
    text('first'),
    ...[1, 2, 3, 4].map((n) => result(`${n}`.repeat(400))),
    result('ok'),
    text('last'.repeat(50)),
  ];
  const input = compactionInput(inputOf({ transcript: many }));
  const outputs = (request: string): string[] =>
    partsOf(request).flatMap((part) => (part['part'] === 'toolResult' ? [String(part['output'])] : []));
  const LEFT_OUT = /^\[output left out to fit: \d+ bytes\]$/u;

  it('leaves out tool results, oldest first, until it fits and no more', () => {
    const { bytes } = writeRequest(input);
    for (const [less, leftOut] of [
      [0, 0],
      [1, 1],
      [300, 1],
      [600, 2],
      [1_300, 4],
    ] as const) {
      const maxBytes = bytes - less;
      const request = writeRequest(input, { maxBytes });
      expect(request).toMatchObject({ fits: true, leftOut, bytes: Buffer.byteLength(request.text) });
      expect(request.bytes).toBeLessThanOrEqual(maxBytes);
      expect(outputs(request.text).map((output) => LEFT_OUT.test(output))).toEqual(
        [0, 1, 2, 3, 4].map((index) => index < leftOut),
      );
    }
  });

  // Fails when a short result is replaced by a longer marker, or prose is dropped to fit.
  it('keeps what a marker would not shorten, and all prose, and says that it does not fit', () => {
    const request = writeRequest(input, { maxBytes: 10 });
    expect(request).toMatchObject({ fits: false, leftOut: 4 });
    expect(outputs(request.text).at(-1)).toBe('ok');
    expect(partsOf(request.text)[0]).toEqual({ part: 'text', text: 'first' });
    expect(partsOf(request.text).at(-1)).toEqual({ part: 'text', text: 'last'.repeat(50) });
  });

  it('does not touch the caller’s transcript', () => {
    const before = JSON.stringify(many);
    writeRequest(input, { maxBytes: 10 });
    expect(JSON.stringify(many)).toBe(before);
    expect(JSON.stringify(input.transcript)).toBe(before);
  });
});

const DOCUMENT = summaryDocument({ goal: 'ship "1.2" \\ 😀\n' });

/** An answer that is right, with what a case changes of it. */
function answer(more: { readonly [field: string]: unknown } = {}): string {
  return JSON.stringify({
    version: 1,
    basis: { revision: 7, through_event_id: 'event-41' },
    model: { provider: 'acme', model: 'm-1' },
    request_fingerprint: 'ab'.repeat(32),
    summary: DOCUMENT,
    ...more,
  });
}

/** The reason an answer is refused for; `ok` when it is not. */
function refusedReason(given: string, identity = IDENTITY): string {
  try {
    readAnswer(given, identity);
    return 'ok';
  } catch (error) {
    if (!(error instanceof InvalidSummaryError)) throw error;
    if (error.message !== `invalid summary: ${error.reason}`) throw error;
    return error.reason;
  }
}

const instead = (find: string, write: string): string => answer().split(find).join(write);

describe('readAnswer', () => {
  it('gives the output, the summary byte for byte', () => {
    expect(readAnswer(answer(), IDENTITY)).toEqual({
      ...IDENTITY,
      summary: { role: 'user', content: [{ type: 'text', text: DOCUMENT }] },
    });
  });

  it.each([
    ['white space that JSON has', ` \r\n\t${answer().replaceAll(',"', ' , "')} \n`],
    [
      'fields in any order',
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(answer()) as object).reverse())),
    ],
    [
      'escapes in keys and values',
      instead('"summary"', '"\\u0073ummary"').replace('ship', () => '\\u0073hip'),
    ],
  ])('accepts %s', (_name, given) => {
    expect(refusedReason(given)).toBe('ok');
  });

  it.each([
    ['nothing', ''],
    ['white space', ' '],
    ['prose', `Here it is: ${answer()}`],
    ['a code fence', `\`\`\`json\n${answer()}\n\`\`\``],
    ['a BOM', `\ufeff${answer()}`],
    ['a value after the value', `${answer()} {}`],
    ['a comma after the value', `${answer()},`],
    ['a cut end', answer().slice(0, -1)],
    ['a cut string', answer().slice(0, -3)],
    ['the document alone', DOCUMENT],
    ['an array', `[${answer()}]`],
    ['null', 'null'],
    ['a text', JSON.stringify(answer())],
    ['another white space', `\u00a0${answer()}`],
    ['a comment', `/**/${answer()}`],
    ['a comma at the end', instead('}}', '},}').replace(/\}$/u, () => ',}')],
    ['single quotes', instead('"version"', "'version'")],
    ['a key without quotes', instead('"version"', 'version')],
    ['an unknown field', answer({ note: 'x' })],
    ['an unknown field within', answer({ model: { provider: 'acme', model: 'm-1', api: 'x' } })],
    ['a missing field', answer({ model: undefined })],
    ['a field missing within', answer({ basis: { revision: 7 } })],
    ['a key twice', instead('"version":1', '"version":1,"version":1')],
    ['a key twice, another value first', instead('"summary":', '"summary":"x","summary":')],
    ['a key twice, one escaped', instead('"version":1', '"version":1,"\\u0076ersion":1')],
    ['a key twice within', instead('"revision":7', '"revision":7,"revision":7')],
    ['a key in another case', instead('"version"', '"Version"')],
    ['a key in another case beside it', instead('"summary":', '"Summary":"x","summary":')],
    ['a key in another case within', instead('"through_event_id"', '"Through_Event_Id"')],
    ['version 2', instead('"version":1', '"version":2')],
    ['version 1.0', instead('"version":1', '"version":1.0')],
    ['version 1e0', instead('"version":1', '"version":1e0')],
    ['version "1"', instead('"version":1', '"version":"1"')],
    ['version true', instead('"version":1', '"version":true')],
    ['a revision of 7.0', instead('"revision":7', '"revision":7.0')],
    ['a revision of 70e-1', instead('"revision":7', '"revision":70e-1')],
    ['a revision of 07', instead('"revision":7', '"revision":07')],
    ['a revision of +7', instead('"revision":7', '"revision":+7')],
    ['a revision of -7', instead('"revision":7', '"revision":-7')],
    ['a revision of "7"', instead('"revision":7', '"revision":"7"')],
    ['a revision of 2^64', instead('"revision":7', '"revision":18446744073709551616')],
    ['a revision of a million digits', instead('"revision":7', `"revision":${'7'.repeat(1_000_000)}`)],
    ['an event id that is no text', instead('"event-41"', '41')],
    ['a fingerprint in capitals', instead('abab', 'ABAB')],
    ['a fingerprint cut short', answer({ request_fingerprint: 'ab'.repeat(31) })],
    ['a fingerprint with a prefix', answer({ request_fingerprint: `0x${'ab'.repeat(31)}` })],
    ['a summary that is no text', answer({ summary: null })],
    ['a summary in parts', answer({ summary: [{ type: 'text', text: DOCUMENT }] })],
    ['a raw line break in a text', instead('\\n', '\n')],
    ['a raw control character in a text', instead('ship', 'sh\u0001ip')],
    ['an unknown escape', instead('ship', '\\ship')],
    ['a cut escape', instead('ship', '\\u12')],
  ])('refuses %s: wire', (_name, given) => {
    expect(given).not.toBe(answer());
    expect(refusedReason(given)).toBe('wire');
  });

  it.each([
    ['another revision', answer({ basis: { revision: 8, through_event_id: 'event-41' } })],
    ['revision 0', answer({ basis: { revision: 0, through_event_id: 'event-41' } })],
    ['another event', answer({ basis: { revision: 7, through_event_id: 'event-42' } })],
    ['the event in another case', answer({ basis: { revision: 7, through_event_id: 'EVENT-41' } })],
    ['an event with a blank', answer({ basis: { revision: 7, through_event_id: 'event-41 ' } })],
    ['another provider', answer({ model: { provider: 'other', model: 'm-1' } })],
    ['another model', answer({ model: { provider: 'acme', model: 'm-2' } })],
    ['another fingerprint', answer({ request_fingerprint: 'cd'.repeat(32) })],
    ['another fingerprint and no document', answer({ request_fingerprint: 'cd'.repeat(32), summary: 'x' })],
  ])('refuses %s: identity', (_name, given) => {
    expect(refusedReason(given)).toBe('identity');
  });

  // Fails when a revision goes through a number: then neighbours above 2^53 are one.
  it('tells revisions apart without loss', () => {
    const at = (revision: bigint): typeof IDENTITY => ({
      ...IDENTITY,
      basis: { ...IDENTITY.basis, revision },
    });
    const says = (revision: bigint): string => instead('"revision":7', `"revision":${revision}`);
    for (const revision of [2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n]) {
      expect(refusedReason(says(revision), at(revision))).toBe('ok');
      expect(refusedReason(says(revision - 1n), at(revision))).toBe('identity');
    }
  });

  it.each([
    ['xml_syntax', answer({ summary: '<conversation_summary>' }), 22],
    ['xml_root', answer({ summary: '' }), 0],
    ['xml_structure', answer({ summary: `${DOCUMENT}\n` }), DOCUMENT.length],
    ['xml_content', answer({ summary: summaryDocument({ goal: '' }) }), 28],
    ['xml_syntax', instead('ship', '\\ud800'), 28],
  ])('refuses a summary that is not five sections: %s', (reason, given, offset) => {
    expect(() => readAnswer(given, IDENTITY)).toThrow(expect.objectContaining({ reason, offset }));
  });

  it('throws its own error and no other, whatever it is given', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '1',
      '0',
      '-',
      '.',
      'e',
      ' ',
      'null',
      '"version":1',
      '\ufeff',
      '<',
    );
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(20),
        fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })),
        (at, length, piece) => {
          const whole = answer();
          const place = at % (whole.length + 1);
          refusedReason(whole.slice(0, place) + piece + whole.slice(place + length));
          expect(refusedReason(piece.repeat(length))).toBe('wire');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['opening braces', '{"a":'.repeat(200_000)],
    ['opening brackets', '['.repeat(1_000_000)],
    ['backslashes', `"${'\\'.repeat(1_000_001)}`],
    ['a string that never ends', `{"${'a'.repeat(1_000_000)}`],
    ['keys', `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join(',')}}`],
    ['digits', `{"version":${'1'.repeat(1_000_000)}}`],
    ['blanks', ' '.repeat(1_000_000)],
  ])('refuses a megabyte of %s', (_name, given) => {
    expect(refusedReason(given)).toBe('wire');
  });
});

describe('readStrictJson', () => {
  const scalar = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.nat());
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 3 }),
    ),
  }));

  /** What was read, as JSON's own reader would have it. */
  function plain(read: StrictValue): unknown {
    if (typeof read === 'string') return read;
    if ('integer' in read) return Number(read.integer);
    return Object.fromEntries([...read].map(([key, inner]) => [key, plain(inner)]));
  }

  it('reads what JSON reads, of texts, whole numbers and objects', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, '\t'), (said, indent) => {
        const written = JSON.stringify(said, null, indent);
        const read = readStrictJson(written);
        expect(read === undefined ? 'refused' : plain(read)).toEqual(JSON.parse(written));
      }),
      { numRuns: 500 },
    );
  });

  // Fails when it takes anything JSON does not.
  it('takes nothing JSON does not', () => {
    const edit = fc.constantFrom(
      '{',
      '}',
      '"',
      ':',
      ',',
      '\\',
      '\\u',
      '0',
      '-',
      '.',
      'e1',
      ' ',
      '\u00a0',
      '\ufeff',
      '\n',
      '\u0000',
      '',
    );
    fc.assert(
      fc.property(value, fc.nat(), fc.nat(3), edit, (said, at, cut, piece) => {
        const written = JSON.stringify(said);
        const place = at % (written.length + 1);
        const changed = written.slice(0, place) + piece + written.slice(place + cut);
        const read = readStrictJson(changed);
        expect(() => (read === undefined ? undefined : JSON.parse(changed))).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
