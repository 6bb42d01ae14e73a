import { ConfigError, nameForMessage } from '../event/errors.ts';
import type { CounterQuality } from '../tokens/token-counter.ts';
import { type ContextLimit, checkContextLimit, inputLimit, tokensOfShare } from './context-limit.ts';
import type { KeptTail } from './kept-tail.ts';

/** When tail retention acts. Exactly one of the three. */
export type TailTrigger =
  /** From this many tokens of the whole request on. */
  | { readonly tokens: number }
  /** From this share of the most a request may take on, above 0 and at most 1; needs `contextLimit`. */
  | { readonly share: number }
  /** Once this many tokens have gathered beyond the kept tail; `learned`: as many as cost this session the least. */
  | { readonly growth: number | 'learned' };

/**
 * Tail retention: before a model call, cover everything but the newest events. The larger of `keep`'s bounds holds, in
 * whole exchanges; the newest exchange always stays.
 */
export interface TailRetention {
  readonly trigger: TailTrigger;
  /**
   * In the trigger's unit, under it: after a compaction that leaves the request at this or more, the next waits until as
   * much has gathered as lies between the two. Default three quarters of the trigger. Not with `growth`.
   */
  readonly rearmBelow?: number;
  readonly keep: { readonly events?: number; readonly tokens?: number };
}

/** Roll-up: how many summaries stand beside each other before the oldest fitting ones are merged. */
export interface RollUp {
  /** Most live summaries in one prompt. Default 12. 1: one rolling summary, by which a fact is rewritten with every window. */
  readonly maxLive?: number;
  /** The most of the request all summaries may take, above 0 and under 1; needs `contextLimit`. */
  readonly share?: number;
}

/** What the strategies are configured with; the parts that depend on each other. */
export interface Retention {
  readonly contextLimit?: number | ContextLimit | undefined;
  /** The system prompt and tools, in the provider's tokens. */
  readonly overheadTokens?: number | undefined;
  readonly sliding?: { readonly interval: number; readonly overlap?: number } | undefined;
  readonly tail?: TailRetention | undefined;
  readonly rollUp?: RollUp | undefined;
  readonly minimumTokens: number;
  readonly maxSummaryTokens: number;
  readonly maxWindowTokens?: number | undefined;
}

/** A trigger with its tokens worked out. */
export type CheckedTrigger =
  | { readonly kind: 'size'; readonly triggerTokens: number; readonly rearmBelowTokens: number }
  | { readonly kind: 'growth'; readonly growthTokens: number | 'learned' };

/** Strategies that can work, with every default filled in. */
export interface CheckedRetention {
  readonly inputLimit: number | null;
  readonly overheadTokens: number;
  readonly sliding: { readonly interval: number; readonly overlap: number } | null;
  readonly tail: { readonly trigger: CheckedTrigger; readonly keep: KeptTail } | null;
  readonly rollUp: { readonly maxLive: number; readonly maxSummariesTokens: number | null } | null;
  readonly maxWindowTokens: number;
}

/** What a summarizer of a 200,000-token model reads beside its instruction, context and reply, with a margin for every counter. */
export const DEFAULT_MAX_WINDOW_TOKENS = 64_000;
const DEFAULT_REARM = 0.75;
const DEFAULT_MAX_LIVE = 12;

/** Fills in defaults; `ConfigError` names what cannot work and what to change, `ContextLimitUnknownError` a limit that does not follow. */
export function checkRetention(retention: Retention, quality: CounterQuality): CheckedRetention {
  const limit =
    retention.contextLimit === undefined
      ? null
      : inputLimit(checkContextLimit(retention.contextLimit, quality));
  const overheadTokens = whole('overheadTokens', retention.overheadTokens ?? 0, 0);
  if (limit !== null && overheadTokens >= limit) {
    throw new ConfigError(
      'overheadTokens',
      `of ${overheadTokens} leave nothing of the ${limit} tokens a request may take; raise contextLimit or shorten the system prompt and tools`,
    );
  }
  const maxWindowTokens = whole('maxWindowTokens', retention.maxWindowTokens ?? DEFAULT_MAX_WINDOW_TOKENS, 1);
  if (maxWindowTokens < retention.minimumTokens) {
    throw new ConfigError('maxWindowTokens', 'must not be under minimumTokens: no window would be worth it');
  }
  const rollUp = retention.rollUp === undefined ? null : checkRollUp(retention.rollUp, retention, limit);
  return Object.freeze({
    inputLimit: limit,
    overheadTokens,
    sliding: retention.sliding === undefined ? null : checkSliding(retention.sliding),
    tail:
      retention.tail === undefined
        ? null
        : checkTail(retention.tail, {
            inputLimit: limit,
            overheadTokens,
            summariesTokens: summariesTokens(rollUp, retention.maxSummaryTokens),
          }),
    rollUp,
    maxWindowTokens,
  });
}

/** Checks a sliding window's settings. */
export function checkSliding(sliding: NonNullable<Retention['sliding']>): {
  readonly interval: number;
  readonly overlap: number;
} {
  requireOnly('sliding', sliding, ['interval', 'overlap']);
  if (sliding.interval === undefined && sliding.overlap !== undefined) {
    throw new ConfigError('sliding.interval', 'is missing: an overlap is with windows of an interval');
  }
  return Object.freeze({
    interval: whole('sliding.interval', sliding.interval, 1),
    overlap: whole('sliding.overlap', sliding.overlap ?? 0, 0),
  });
}

/** Checks a kept tail: at least one bound, and not both zero. */
export function checkKeep(keep: TailRetention['keep'], field = 'keep'): KeptTail {
  if (typeof keep !== 'object' || keep === null) {
    throw new ConfigError(field, 'is missing: set its events or tokens');
  }
  const events = whole(`${field}.events`, keep.events ?? 0, 0);
  const tokens = whole(`${field}.tokens`, keep.tokens ?? 0, 0);
  if (events === 0 && tokens === 0) {
    throw new ConfigError(field, 'would summarize what is being answered; set events or tokens above 0');
  }
  return Object.freeze({ events, tokens });
}

interface Room {
  readonly inputLimit: number | null;
  readonly overheadTokens: number;
  /** What the live summaries may come to take. */
  readonly summariesTokens: number;
}

function checkTail(tail: TailRetention, room: Room): NonNullable<CheckedRetention['tail']> {
  requireOnly('tail', tail, ['trigger', 'rearmBelow', 'keep']);
  const trigger = checkTrigger(tail, room.inputLimit);
  const keep = checkKeep(tail.keep, 'tail.keep');
  const fixed = room.overheadTokens + keep.tokens;
  if (trigger.kind === 'size') {
    const { triggerTokens } = trigger;
    if (keep.tokens >= triggerTokens) {
      throw new ConfigError(
        'tail.keep.tokens',
        `of ${keep.tokens} is not under the trigger of ${triggerTokens}: nothing could ever be covered; keep fewer or raise the trigger`,
      );
    }
    if (triggerTokens <= room.summariesTokens) {
      throw new ConfigError(
        'tail.trigger',
        `of ${triggerTokens} tokens is not above the ${room.summariesTokens} that summaries may take: raise it, or lower rollUp.maxLive, rollUp.share or maxSummaryTokens`,
      );
    }
    if (fixed >= triggerTokens) {
      throw new ConfigError(
        'tail.trigger',
        `of ${triggerTokens} tokens is not above the ${fixed} that overheadTokens and tail.keep.tokens take: raise it or keep fewer`,
      );
    }
  }
  const least = trigger.kind === 'size' ? 0 : growthOf(trigger);
  if (room.inputLimit !== null && fixed + least >= room.inputLimit) {
    throw new ConfigError(
      'tail.keep.tokens',
      `of ${keep.tokens} leaves no room: with overheadTokens${least > 0 ? ' and tail.trigger.growth' : ''} it is not under the ${room.inputLimit} tokens a request may take; keep fewer or raise contextLimit`,
    );
  }
  return Object.freeze({ trigger, keep });
}

function checkTrigger(tail: TailRetention, limit: number | null): CheckedTrigger {
  const trigger: Partial<Record<'tokens' | 'share' | 'growth', unknown>> | undefined = tail.trigger;
  const named = (['tokens', 'share', 'growth'] as const).filter((kind) => trigger?.[kind] !== undefined);
  const [kind] = named;
  if (trigger === undefined || kind === undefined || named.length > 1) {
    throw new ConfigError('tail.trigger', 'must be exactly one of tokens, share and growth');
  }
  switch (kind) {
    case 'tokens': {
      const triggerTokens = whole('tail.trigger.tokens', trigger.tokens, 1);
      if (limit !== null && triggerTokens > limit) {
        throw new ConfigError(
          'tail.trigger.tokens',
          `of ${triggerTokens} is above the ${limit} tokens a request may take; lower it or raise contextLimit`,
        );
      }
      if (tail.rearmBelow === undefined) return sizeTrigger(triggerTokens);
      const rearmBelowTokens = whole('tail.rearmBelow', tail.rearmBelow, 1);
      requireBelow(rearmBelowTokens, triggerTokens);
      return sizeTrigger(triggerTokens, rearmBelowTokens);
    }
    case 'share': {
      const share = shareOf('tail.trigger.share', trigger.share, true);
      if (limit === null) {
        throw new ConfigError(
          'tail.trigger.share',
          'is of a context limit: set contextLimit, or trigger by tokens',
        );
      }
      const triggerTokens = tokensOfShare(share, limit);
      if (tail.rearmBelow === undefined) return sizeTrigger(triggerTokens);
      const rearm = shareOf('tail.rearmBelow', tail.rearmBelow, true);
      requireBelow(rearm, share);
      return sizeTrigger(triggerTokens, tokensOfShare(rearm, limit));
    }
    case 'growth': {
      if (tail.rearmBelow !== undefined) {
        throw new ConfigError(
          'tail.rearmBelow',
          'has no meaning with growth, which starts anew each time; leave it out',
        );
      }
      const growth =
        trigger.growth === 'learned'
          ? 'learned'
          : whole('tail.trigger.growth', trigger.growth, 1, ', or learned');
      return Object.freeze({ kind: 'growth', growthTokens: growth });
    }
    default:
      return kind satisfies never;
  }
}

function sizeTrigger(
  triggerTokens: number,
  rearmBelowTokens: number = Math.floor(triggerTokens * DEFAULT_REARM),
): CheckedTrigger {
  return Object.freeze({ kind: 'size', triggerTokens, rearmBelowTokens });
}

function requireBelow(rearm: number, trigger: number): void {
  if (rearm >= trigger) throw new ConfigError('tail.rearmBelow', 'must be under the trigger');
}

function growthOf({ growthTokens }: Extract<CheckedTrigger, { readonly kind: 'growth' }>): number {
  // What is learned is never more than there is room for.
  return growthTokens === 'learned' ? 0 : growthTokens;
}

function checkRollUp(
  rollUp: RollUp,
  { maxSummaryTokens }: Retention,
  limit: number | null,
): NonNullable<CheckedRetention['rollUp']> {
  requireOnly('rollUp', rollUp, ['maxLive', 'share']);
  const maxLive = whole('rollUp.maxLive', rollUp.maxLive ?? DEFAULT_MAX_LIVE, 1);
  if (rollUp.share === undefined) return Object.freeze({ maxLive, maxSummariesTokens: null });
  const share = shareOf('rollUp.share', rollUp.share, false);
  if (limit === null) {
    throw new ConfigError('rollUp.share', 'is of a context limit: set contextLimit');
  }
  const maxSummariesTokens = Math.floor(share * limit);
  if (maxSummariesTokens < maxSummaryTokens) {
    throw new ConfigError(
      'rollUp.share',
      `gives all summaries ${maxSummariesTokens} tokens, under the ${maxSummaryTokens} one may take: raise it or lower maxSummaryTokens`,
    );
  }
  return Object.freeze({ maxLive, maxSummariesTokens });
}

function summariesTokens(rollUp: CheckedRetention['rollUp'], maxSummaryTokens: number): number {
  if (rollUp === null) return maxSummaryTokens;
  return Math.min(rollUp.maxLive * maxSummaryTokens, rollUp.maxSummariesTokens ?? Number.POSITIVE_INFINITY);
}

function shareOf(field: string, value: unknown, whole: boolean): number {
  if (typeof value !== 'number' || !(value > 0 && (whole ? value <= 1 : value < 1))) {
    throw new ConfigError(field, `must be a share above 0 and ${whole ? 'at most' : 'under'} 1`);
  }
  return value;
}

/** For programs without types: a misspelt setting would silently do nothing. */
function requireOnly(field: string, value: unknown, names: readonly string[]): void {
  if (typeof value !== 'object' || value === null) throw new ConfigError(field, 'is not an object');
  for (const name of Object.keys(value)) {
    if (!names.includes(name))
      throw new ConfigError(
        `${field}.${nameForMessage(name)}`,
        `is no setting; there are ${names.join(', ')}`,
      );
  }
}

function whole(field: string, value: unknown, least: number, or = ''): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw new ConfigError(field, `must be a whole number of at least ${least}${or}`);
  }
  return value;
}
