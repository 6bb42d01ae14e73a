import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompactionError, CompactionInputError, InvalidSummaryError } from '../../event/errors.ts';
import type { Part } from '../../event/part.ts';
import { reachable, shownEvent } from '../source.fixture.ts';
import { DEFAULT_CAPS } from '../transcript-caps.ts';
import { compactionInput } from './compaction-input.ts';
import { compactionOutput, outputOf, settledOutput } from './compaction-output.ts';
import { hostile, IDENTITY, inputOf, nestedResult } from './input.fixture.ts';
import { toMessages } from './to-messages.ts';

const SECRET = 'what the conversation said';

/** The field an input is refused for; `ok` when it is not. */
function refusedField(value: unknown): string {
  try {
    compactionInput(value);
    return 'ok';
  } catch (error) {
    if (!(error instanceof CompactionInputError)) throw error;
    if (error.message !== `invalid compaction input: ${error.field}`) throw error;
    return error.field;
  }
}

const message = (parts: unknown, kind = 'user', role: unknown = kind): unknown => ({ kind, role, parts });
const cycle: { self?: unknown } = {};
cycle.self = cycle;

describe('compactionInput', () => {
  it('gives a deeply frozen copy that shares nothing', () => {
    const given = inputOf({
      transcript: [
        message(
          [{ type: 'toolCall', id: 'c', name: 'look', input: { json: { a: [1, { b: SECRET }] } } }],
          'assistant',
        ),
        message([nestedResult(3)], 'tool'),
      ],
    });
    const copy = compactionInput(given);
    expect(copy).toEqual(given);
    const theirs = reachable(given);
    for (const object of reachable(copy)) {
      expect(Object.isFrozen(object)).toBe(true);
      expect(theirs.has(object)).toBe(false);
    }
  });

  it.each<readonly [string, object]>([
    ['basis', { basis: undefined }],
    ['basis', { basis: { ...IDENTITY.basis, revision: 0 } }],
    ['basis', { basis: { ...IDENTITY.basis, revision: 0n } }],
    ['basis', { basis: { ...IDENTITY.basis, revision: -1 } }],
    ['basis', { basis: { ...IDENTITY.basis, revision: 1.5 } }],
    ['basis', { basis: { ...IDENTITY.basis, revision: 2 ** 53 } }],
    ['basis', { basis: { ...IDENTITY.basis, revision: 2n ** 64n } }],
    ['basis', { basis: { ...IDENTITY.basis, revision: '7' } }],
    ['basis', { basis: { revision: 7, throughEventId: '' } }],
    ['model', { model: { provider: '', model: 'm' } }],
    ['model', { model: { provider: 'p', model: '' } }],
    ['model', { model: 'p/m' }],
    ['request_fingerprint', { requestFingerprint: '0'.repeat(64) }],
    ['request_fingerprint', { requestFingerprint: 'ab'.repeat(31) }],
    ['request_fingerprint', { requestFingerprint: 'AB'.repeat(32) }],
    ['request_fingerprint', { requestFingerprint: `${'ab'.repeat(32)}\n` }],
    ['max_summary_tokens', { maxSummaryTokens: 0 }],
    ['max_summary_tokens', { maxSummaryTokens: 1.5 }],
    ['max_summary_tokens', { maxSummaryTokens: Number.NaN }],
    ['max_summary_tokens', { maxSummaryTokens: Number.POSITIVE_INFINITY }],
  ])('refuses %s: %o', (field, change) => {
    expect(refusedField(inputOf({ ...change }))).toBe(field);
  });

  it.each([7n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2 ** 53 - 1])('takes the revision %s as it is', (revision) => {
    const { basis } = compactionInput(inputOf({ basis: { ...IDENTITY.basis, revision } }));
    expect(basis.revision).toBe(revision);
  });

  // Fails when a later field is looked at before an earlier one has passed.
  it('names the first field in the order of the table', () => {
    const all = { basis: 0, model: 0, requestFingerprint: 0, transcript: 0, maxSummaryTokens: 0 };
    const order: [keyof typeof all, string][] = [
      ['basis', 'basis'],
      ['model', 'model'],
      ['requestFingerprint', 'request_fingerprint'],
      ['transcript', 'transcript'],
      ['maxSummaryTokens', 'max_summary_tokens'],
    ];
    const value: { [field: string]: unknown } = { ...all };
    for (const [field, name] of order) {
      expect(refusedField(value)).toBe(name);
      value[field] = inputOf()[field];
    }
    expect(refusedField(value)).toBe('ok');
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no list', { 0: message([]), length: 1 }],
    ['no messages', []],
    ['a hole', Array(1)],
    ['a null message', [null]],
    ['a missing message', [message([]), undefined]],
    ['a text for a message', [SECRET]],
    ['an unknown kind', [message([], 'developer')]],
    ['a role of another kind', [message([], 'user', 'assistant')]],
    ['no role', [{ kind: 'user', parts: [] }]],
    ['no parts', [{ kind: 'user', role: 'user' }]],
    ['null parts', [message(null)]],
    ['a text for parts', [message(SECRET)]],
    ['a null part', [message([null])]],
    ['a hole among parts', [message(Array(1))]],
    ['an unknown kind of part', [message([{ type: 'hologram', text: SECRET }])]],
    ['code, which is to be mapped before', [message([{ type: 'code', language: 'a', code: 'b' }])]],
    ['an opaque part', [message([{ type: 'opaque', provider: 'a', kind: 'b', json: 1 }])]],
    [
      'code within a result',
      [
        message(
          [
            nestedResult(1),
            { type: 'toolResult', output: { parts: [{ type: 'code', language: 'a', code: 'b' }] } },
          ],
          'tool',
        ),
      ],
    ],
    ['a text that is none', [message([{ type: 'text', text: 7 }])]],
    ['a cycle', [message([{ type: 'toolCall', name: 'a', input: { json: cycle } }])]],
    ['a BigInt', [message([{ type: 'toolCall', name: 'a', input: { json: { a: 1n } } }])]],
    ['a function', [message([{ type: 'toolCall', name: 'a', input: { json: () => SECRET } }])]],
    ['the 129th level', [message([nestedResult(129)], 'tool')]],
    ['a message that throws', [hostile()]],
    ['parts that throw', [message(hostile())]],
    ['an author that is none', [{ ...Object(message([])), author: 7 }]],
  ])('refuses a transcript with %s', (_name, transcript) => {
    expect(refusedField(inputOf({ transcript }))).toBe('transcript');
  });

  // Fails when an empty text, a refusal or a message of nothing makes a session impossible to compact.
  it('judges nothing a transcript says', () => {
    const parts = [
      { type: 'text', text: '' },
      { type: 'refusal', text: 'no' },
      { type: 'reasoning', text: '' },
      { type: 'media', kind: 'image', mimeType: '', url: '' },
      nestedResult(128),
    ];
    for (const kind of ['user', 'assistant', 'system', 'tool'])
      expect(refusedField(inputOf({ transcript: [message([], kind), message(parts, kind)] }))).toBe('ok');
  });

  it('leaves behind what only a provider may see', () => {
    const parts = [
      { type: 'text', text: 'a', providerState: { provider: 'p', json: SECRET }, other: SECRET },
    ];
    expect(JSON.stringify(compactionInput(inputOf({ transcript: [message(parts)] })))).not.toContain(SECRET);
  });

  it('throws its own error and no other, whatever it is given', () => {
    for (const value of [
      undefined,
      null,
      7,
      SECRET,
      hostile(),
      inputOf({ basis: hostile() }),
      inputOf({ model: hostile() }),
    ])
      expect(refusedField(value)).not.toBe('ok');
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
        fc.anything(),
        (a, b) => {
          refusedField(a);
          refusedField(inputOf({ basis: a, transcript: b }));
          refusedField(inputOf({ transcript: [message([a, b]), b] }));
          refusedField(
            inputOf({ transcript: [message([{ type: 'toolCall', name: 'a', input: { json: a } }])] }),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('toMessages', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  const { part } = fc.letrec<{ part: Part }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4 },
      text.map((said): Part => ({ type: 'text', text: said })),
      text.map((said): Part => ({ type: 'reasoning', text: said })),
      text.map((said): Part => ({ type: 'refusal', text: said })),
      text.map((name): Part => ({ type: 'media', kind: 'audio', mimeType: name, name, data: 'AAAA' })),
      text.map((code): Part => ({ type: 'code', language: code, code })),
      text.map((output): Part => ({ type: 'codeResult', outcome: 'ok', output })),
      text.map((json): Part => ({ type: 'opaque', provider: json, kind: 'item', json: { json } })),
      text.map((raw): Part => ({ type: 'toolCall', id: raw, name: raw, input: { raw } })),
      fc
        .array(tie('part'), { maxLength: 3 })
        .map(
          (parts): Part => ({ type: 'toolResult', id: 'c', name: 'n', output: { parts }, isError: false }),
        ),
    ),
  }));

  // Fails when any kind of part an event may hold has no place in a transcript: then its session never compacts.
  it('makes a transcript that passes, of any events', () => {
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 3 }), { minLength: 1, maxLength: 4 }), (events) => {
        const shown = events.map((parts, index) => shownEvent(index + 1, parts, { unanswered: ['c'] }));
        const transcript = toMessages(
          { previous: [{ firstSeq: 1, lastSeq: 2, text: '' }], context: shown, events: shown },
          DEFAULT_CAPS,
        );
        expect(transcript).toHaveLength(shown.length * 2 + 1);
        expect(refusedField(inputOf({ transcript }))).toBe('ok');
      }),
      { numRuns: 300 },
    );
  });

  it('says the kind of what becomes text', () => {
    const [only] = toMessages(
      { previous: [], context: [], events: [shownEvent(1, [{ type: 'code', language: 'py', code: 'a<b' }])] },
      DEFAULT_CAPS,
    );
    expect(only?.parts).toEqual([{ type: 'text', text: '{"part":"code","language":"py","code":"a<b"}' }]);
  });
});

describe('compactionOutput', () => {
  const summary = { role: 'user', content: [{ type: 'text', text: 'done' }] };

  /** The reason an output is refused for; `ok` when it is not. */
  function refusedReason(value: unknown): string {
    try {
      compactionOutput(value, IDENTITY);
      return 'ok';
    } catch (error) {
      if (!(error instanceof InvalidSummaryError)) throw error;
      if (error.message !== `invalid summary: ${error.reason}`) throw error;
      return error.reason;
    }
  }

  it('gives a deeply frozen copy that shares nothing', () => {
    const given = { ...IDENTITY, summary };
    const copy = compactionOutput(given, IDENTITY);
    expect(copy).toEqual(given);
    for (const object of reachable(copy)) expect(Object.isFrozen(object)).toBe(true);
    expect(copy).toEqual(outputOf(IDENTITY, 'done'));
  });

  it.each<readonly [string, object]>([
    ['another revision', { basis: { ...IDENTITY.basis, revision: 8 } }],
    ['no revision', { basis: { ...IDENTITY.basis, revision: 0 } }],
    ['another event', { basis: { ...IDENTITY.basis, throughEventId: 'event-42' } }],
    ['another provider', { model: { provider: 'Acme', model: 'm-1' } }],
    ['another model', { model: { provider: 'acme', model: 'm-2' } }],
    ['another fingerprint', { requestFingerprint: 'cd'.repeat(32) }],
    ['no fingerprint', { requestFingerprint: undefined }],
    ['a basis that throws', { basis: hostile() }],
  ])('refuses %s before it looks at the summary', (_name, change) => {
    expect(refusedReason({ ...IDENTITY, summary, ...change })).toBe('identity');
    expect(refusedReason({ ...IDENTITY, summary: 7, ...change })).toBe('identity');
  });

  it('compares revisions as whole numbers', () => {
    const big = { ...IDENTITY, basis: { ...IDENTITY.basis, revision: 2n ** 53n + 1n } };
    expect(() => compactionOutput({ ...big, summary }, big)).not.toThrow();
    expect(() =>
      compactionOutput({ ...IDENTITY, basis: { ...IDENTITY.basis, revision: 7n }, summary }, IDENTITY),
    ).not.toThrow();
    const near = { ...big, basis: { ...big.basis, revision: 2n ** 53n + 2n } };
    expect(() => compactionOutput({ ...near, summary }, big)).toThrow(InvalidSummaryError);
  });

  it.each<readonly [string, unknown]>([
    ['none', undefined],
    ['a text', SECRET],
    ['one of another role', { ...summary, role: 'system' }],
    ['content that is a text', { role: 'user', content: SECRET }],
    ['no part', { role: 'user', content: [] }],
    ['two parts', { role: 'user', content: [summary.content[0], summary.content[0]] }],
    ['another part', { role: 'user', content: [{ type: 'reasoning', text: SECRET }] }],
    ['an empty text', { role: 'user', content: [{ type: 'text', text: '' }] }],
    ['a text that is none', { role: 'user', content: [{ type: 'text', text: 7 }] }],
    ['one that throws', hostile()],
  ])('refuses a summary that is %s', (_name, changed) => {
    expect(refusedReason({ ...IDENTITY, summary: changed })).toBe('output_shape');
  });

  it('takes a blank text: whether it says anything is the grammar’s to judge', () => {
    expect(() => outputOf(IDENTITY, ' ')).not.toThrow();
    expect(() => outputOf(IDENTITY, '')).toThrow(expect.objectContaining({ reason: 'output_shape' }));
  });

  it('throws its own error and no other, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(refusedReason(value)).not.toBe('ok');
        refusedReason({ ...IDENTITY, summary: value });
        refusedReason({ ...IDENTITY, summary: { role: 'user', content: [value] } });
      }),
      { numRuns: 500 },
    );
  });
});

describe('settledOutput', () => {
  const value = outputOf(IDENTITY, 'done');

  it('is the value, checked, or throws the error', () => {
    expect(settledOutput({ value }, IDENTITY)).toEqual(value);
    expect(settledOutput({ value, error: null }, IDENTITY)).toEqual(value);
    const error = new Error('x');
    expect(() => settledOutput({ error }, IDENTITY)).toThrow(error);
    expect(() => settledOutput({ error: SECRET }, IDENTITY)).toThrow(CompactionError);
    expect(() => settledOutput({ value: { ...value, summary: 7 } }, IDENTITY)).toThrow(InvalidSummaryError);
  });

  it.each([{}, null, undefined, 7, { value, error: new Error('x') }, hostile()])(
    'refuses both and neither',
    (settled) => {
      expect(() => settledOutput(settled, IDENTITY)).toThrow(
        expect.objectContaining({ reason: 'output_shape' }),
      );
    },
  );
});
