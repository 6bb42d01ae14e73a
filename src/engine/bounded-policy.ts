import { ConfigError, nameForMessage } from '../event/errors.ts';
import { type ContextLimit, checkContextLimit, inputLimit } from '../plan/context-limit.ts';
import type { Policy } from './policy.ts';
import type { SlidingWindow } from './session.ts';

/** What a bounded policy is made for. */
export interface BoundedOptions {
  /** What the model can take; one number is its window, prompt and reply together, of which room for a reply and for what estimates miss is kept free. */
  readonly contextLimit: number | ContextLimit;
  /** Tokens of the system prompt and the tools, as far as known; more is learned from reported usage. Default 0. */
  readonly overheadTokens?: number;
  /** Covers whole turns after they end, too. Not needed for the bound; every window costs a call and what the provider has cached. */
  readonly sliding?: SlidingWindow;
}

/** Of what a request may have beside system prompt and tools, live summaries take at most this share… */
const SUMMARIES_SHARE = 0.25;
/** …the kept tail this share, between these many tokens… */
const KEPT_SHARE = 0.08;
const LEAST_KEPT = 400;
const MOST_KEPT = 8_000;
/** The most live summaries; fewer where each would be too small to say anything. */
const MOST_LIVE = 12;
const LEAST_SUMMARY = 160;
const MOST_SUMMARY = 2_000;
/** A merge may grow to so many windows' summaries. */
const MERGE_GROWTH = 2;
/** With less room nothing useful can be kept. */
const LEAST_ROOM = 2_000;
/** A window is at most this share of the room: a summarizer of the same model takes it in one call. */
const WINDOW_SHARE = 0.5;
const MOST_WINDOW = 64_000;

/**
 * A policy whose prompts stay inside the context limit for ever: tail retention that compacts rarely and then well
 * (after the growth that costs least, learned from the session), roll-up, and the limit itself. Good for most users; a
 * `Policy` like any other, so spread it and change what you like. `ConfigError` for a limit that leaves no room, and
 * `ContextLimitUnknownError` for one that does not follow.
 */
function bounded(options: BoundedOptions): Policy {
  const { contextLimit, overheadTokens = 0, sliding } = checkOptions(options);
  const limit = checkContextLimit(contextLimit, 'estimate');
  const room = inputLimit(limit) - overheadTokens;
  if (!(room >= LEAST_ROOM)) {
    throw new ConfigError(
      'contextLimit',
      `leaves ${room} tokens beside overheadTokens; at least ${LEAST_ROOM} are needed`,
    );
  }
  const summaries = Math.floor(room * SUMMARIES_SHARE);
  const maxLive = Math.min(MOST_LIVE, Math.floor(summaries / (MERGE_GROWTH * LEAST_SUMMARY)));
  return Object.freeze({
    contextLimit: limit,
    overheadTokens,
    rollUp: { maxLive, share: SUMMARIES_SHARE },
    tail: {
      trigger: { growth: 'learned' as const },
      keep: { tokens: Math.min(MOST_KEPT, Math.max(LEAST_KEPT, Math.floor(room * KEPT_SHARE))) },
    },
    maxSummaryTokens: Math.min(MOST_SUMMARY, Math.floor(summaries / (MERGE_GROWTH * maxLive))),
    maxWindowTokens: Math.min(MOST_WINDOW, Math.floor(room * WINDOW_SHARE)),
    ...(sliding === undefined ? {} : { sliding }),
  });
}

/** For programs without types. */
function checkOptions(options: unknown): BoundedOptions {
  if (typeof options !== 'object' || options === null || !('contextLimit' in options))
    throw new ConfigError('contextLimit', 'is missing: say what the model can take, in tokens');
  for (const name of Object.keys(options)) {
    if (name !== 'contextLimit' && name !== 'overheadTokens' && name !== 'sliding')
      throw new ConfigError(nameForMessage(name), 'is no option of policy.bounded');
  }
  return options as BoundedOptions;
}

/** Policies that are ready to use. */
export const policy: { readonly bounded: (options: BoundedOptions) => Policy } = Object.freeze({
  bounded,
});
