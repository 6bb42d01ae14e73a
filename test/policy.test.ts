import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  MemoryStore,
  Palimpsest,
  type PalimpsestOptions,
  type Summarizer,
} from '../src/index.ts';

const make = (options: Partial<PalimpsestOptions>): (() => Palimpsest) => {
  return () => new Palimpsest({ store: new MemoryStore(), ...options });
};

const summarizer: Summarizer = {
  name: 'mine',
  format: 'prose',
  summarize: async () => ({ kind: 'declined', reason: 'other' }),
};

describe('a policy that cannot work is refused at start', () => {
  it.each([
    ['interval 0', { sliding: { interval: 0 } }, 'sliding.interval'],
    ['interval NaN', { sliding: { interval: Number.NaN } }, 'sliding.interval'],
    ['interval Infinity', { sliding: { interval: Number.POSITIVE_INFINITY } }, 'sliding.interval'],
    ['a negative overlap', { sliding: { interval: 1, overlap: -1 } }, 'sliding.overlap'],
    // Known fault 8: a kept tail of nothing summarizes the question being answered.
    ['keeping nothing', { keep: { events: 0, tokens: 0 } }, 'keep'],
    ['keeping half an event', { keep: { events: 0.5 } }, 'keep.events'],
    ['a deadline of 0', { deadlineMilliseconds: 0 }, 'deadlineMilliseconds'],
    [
      'an unknown format',
      { summarizer: { ...summarizer, format: 'markdown' as 'prose' } },
      'summarizer.format',
    ],
    [
      'a shape that is no JSON',
      { summarizer: { ...summarizer, shape: { at: 1n as never } } },
      'summarizer.shape',
    ],
    ['no room for a summary', { maxSummaryTokens: 0 }, 'maxSummaryTokens'],
  ])('%s', (_name, options, field) => {
    expect(make(options)).toThrow(ConfigError);
    expect(make(options)).toThrow(field);
  });

  it('takes a store alone: summaries are extracted, and only on request', async () => {
    const palimpsest = make({})();
    expect(palimpsest.policy.summarizer.name).toBe('extractive');
    expect(palimpsest.policy.sliding).toBeNull();
    await palimpsest.close();
  });
});
