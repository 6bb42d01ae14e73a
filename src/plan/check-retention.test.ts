import { describe, expect, it } from 'vitest';
import { ConfigError, ContextLimitUnknownError } from '../event/errors.ts';
import { checkRetention, type Retention, type TailRetention } from './check-retention.ts';

const BASE: Retention = { minimumTokens: 300, maxSummaryTokens: 2_000 };
const TAIL: TailRetention = { trigger: { tokens: 50_000 }, keep: { tokens: 8_000 } };

function tail(more: object): object {
  return { tail: { ...TAIL, ...more } };
}

const NUMBERS = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '9'] as const;
const SHARES = [0, -0.1, 1.01, Number.NaN, Number.POSITIVE_INFINITY, '0.5'] as const;

describe('a configuration that cannot work', () => {
  it.each([
    ...NUMBERS.map((value) => ['tail.trigger.tokens', tail({ trigger: { tokens: value } })] as const),
    ...NUMBERS.map((value) => ['tail.trigger.growth', tail({ trigger: { growth: value } })] as const),
    ...NUMBERS.map((value) => ['tail.rearmBelow', tail({ rearmBelow: value })] as const),
    ...NUMBERS.slice(1).map((value) => ['tail.keep.tokens', tail({ keep: { tokens: value } })] as const),
    ...NUMBERS.slice(1).map((value) => ['tail.keep.events', tail({ keep: { events: value } })] as const),
    ...NUMBERS.map((value) => ['sliding.interval', { sliding: { interval: value } }] as const),
    ...NUMBERS.slice(1).map(
      (value) => ['sliding.overlap', { sliding: { interval: 2, overlap: value } }] as const,
    ),
    ...NUMBERS.map((value) => ['rollUp.maxLive', { rollUp: { maxLive: value } }] as const),
    ...NUMBERS.map((value) => ['maxWindowTokens', { maxWindowTokens: value }] as const),
    ...NUMBERS.slice(1).map((value) => ['overheadTokens', { overheadTokens: value }] as const),
    ...SHARES.map(
      (share) => ['tail.trigger.share', { contextLimit: 200_000, ...tail({ trigger: { share } }) }] as const,
    ),
    ...[...SHARES, 1].map(
      (share) => ['rollUp.share', { contextLimit: 200_000, rollUp: { maxLive: 12, share } }] as const,
    ),
    ...NUMBERS.map((window) => ['contextLimit.window', { contextLimit: { window, margin: 1 } }] as const),
  ])('numbers: %s in %j', (field, more) => {
    expect(() => checkRetention({ ...BASE, ...(more as Partial<Retention>) }, 'estimate')).toThrow(
      expect.objectContaining({ code: 'config', about: field }),
    );
  });

  it.each([
    ['keep without trigger', tail({ trigger: undefined }), 'tail.trigger', 'exactly one of'],
    ['an empty trigger', tail({ trigger: {} }), 'tail.trigger', 'exactly one of'],
    ['two triggers', tail({ trigger: { tokens: 50_000, share: 0.8 } }), 'tail.trigger', 'exactly one of'],
    ['no tail kept', tail({ keep: undefined }), 'tail.keep', 'set its events or tokens'],
    // Known fault 8.
    [
      'keeping nothing',
      tail({ keep: { events: 0, tokens: 0 } }),
      'tail.keep',
      'set events or tokens above 0',
    ],
    [
      'overlap without interval',
      { sliding: { overlap: 1 } },
      'sliding.interval',
      'an overlap is with windows',
    ],
    [
      'keep at the trigger',
      tail({ keep: { tokens: 50_000 } }),
      'tail.keep.tokens',
      'keep fewer or raise the trigger',
    ],
    [
      'keep and overhead at the trigger',
      { overheadTokens: 42_000, ...tail({}) },
      'tail.trigger',
      'raise it or keep fewer',
    ],
    [
      'keep at the budget',
      {
        contextLimit: { window: 60_000, reservedOutput: 10_000, margin: 1_000 },
        overheadTokens: 9_000,
        ...tail({ trigger: { tokens: 49_000 }, keep: { tokens: 40_000 } }),
      },
      'tail.trigger',
      'raise it or keep fewer',
    ],
    [
      'keep and growth at the budget',
      { contextLimit: { window: 16_000, margin: 1_000 }, ...tail({ trigger: { growth: 7_000 } }) },
      'tail.keep.tokens',
      'keep fewer or raise contextLimit',
    ],
    [
      'keep and a growth at the budget',
      { contextLimit: { window: 13_000, margin: 1_000 }, ...tail({ trigger: { growth: 4_000 } }) },
      'tail.keep.tokens',
      'keep fewer or raise contextLimit',
    ],
    [
      'a trigger that summaries alone reach',
      { rollUp: { maxLive: 25 }, ...tail({}) },
      'tail.trigger',
      'lower rollUp.maxLive, rollUp.share or maxSummaryTokens',
    ],
    [
      'a trigger one summary reaches',
      tail({ trigger: { tokens: 2_000 }, keep: { events: 1 } }),
      'tail.trigger',
      'raise it',
    ],
    [
      'a trigger above the budget',
      { contextLimit: { window: 50_000, margin: 1 }, ...tail({}) },
      'tail.trigger.tokens',
      'lower it or raise contextLimit',
    ],
    ['rearmBelow at the trigger', tail({ rearmBelow: 50_000 }), 'tail.rearmBelow', 'under the trigger'],
    [
      'rearmBelow at the share',
      { contextLimit: 200_000, ...tail({ trigger: { share: 0.8 }, rearmBelow: 0.8 }) },
      'tail.rearmBelow',
      'under the trigger',
    ],
    [
      'rearmBelow in another unit',
      { contextLimit: 200_000, ...tail({ trigger: { share: 0.8 }, rearmBelow: 40_000 }) },
      'tail.rearmBelow',
      'a share',
    ],
    [
      'rearmBelow with growth',
      tail({ trigger: { growth: 9_000 }, rearmBelow: 5_000 }),
      'tail.rearmBelow',
      'leave it out',
    ],
    ['a share of no limit', tail({ trigger: { share: 0.8 } }), 'tail.trigger.share', 'set contextLimit'],
    [
      'summaries’ share of no limit',
      { rollUp: { maxLive: 12, share: 0.3 } },
      'rollUp.share',
      'set contextLimit',
    ],
    [
      'a share that holds no summary',
      { contextLimit: 200_000, rollUp: { maxLive: 12, share: 0.01 } },
      'rollUp.share',
      'raise it or lower maxSummaryTokens',
    ],
    [
      'an overhead that is all there is',
      { contextLimit: 8_000, overheadTokens: 6_500 },
      'overheadTokens',
      'raise contextLimit',
    ],
    ['windows not worth it', { maxWindowTokens: 299 }, 'maxWindowTokens', 'minimumTokens'],
    [
      'an estimate without a margin',
      { contextLimit: { window: 200_000 } },
      'contextLimit.margin',
      'an exact counter',
    ],
  ] as const)('%s', (_name, more, field, advice) => {
    const check = (): unknown => checkRetention({ ...BASE, ...(more as Partial<Retention>) }, 'estimate');
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(expect.objectContaining({ about: field }));
    expect(check).toThrow(advice);
  });

  it('a limit that does not follow is unknown, not guessed', () => {
    expect(() => checkRetention({ ...BASE, contextLimit: { margin: 5 } }, 'estimate')).toThrow(
      ContextLimitUnknownError,
    );
  });
});

describe('one that can', () => {
  it('comes with its tokens worked out', () => {
    const checked = checkRetention(
      {
        ...BASE,
        contextLimit: { window: 120_000, reservedOutput: 15_000, margin: 5_000 },
        overheadTokens: 4_000,
        sliding: { interval: 5 },
        tail: { trigger: { share: 0.8 }, rearmBelow: 0.5, keep: { tokens: 8_000 } },
        rollUp: { maxLive: 12, share: 0.25 },
      },
      'estimate',
    );
    expect(checked).toEqual({
      inputLimit: 100_000,
      overheadTokens: 4_000,
      sliding: { interval: 5, overlap: 0 },
      tail: {
        trigger: { kind: 'size', triggerTokens: 80_000, rearmBelowTokens: 50_000 },
        keep: { events: 0, tokens: 8_000 },
      },
      rollUp: { maxLive: 12, maxSummariesTokens: 25_000 },
      maxWindowTokens: 64_000,
    });
  });

  it('re-arms below three quarters of the trigger', () => {
    const trigger = (more: Partial<Retention>): unknown =>
      checkRetention({ ...BASE, ...more }, 'exact').tail?.trigger;
    expect(trigger({ tail: TAIL })).toEqual({
      kind: 'size',
      triggerTokens: 50_000,
      rearmBelowTokens: 37_500,
    });
    expect(
      trigger({ contextLimit: { window: 100_000 }, tail: { ...TAIL, trigger: { share: 0.8 } } }),
    ).toEqual({
      kind: 'size',
      triggerTokens: 80_000,
      rearmBelowTokens: 60_000,
    });
    expect(trigger({ tail: { ...TAIL, trigger: { growth: 'learned' } } })).toEqual({
      kind: 'growth',
      growthTokens: 'learned',
    });
  });

  it('needs none of it', () => {
    expect(checkRetention(BASE, 'estimate')).toEqual({
      inputLimit: null,
      overheadTokens: 0,
      sliding: null,
      tail: null,
      rollUp: null,
      maxWindowTokens: 64_000,
    });
  });
});
