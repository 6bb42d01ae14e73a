import { ConfigError, ContextLimitUnknownError, nameForMessage } from '../event/errors.ts';
import type { CounterQuality } from '../tokens/token-counter.ts';

/**
 * What the model can take, in its own tokens, as its provider states it. What is not known is left out; nothing is
 * guessed: at least one of `window` and `maxInput` must be there.
 */
export interface ContextLimit {
  /** Most tokens of request and reply together. */
  readonly window?: number;
  /** Most tokens of a request. */
  readonly maxInput?: number;
  /** Most tokens of a reply: never more than these are set aside for one. */
  readonly maxOutput?: number;
  /** Tokens of the window set aside for the reply. Default none. */
  readonly reservedOutput?: number;
  /** Tokens kept free because counts are not exact. Needed with a counter that estimates. */
  readonly margin?: number;
}

const FIELDS = ['window', 'maxInput', 'maxOutput', 'reservedOutput', 'margin'] as const;

/** Of a window given as one number: set aside for the reply at most this share and this many tokens… */
const REPLY_SHARE = 1 / 8;
const MOST_REPLY_TOKENS = 16_384;
/** …and, where counts are estimates, kept free at most this share and this many. */
const MARGIN_SHARE = 1 / 16;
const MOST_MARGIN_TOKENS = 8_192;

/**
 * A context limit as it was configured, checked. One number is the model's window: an eighth of it (at most 16,384
 * tokens) is set aside for the reply and, with a counter that estimates, a sixteenth (at most 8,192) kept free.
 * `ConfigError` names a field that cannot be, and a missing margin.
 */
export function checkContextLimit(
  configured: number | ContextLimit,
  quality: CounterQuality,
  field = 'contextLimit',
): ContextLimit {
  if (typeof configured === 'number') {
    const window = positive(field, configured);
    const margin = quality === 'exact' ? 0 : share(window, MARGIN_SHARE, MOST_MARGIN_TOKENS);
    return Object.freeze({
      window,
      reservedOutput: share(window, REPLY_SHARE, MOST_REPLY_TOKENS),
      ...(margin === 0 ? {} : { margin }),
    });
  }
  if (typeof configured !== 'object' || configured === null) {
    throw new ConfigError(field, 'must be a number of tokens, or an object with window or maxInput');
  }
  for (const name of Object.keys(configured)) {
    if (!FIELDS.some((known) => known === name))
      throw new ConfigError(
        `${field}.${nameForMessage(name)}`,
        `is no setting; there are ${FIELDS.join(', ')}`,
      );
  }
  const limit: { -readonly [Field in keyof ContextLimit]: number } = {};
  for (const name of FIELDS) {
    const value = configured[name];
    if (value !== undefined) limit[name] = positive(`${field}.${name}`, value);
  }
  if (quality !== 'exact' && limit.margin === undefined) {
    throw new ConfigError(
      `${field}.margin`,
      'is missing, and the counter estimates: say how many tokens to keep free, or use an exact counter',
    );
  }
  return Object.freeze(limit);
}

/**
 * The most tokens a request may take: the window less what is set aside for the reply, or the most input if that is
 * less; the margin comes off last. `ContextLimitUnknownError` where that does not follow from what is known or nothing
 * would be left. Takes limits as {@link checkContextLimit} returns them.
 */
export function inputLimit(limit: ContextLimit): number {
  const { window, maxInput, maxOutput, margin = 0 } = limit;
  const reserved = Math.min(limit.reservedOutput ?? 0, maxOutput ?? Number.POSITIVE_INFINITY);
  if (window !== undefined) {
    if ((maxInput ?? 0) > window) throw new ContextLimitUnknownError('maxInput is over window');
    if ((maxOutput ?? 0) > window) throw new ContextLimitUnknownError('maxOutput is over window');
    if (reserved >= window) throw new ContextLimitUnknownError('reservedOutput takes the whole window');
  }
  const whole = Math.min(
    window === undefined ? Number.POSITIVE_INFINITY : window - reserved,
    maxInput ?? Number.POSITIVE_INFINITY,
  );
  if (whole === Number.POSITIVE_INFINITY) {
    throw new ContextLimitUnknownError('neither window nor maxInput is given');
  }
  if (margin >= whole) throw new ContextLimitUnknownError('margin leaves nothing');
  return whole - margin;
}

/** How much of a limit a prompt takes, from 0 to 1; 1 for one that is over it. */
export function occupancy(tokens: number, limit: number): number {
  if (!(limit > 0)) throw new ContextLimitUnknownError('it must be above 0');
  return Math.min(1, Math.max(0, tokens / limit));
}

/** The fewest whole tokens that take at least a share of a limit. */
export function tokensOfShare(part: number, limit: number): number {
  const near = Math.max(1, Math.floor(part * limit) - 1);
  for (let tokens = near; ; tokens += 1) if (occupancy(tokens, limit) >= part) return tokens;
}

function share(window: number, part: number, most: number): number {
  return Math.min(most, Math.floor(window * part));
}

function positive(field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw new ConfigError(field, 'must be a whole number of at least 1; leave it out where it is not known');
  }
  return value;
}
