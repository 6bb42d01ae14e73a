import { copyJson } from '../event/copy-json.ts';
import { ConfigError } from '../event/errors.ts';
import {
  type CheckedRetention,
  checkKeep,
  checkRetention,
  type RollUp,
  type TailRetention,
} from '../plan/check-retention.ts';
import type { ContextLimit } from '../plan/context-limit.ts';
import type { Allowance } from '../store/allowance.ts';
import { extractiveSummarizer } from '../summary/extractive/extractive-summarizer.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { checkAllowance } from './check-allowance.ts';
import type { Keep, SlidingWindow } from './session.ts';

/** What is compacted, when, and how. Everything has a default. */
export interface Policy {
  /** Default: {@link extractiveSummarizer}, which needs no model and no network and is as good as that. */
  readonly summarizer?: Summarizer;
  /** Compacts after each invocation that ended. By itself it shrinks a prompt by a constant factor; it does not bound it: that takes `rollUp`. */
  readonly sliding?: SlidingWindow;
  /** Compacts when a prompt or its tail has grown too large: in {@link Session.prepare}, before a model call, and after each invocation that ended. */
  readonly tail?: TailRetention;
  /** Merges summaries where there are too many. Missing: they stay as they are, and a prompt grows with every window. */
  readonly rollUp?: RollUp;
  /** What the model can take; one number is its window, reply included. Missing: prompts are not measured against anything. */
  readonly contextLimit?: number | ContextLimit;
  /** Tokens of the system prompt and the tools, until they are learned from reported usage. Default 0. */
  readonly overheadTokens?: number;
  /** The tail `compact()` leaves raw. Default: 20 events. */
  readonly keep?: Keep;
  /** Stored tokens under which events are not worth a summary. Default {@link DEFAULT_MINIMUM_TOKENS}. */
  readonly minimumTokens?: number;
  /** The most tokens a summary's text may take; one of a small window takes less. Default {@link DEFAULT_MAX_SUMMARY_TOKENS}. */
  readonly maxSummaryTokens?: number;
  /** False: summaries carry no exact values beside their prose, and no record says what share was kept. Default true: up to a quarter of a summary's tokens is theirs. */
  readonly literals?: boolean;
  /** The share, 0 to 1, of the 100 most important exact values that a summary's prose must keep by itself; under it the summarizer is asked once more, and what is still missing is carried beside the prose. Default 0: asked once. */
  readonly literalsFloor?: number;
  /** The most stored tokens of one window of tail retention, in whole exchanges: a huge backlog is worked off oldest first. Default 64,000. */
  readonly maxWindowTokens?: number;
  /**
   * The most summarizer tokens a tenant spends in a period. When it is spent, attempts are declined at once, `allowance`,
   * until the period turns; those under way then still end, and what they cost is the most by which it is exceeded. Only
   * what summarizers report counts: a call that timed out, or whose process died, reported nothing. Default: no bound.
   */
  readonly allowance?: Allowance;
  /** How long one summarizer call may take. Default 60,000. */
  readonly deadlineMilliseconds?: number;
  /** How long a turn runs without a sign of life before it counts as lost. Default 600,000. */
  readonly turnLeaseMilliseconds?: number;
}

/** A policy with every default filled in. */
export interface CheckedPolicy extends CheckedRetention {
  readonly literals: boolean;
  readonly literalsFloor: number;
  readonly summarizer: Summarizer;
  readonly keep: Required<Keep>;
  readonly minimumTokens: number;
  readonly maxSummaryTokens: number;
  readonly allowance: Required<Allowance> | null;
  readonly deadlineMilliseconds: number;
  readonly turnLeaseMilliseconds: number;
}

/** Where a summary's frame alone costs most of what is covered, nothing is gained. */
export const DEFAULT_MINIMUM_TOKENS = 300;
/** Room for a coding session's thread. */
export const DEFAULT_MAX_SUMMARY_TOKENS = 2_000;
const DEFAULT_KEEP_EVENTS = 20;

/** Fills in defaults; `ConfigError` names what cannot work and what to change. */
export function checkPolicy(policy: Policy, counter: TokenCounter): CheckedPolicy {
  const summarizer = policy.summarizer ?? extractiveSummarizer({ counter });
  if (typeof summarizer.summarize !== 'function') {
    throw new ConfigError('summarizer', 'has no summarize method');
  }
  if (summarizer.format !== 'sections' && summarizer.format !== 'prose') {
    throw new ConfigError('summarizer.format', 'must be sections or prose');
  }
  try {
    copyJson(summarizer.shape ?? {}, 'shape');
  } catch (cause) {
    throw new ConfigError('summarizer.shape', 'must be JSON: it goes into fingerprints', { cause });
  }
  const sizes = {
    minimumTokens: whole('minimumTokens', policy.minimumTokens ?? DEFAULT_MINIMUM_TOKENS, 1),
    maxSummaryTokens: whole('maxSummaryTokens', policy.maxSummaryTokens ?? DEFAULT_MAX_SUMMARY_TOKENS, 1),
  };
  return Object.freeze({
    summarizer,
    keep: checkKeep(policy.keep ?? { events: DEFAULT_KEEP_EVENTS }),
    ...sizes,
    ...checkLiterals(policy),
    ...checkRetention({ ...policy, ...sizes }, counter.quality),
    allowance: policy.allowance === undefined ? null : checkAllowance(policy.allowance),
    deadlineMilliseconds: whole('deadlineMilliseconds', policy.deadlineMilliseconds ?? 60_000, 1),
    turnLeaseMilliseconds: whole('turnLeaseMilliseconds', policy.turnLeaseMilliseconds ?? 600_000, 1),
  });
}

function checkLiterals({
  literals = true,
  literalsFloor = 0,
}: Policy): Pick<CheckedPolicy, 'literals' | 'literalsFloor'> {
  if (typeof literalsFloor !== 'number' || !(literalsFloor >= 0 && literalsFloor <= 1)) {
    throw new ConfigError('literalsFloor', 'must be a share from 0 to 1');
  }
  if (!literals && literalsFloor > 0) {
    throw new ConfigError('literalsFloor', 'cannot hold with literals off');
  }
  return { literals, literalsFloor };
}

function whole(field: string, value: unknown, least: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw new ConfigError(field, `must be a whole number of at least ${least}`);
  }
  return value;
}
