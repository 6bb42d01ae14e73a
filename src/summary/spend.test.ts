import { describe, expect, it } from 'vitest';
import { askSummarizer } from './ask.ts';
import { fourths, requestOf, shownEvent, text } from './source.fixture.ts';
import { addSpend, spendOf } from './spend.ts';

describe('what was paid', () => {
  it.each([
    ['nothing reported', undefined, undefined],
    // Fails when a summarizer without a model counts as a call that was paid for.
    ['zero tokens', { inputTokens: 0, outputTokens: 0 }, undefined],
    ['input alone', { inputTokens: 7 }, { inputTokens: 7, outputTokens: 0, calls: 1 }],
    // Fails when reasoning is counted twice, or not at all.
    [
      'reasoning in the output',
      { outputTokens: 30, reasoningTokens: 20 },
      { inputTokens: 0, outputTokens: 30, calls: 1 },
    ],
    [
      'reasoning beside the output',
      { outputTokens: 10, reasoningTokens: 90 },
      { inputTokens: 0, outputTokens: 100, calls: 1 },
    ],
    [
      'a cache beside the input',
      { inputTokens: 5, cachedInputTokens: 40, outputTokens: 1 },
      { inputTokens: 45, outputTokens: 1, calls: 1 },
    ],
  ])('%s', (_what, usage, spend) => {
    expect(spendOf(usage)).toEqual(spend);
  });

  it('adds up', () => {
    const one = { inputTokens: 1, outputTokens: 2, calls: 1 };
    expect(addSpend(one, undefined)).toEqual(one);
    expect(addSpend(undefined, undefined)).toBeUndefined();
    expect(addSpend(one, { inputTokens: 10, outputTokens: 20, calls: 3 })).toEqual({
      inputTokens: 11,
      outputTokens: 22,
      calls: 4,
    });
  });
});

/** What a call is said to cost whose summarizer gives this, or throws it. */
async function spendOfCall(result: unknown) {
  const summarizer = {
    name: 'one',
    format: 'prose',
    summarize: async () => {
      if (result instanceof Error) throw result;
      return result as never;
    },
  } as const;
  const options = { counter: fourths, deadlineMilliseconds: 1_000, setTimer: () => () => undefined };
  return (await askSummarizer(summarizer, requestOf([shownEvent(1, [text('x')])]), options)).spend;
}

describe('a call', () => {
  const usage = { inputTokens: 10, outputTokens: 2 };
  const paid = { ...usage, calls: 1 };

  it.each([
    ['a summary', { kind: 'summary', content: 'fine', usage }, paid],
    ['a decline', { kind: 'declined', reason: 'too_little', usage }, paid],
    ['a refused summary', { kind: 'summary', content: ' ', usage }, paid],
    ['an error that says so', Object.assign(new Error('quota'), { usage }), paid],
    [
      'answers asked for again',
      { kind: 'summary', content: 'fine', usage, discarded: usage },
      { inputTokens: 20, outputTokens: 4, calls: 1 },
    ],
    // Fails when the session's own count of an answer is taken for what was paid.
    ['a summary without a report', { kind: 'summary', content: 'fine' }, undefined],
    [
      'a summary that reports its input alone',
      { kind: 'summary', content: 'fine', usage: { inputTokens: 10 } },
      { inputTokens: 10, outputTokens: 0, calls: 1 },
    ],
    ['an error that does not', new Error('down'), undefined],
    ['a usage that is none', { kind: 'summary', content: 'fine', usage: { inputTokens: -1 } }, undefined],
  ])('%s', async (_what, result, spend) => {
    expect(await spendOfCall(result)).toEqual(spend);
  });
});
