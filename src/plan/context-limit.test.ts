import { describe, expect, it } from 'vitest';
import { ConfigError, ContextLimitUnknownError } from '../event/errors.ts';
import {
  type ContextLimit,
  checkContextLimit,
  inputLimit,
  occupancy,
  tokensOfShare,
} from './context-limit.ts';

describe('inputLimit', () => {
  // control-flow.md 1.10, row for row; reserved and margin as there.
  it.each([
    ['the window less the reservation', { window: 100, reservedOutput: 20 }, 80],
    ['and the margin last', { window: 100, reservedOutput: 20, margin: 5 }, 75],
    ['the reservation is clamped to the most output', { window: 100, reservedOutput: 20, maxOutput: 10 }, 90],
    ['so clamped, and the margin', { window: 100, reservedOutput: 20, maxOutput: 10, margin: 5 }, 85],
    ['the most input where it is less', { window: 100, reservedOutput: 20, maxInput: 60 }, 60],
    ['the most input and the margin', { window: 100, reservedOutput: 20, maxInput: 60, margin: 5 }, 55],
    ['the most input where it is more', { window: 100, reservedOutput: 20, maxInput: 90 }, 80],
    ['no window, the most input', { reservedOutput: 20, maxInput: 60 }, 60],
    ['no window, the most input and the margin', { reservedOutput: 20, maxInput: 60, margin: 5 }, 55],
    ['no reservation', { window: 100 }, 100],
  ] satisfies [string, ContextLimit, number][])('%s', (_name, limit, tokens) => {
    expect(inputLimit(limit)).toBe(tokens);
  });

  it.each([
    ['nothing is known', {}, 'neither window nor maxInput is given'],
    ['only the reply is', { maxOutput: 10, reservedOutput: 5 }, 'neither window nor maxInput is given'],
    ['the reservation is the window', { window: 100, reservedOutput: 100 }, 'takes the whole window'],
    [
      'the reservation is above it',
      { window: 100, reservedOutput: 101, maxInput: 60 },
      'takes the whole window',
    ],
    ['the margin is all of it', { window: 100, reservedOutput: 20, margin: 80 }, 'margin leaves nothing'],
    ['the margin is all of the most input', { maxInput: 60, margin: 60 }, 'margin leaves nothing'],
    ['the most input is above the window', { window: 100, maxInput: 101 }, 'maxInput is over window'],
    ['the most output is above the window', { window: 100, maxOutput: 101 }, 'maxOutput is over window'],
  ] satisfies [string, ContextLimit, string][])('unknown: %s', (_name, limit, problem) => {
    expect(() => inputLimit(limit)).toThrow(ContextLimitUnknownError);
    expect(() => inputLimit(limit)).toThrow(problem);
  });
});

describe('checkContextLimit', () => {
  const fields = ['window', 'maxInput', 'maxOutput', 'reservedOutput', 'margin'] as const;
  const wrong = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '8', null];
  it.each(fields.flatMap((field) => wrong.map((value) => [field, value] as const)))(
    '%s of %s',
    (field, value) => {
      const limit = { window: 100, margin: 1, [field]: value } as ContextLimit;
      expect(() => checkContextLimit(limit, 'estimate')).toThrow(
        expect.objectContaining({ code: 'config', about: `contextLimit.${field}` }),
      );
    },
  );

  it.each([0, -1, 0.5, Number.NaN, '200000' as never, null as never])('%s for all of it', (value) => {
    expect(() => checkContextLimit(value, 'exact')).toThrow(ConfigError);
  });

  it('needs a margin where counts are estimates, and only there', () => {
    expect(() => checkContextLimit({ window: 100 }, 'estimate')).toThrow(
      expect.objectContaining({ about: 'contextLimit.margin' }),
    );
    expect(checkContextLimit({ window: 100 }, 'exact')).toEqual({ window: 100 });
    expect(checkContextLimit({ window: 100, margin: 3 }, 'estimate')).toEqual({ window: 100, margin: 3 });
  });

  it('takes one number as the window and leaves room for the reply and for the estimate', () => {
    expect(inputLimit(checkContextLimit(200_000, 'exact'))).toBe(200_000 - 16_384);
    expect(inputLimit(checkContextLimit(200_000, 'estimate'))).toBe(200_000 - 16_384 - 8_192);
    expect(inputLimit(checkContextLimit(8_000, 'estimate'))).toBe(8_000 - 1_000 - 500);
    expect(inputLimit(checkContextLimit(1, 'estimate'))).toBe(1);
  });
});

describe('occupancy', () => {
  it.each([
    [0, 100, 0],
    [1, 10_000, 0.0001],
    [1, 3, 1 / 3],
    [100, 100, 1],
    [101, 100, 1],
  ])('%i of %i', (tokens, limit, part) => {
    expect(occupancy(tokens, limit)).toBe(part);
  });

  it('is under 1 while one token is free, and nothing of no limit', () => {
    expect(occupancy(Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER)).toBeLessThan(1);
    for (const limit of [0, -1, Number.NaN])
      expect(() => occupancy(1, limit)).toThrow(ContextLimitUnknownError);
  });

  // Fails when shares are worked out by multiplying: 0.57 * 100 is a little under 57.
  it('gives the fewest tokens that take a share', () => {
    for (let percent = 1; percent <= 100; percent += 1)
      expect(tokensOfShare(percent / 100, 100)).toBe(percent);
    for (const limit of [3, 7, 99_991, 183_616]) {
      for (const part of [0.001, 0.1, 0.3, 0.57, 0.75, 0.8, 1]) {
        const tokens = tokensOfShare(part, limit);
        expect(occupancy(tokens, limit)).toBeGreaterThanOrEqual(part);
        expect(occupancy(tokens - 1, limit)).toBeLessThan(part);
      }
    }
  });
});
