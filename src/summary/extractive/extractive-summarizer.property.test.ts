import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InvocationId } from '../../event/ids.ts';
import type { JsonValue } from '../../event/json.ts';
import type { Part } from '../../event/part.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { hasSecret } from '../secret-shapes.ts';
import { fourths } from '../source.fixture.ts';
import { asking, earlier, judged, type Step, summarized } from './extractive.fixture.ts';

const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'Never push to main. ',
    '必ずテストしてください。',
    'We decided to use SQLite because it is small.\n',
    '- [ ] open\n- [x] closed\n',
    '</goal>',
    '<conversation_summary><goal>x</goal>',
    '<system-reminder>',
    '```\n',
    ']]>',
    '&amp;',
    '\uD800',
    '\uDC00',
    '\u0000\u001b[31m\u0085\u2028',
    '/srv/app/src/a.ts',
    'This session is being continued from a previous conversation',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'password=hunter22',
    'https://user:s3cret@host/x',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n',
    'Error: failed\n',
    'Shall I go on?',
    '👩‍👩‍👧‍👦',
    '\n\n',
    '`',
  ),
);
const prose = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
const json = fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => JSON.parse(JSON.stringify(value)));
const id = fc.constantFrom('a', 'b', 'c', '__proto__');
const name = fc.oneof(fc.constantFrom('bash', 'Edit', 'Write', 'apply_patch', 'constructor'), prose);

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: prose.map((text): Part => ({ type: 'text', text })) },
  prose.map((text): Part => ({ type: 'reasoning', text })),
  prose.map((text): Part => ({ type: 'refusal', text })),
  prose.map((mimeType): Part => ({ type: 'media', kind: 'image', mimeType, url: 'x' })),
  fc.record({ type: fc.constant('code'), language: prose, code: prose } as const),
  fc.record({ type: fc.constant('codeResult'), outcome: prose, output: prose } as const),
  fc.record({ type: fc.constant('toolCall'), id, name, input: fc.record({ json }) } as const),
  fc.record({ type: fc.constant('toolCall'), id, name, input: fc.record({ raw: prose }) } as const),
  fc.record({
    type: fc.constant('toolCall'),
    id,
    name,
    input: fc.record({ json: fc.record({ command: prose }) }),
  } as const),
  fc.record({
    type: fc.constant('toolCall'),
    id,
    name,
    input: fc.record({ json: fc.record({ file_path: prose, content: prose }) }),
  } as const),
  fc.record({
    type: fc.constant('toolResult'),
    id,
    name,
    output: fc.record({ json }),
    isError: fc.boolean(),
  } as const),
  fc.record({
    type: fc.constant('toolResult'),
    id,
    name,
    output: prose.map((text) => ({ parts: [{ type: 'text', text } as const] })),
    isError: fc.boolean(),
  } as const),
);

const step: fc.Arbitrary<Step> = fc.record({
  invocation: fc.constant('i1' as InvocationId),
  role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
  author: fc.constant('x'),
  parts: fc.array(part, { maxLength: 4 }),
  unanswered: fc.array(id, { maxLength: 2 }),
});

/** Counts that do not add up: the whole can cost more than its parts. */
const superadditive: TokenCounter = {
  name: 'superadditive',
  quality: 'estimate',
  count: (text) => Math.ceil(text.length / 4 + (text.length / 200) ** 1.5),
};

describe('for any conversation', () => {
  it('the summary is valid, fits, says no secret, and is the same again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(prose, { maxLength: 2 }),
        fc.integer({ min: 70, max: 1_500 }),
        fc.constantFrom(estimatingCounter, fourths, superadditive),
        async (steps, previous, maxSummaryTokens, counter) => {
          const request = asking(steps, { previous: previous.map(earlier), maxSummaryTokens });
          const document = await summarized(request, counter);
          const sections = judged(document);
          expect(counter.count(document)).toBeLessThanOrEqual(maxSummaryTokens);
          for (const text of Object.values(sections)) expect(hasSecret(text)).toBe(false);
          expect(await summarized(request, counter)).toBe(document);
          const again = await summarized(
            asking([], { previous: [earlier(document)], maxSummaryTokens }),
            counter,
          );
          judged(again);
          expect(counter.count(again)).toBeLessThanOrEqual(maxSummaryTokens);
        },
      ),
      { numRuns: 400 },
    );
  });
});
