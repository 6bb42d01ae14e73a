import { describe, expect, it } from 'vitest';
import { InvalidSummaryError } from '../event/errors.ts';
import { IDENTITY } from './contract/input.fixture.ts';
import { DEFAULT_MAX_SUMMARY_BYTES, type GateLimits, judgeResult, requireSmaller } from './gate.ts';
import { summaryDocument } from './grammar/table.fixture.ts';
import { fourths } from './source.fixture.ts';

const limits: GateLimits = {
  format: 'prose',
  maxSummaryTokens: 100,
  maxSummaryBytes: 4_000,
  counter: fourths,
};
const SECRET = 'what the model said';

/** The reason a result is refused for; what it is judged to be when it is not. */
function verdict(result: unknown, more: Partial<GateLimits> = {}): string {
  try {
    return judgeResult(result, { ...limits, ...more }).kind;
  } catch (error) {
    if (!(error instanceof InvalidSummaryError)) throw error;
    if (error.message !== `invalid summary: ${error.reason}`) throw error;
    return error.reason;
  }
}

function summary(content: unknown, more: object = {}): object {
  return { kind: 'summary', content, ...more };
}

function thrower(): never {
  throw new TypeError(SECRET);
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('judgeResult', () => {
  it('passes a summary, byte for byte, with what it cost', () => {
    expect(
      judgeResult(
        summary('  Goal:\n ship 😀 ', {
          usage: { inputTokens: 9, outputTokens: 30, reasoningTokens: 20 },
          finish: 'stop',
        }),
        limits,
      ),
    ).toEqual({
      kind: 'summary',
      text: '  Goal:\n ship 😀 ',
      usage: { inputTokens: 9, outputTokens: 30, reasoningTokens: 20 },
      reported: { inputTokens: 9, outputTokens: 30, reasoningTokens: 20 },
      estimated: false,
    });
  });

  // Fails when an unreported usage is refused, or taken for zero.
  it.each([undefined, null, {}, { inputTokens: 7 }, { outputTokens: Number.NaN }, { outputTokens: null }])(
    'counts what a summarizer did not, and marks it: %o',
    (usage) => {
      const judged = judgeResult(summary('x'.repeat(40), { usage }), limits);
      expect(judged).toMatchObject({ kind: 'summary', usage: { outputTokens: 10 }, estimated: true });
    },
  );

  const shapes: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['a text', SECRET],
    ['a number', 1],
    ['a function', () => summary(SECRET)],
    ['an array', [summary(SECRET)]],
    ['an array with fields', Object.assign([], summary(SECRET))],
    ['an error', new Error(SECRET)],
    ['an error with fields', Object.assign(new Error(SECRET), summary(SECRET))],
    ['an error object', { error: { message: SECRET } }],
    ['a promise', Promise.resolve(summary(SECRET))],
    ['nothing', {}],
    ['another kind', { kind: 'Summary', content: SECRET }],
    ['no content', { kind: 'summary' }],
    ['content in parts', summary([{ type: 'text', text: SECRET }])],
    ['content as an object', summary({ text: SECRET, parts: [] })],
    ['content as a boxed string', summary(Object('boxed'))],
    [
      'content that throws',
      {
        kind: 'summary',
        get content() {
          return thrower();
        },
      },
    ],
    [
      'a kind that throws',
      {
        get kind() {
          return thrower();
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy({}, { get: thrower, has: thrower, getPrototypeOf: thrower, ownKeys: thrower }),
    ],
    ['a revoked proxy', revoked()],
    ['an empty text', summary('')],
    ['blanks', summary(' \n\t\r')],
    ['blanks that trim keeps', summary('\u0085\u00a0\u3000\u2028\u2029\u2003')],
    ['what shows nothing', summary('\u200b\ufeff\u200d\u2060\n')],
  ];
  it.each(shapes)('refuses %s for its shape', (_name, result) => {
    expect(verdict(result)).toBe('output_shape');
  });

  it('takes scripts that join and part letters with what shows nothing', () => {
    expect(verdict(summary('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'))).toBe('summary');
    expect(verdict(summary('\u{1f469}\u200d\u{1f4bb}'))).toBe('summary');
  });

  it('bounds bytes of UTF-8, the limit included', () => {
    const bytes = { maxSummaryTokens: 10_000 };
    expect(verdict(summary('é'.repeat(2_000)), bytes)).toBe('summary');
    expect(verdict(summary(`${'é'.repeat(2_000)}.`), bytes)).toBe('byte_limit');
    const unlimited = { maxSummaryBytes: undefined, maxSummaryTokens: 1e9 };
    expect(verdict(summary('x'.repeat(DEFAULT_MAX_SUMMARY_BYTES)), unlimited)).toBe('summary');
    expect(verdict(summary('x'.repeat(DEFAULT_MAX_SUMMARY_BYTES + 1)), unlimited)).toBe('byte_limit');
  });

  // Fails when only the known bad ends are refused.
  it.each([
    'length',
    'toolCalls',
    'contentFilter',
    'error',
    'aborted',
    'other',
    'STOP',
    'safety',
    '',
    0,
    true,
    {},
  ])('refuses an answer that ended with %o', (finish) =>
    expect(verdict(summary('fine', { finish }))).toBe('finish'),
  );
  it('refuses an end that cannot be read', () => {
    expect(verdict(Object.defineProperty(summary('fine'), 'finish', { get: thrower }))).toBe('finish');
  });

  it.each([
    { outputTokens: 0 },
    { outputTokens: -1 },
    { outputTokens: 1.5 },
    { outputTokens: Number.POSITIVE_INFINITY },
    { outputTokens: '12' },
    { outputTokens: 12, reasoningTokens: -5 },
    { outputTokens: 12, inputTokens: 'many' },
    'usage',
    7,
    Object.defineProperty({}, 'outputTokens', { get: thrower }),
  ])('refuses a usage that counts nothing: %o', (usage) => {
    expect(verdict(summary('fine', { usage }))).toBe('token_usage');
  });

  // Fails when reasoning is charged to the summary, or the limit excludes itself.
  it('bounds the tokens of the answer without its reasoning', () => {
    expect(verdict(summary('fine', { usage: { outputTokens: 100 } }))).toBe('summary');
    expect(verdict(summary('fine', { usage: { outputTokens: 101 } }))).toBe('token_limit');
    expect(verdict(summary('fine', { usage: { outputTokens: 5_000, reasoningTokens: 4_900 } }))).toBe(
      'summary',
    );
    expect(verdict(summary('fine', { usage: { outputTokens: 5_000, reasoningTokens: 4_899 } }))).toBe(
      'token_limit',
    );
    // Reported beside the output: nothing to subtract, and no way round the limit.
    expect(verdict(summary('fine', { usage: { outputTokens: 100, reasoningTokens: 900 } }))).toBe('summary');
    expect(verdict(summary('fine', { usage: { outputTokens: 101, reasoningTokens: 900 } }))).toBe(
      'token_limit',
    );
    expect(verdict(summary('x'.repeat(400)))).toBe('summary');
    expect(verdict(summary('x'.repeat(401)))).toBe('token_limit');
    // Reasoning reported without an output count says nothing about the text that was counted here.
    expect(verdict(summary('x'.repeat(401), { usage: { reasoningTokens: 90 } }))).toBe('token_limit');
  });

  it('gives the first reason in the order of the table', () => {
    const bad = { usage: { outputTokens: -1 }, finish: 'length' };
    expect(verdict(summary(' ', bad))).toBe('output_shape');
    expect(verdict(summary('x'.repeat(5_000), bad))).toBe('byte_limit');
    expect(verdict(summary('x', bad))).toBe('finish');
    expect(verdict(summary('x', { ...bad, finish: 'stop' }))).toBe('token_usage');
  });

  // Fails when a text that only looks like sections is stored as one.
  it('holds sections to their grammar, after all that prose is held to', () => {
    const sections = { format: 'sections' } as const;
    const document = summaryDocument({ goal: 'ship' });
    expect(verdict(summary(document), sections)).toBe('summary');
    expect(verdict(summary(' '), sections)).toBe('output_shape');
    expect(verdict(summary('prose', { finish: 'length' }), sections)).toBe('finish');
    expect(verdict(summary('prose', { usage: { outputTokens: 101 } }), sections)).toBe('token_limit');
    expect(verdict(summary('prose'), sections)).toBe('xml_structure');
    expect(verdict(summary('<summary/>'), sections)).toBe('xml_root');
    expect(verdict(summary(document.replace('</goal>', '&nbsp;</goal>')), sections)).toBe('xml_syntax');
    expect(verdict(summary(summaryDocument({ goal: ' ' })), sections)).toBe('xml_content');
  });

  it('says where a document fails, what it cost, and nothing it says', () => {
    const document = `${summaryDocument({ goal: SECRET })}\n`;
    const refused = (): unknown =>
      judgeResult(summary(document, { usage: { outputTokens: 9 } }), { ...limits, format: 'sections' });
    expect(refused).toThrow(
      expect.objectContaining({
        message: 'invalid summary: xml_structure',
        reason: 'xml_structure',
        offset: document.length - 1,
        usage: { outputTokens: 9 },
      }),
    );
  });

  // Fails when the answers before are charged to this one, or their cost is lost.
  it('counts what was discarded as paid and not as said', () => {
    const given = {
      usage: { inputTokens: 5, outputTokens: 90 },
      discarded: { inputTokens: 5, outputTokens: 99 },
    };
    expect(judgeResult(summary('fine', given), limits)).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 189 },
      estimated: false,
    });
    expect(judgeResult(summary('x'.repeat(40), { discarded: given.discarded }), limits)).toMatchObject({
      usage: { inputTokens: 5, outputTokens: 109 },
      reported: { inputTokens: 5, outputTokens: 99 },
      estimated: true,
    });
    expect(() => judgeResult(summary(' ', given), limits)).toThrow(
      expect.objectContaining({ usage: { inputTokens: 10, outputTokens: 189 } }),
    );
    expect(judgeResult(summary('fine', { discarded: SECRET }), limits)).toMatchObject({ estimated: true });
  });

  it('judges no tokens where nobody counts and nobody reported', () => {
    const uncounted = { ...limits, counter: undefined };
    expect(judgeResult(summary('x'.repeat(4_000)), uncounted)).toMatchObject({ usage: {}, estimated: true });
    expect(verdict(summary('fine', { usage: { outputTokens: 101 } }), uncounted)).toBe('token_limit');
    expect(verdict(summary('fine', { usage: 'many' }), uncounted)).toBe('token_usage');
  });

  it('takes the summary out of an answer of the wire, after all that prose is held to', () => {
    const { basis, model, requestFingerprint } = IDENTITY;
    const answer = (document: string): string =>
      JSON.stringify({
        version: 1,
        basis: { revision: basis.revision, through_event_id: basis.throughEventId },
        model,
        request_fingerprint: requestFingerprint,
        summary: document,
      });
    const wire = { format: 'sections', envelope: IDENTITY, maxSummaryTokens: 200 } as const;
    const document = summaryDocument({ goal: 'ship' });
    expect(judgeResult(summary(answer(document)), { ...limits, ...wire })).toMatchObject({ text: document });
    expect(verdict(summary(answer(document), { finish: 'length' }), wire)).toBe('finish');
    expect(verdict(summary(document), wire)).toBe('wire');
    expect(
      verdict(summary(answer('x')), { ...wire, envelope: { ...IDENTITY, basis: { ...basis, revision: 8 } } }),
    ).toBe('identity');
    expect(verdict(summary(answer('x')), wire)).toBe('xml_structure');
  });

  it('stores text every store can keep', () => {
    expect(judgeResult(summary('a\ud800b\u0000c'), limits)).toMatchObject({ text: 'a\ufffdb\ufffdc' });
  });

  it('reads each field once, so that a second look cannot differ', () => {
    const reads: string[] = [];
    const result = new Proxy(summary('fine', { finish: 'stop', usage: { outputTokens: 3 } }), {
      get: (target, key) => {
        reads.push(String(key));
        return Reflect.get(target, key) as unknown;
      },
    });
    expect(verdict(result)).toBe('summary');
    expect(reads.sort()).toEqual(['content', 'discarded', 'finish', 'kind', 'usage']);
  });

  it('says what a refused answer cost, and keeps its words to itself', () => {
    for (const result of [
      summary(SECRET, { finish: 'length', usage: { outputTokens: 9 } }),
      { usage: { outputTokens: 9 } },
    ]) {
      expect(() => judgeResult(result, limits)).toThrow(
        expect.objectContaining({ usage: { outputTokens: 9 } }),
      );
    }
    for (const [, result] of shapes) expect(verdict(result)).not.toContain(SECRET);
  });

  describe('declined', () => {
    it('passes on a known reason and what it cost', () => {
      expect(
        judgeResult({ kind: 'declined', reason: 'too_little', usage: { inputTokens: 4 } }, limits),
      ).toEqual({
        kind: 'declined',
        reason: 'too_little',
        usage: { inputTokens: 4 },
      });
    });

    // Fails when the summarizer's own words become the attempt's reason.
    it.each([SECRET, '', 5, undefined, { toString: () => 'too_little' }, ['too_little']])(
      'has other words for %o',
      (reason) => {
        expect(judgeResult({ kind: 'declined', reason }, limits)).toEqual({
          kind: 'declined',
          reason: 'other',
          usage: undefined,
        });
      },
    );

    it('is declined though reason and usage cannot be read', () => {
      const result = Object.defineProperties(
        { kind: 'declined' },
        { reason: { get: thrower }, usage: { get: thrower } },
      );
      expect(judgeResult(result, limits)).toMatchObject({ reason: 'other', usage: undefined });
    });
  });
});

describe('requireSmaller', () => {
  it.each([
    [99, 100, true],
    [100, 100, false],
    [101, 100, false],
    [0, 0, false],
    [Number.NaN, 100, false],
    [1, Number.NaN, false],
  ])('of %d entering for %d leaving: %s', (enters, leaves, passes) => {
    const refused = (): boolean => {
      try {
        requireSmaller({ leaves, enters });
        return false;
      } catch (error) {
        return error instanceof InvalidSummaryError && error.reason === 'not_smaller';
      }
    };
    expect(refused()).toBe(!passes);
  });
});
