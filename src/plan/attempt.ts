import type { Strategy } from '../coverage/record.ts';
import type { Spans } from '../coverage/span.ts';
import type { Usage } from '../event/event.ts';
import type { AttemptId, RecordId } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';

/** What became of an attempt. */
export type AttemptState = 'started' | 'committed' | 'declined' | 'discarded' | 'failed' | 'abandoned';

/** The durable story of one plan. */
export interface Attempt {
  readonly id: AttemptId;
  readonly lane: Lane;
  readonly rootView: boolean;
  readonly trigger: Strategy;
  /** What it set out to cover. */
  readonly window: {
    readonly spans: Spans;
    readonly events: number;
    readonly tokens: number;
    readonly invocations: number;
  };
  readonly state: AttemptState;
  /** Why it ended as it did: constant words, never conversation text. */
  readonly reason?: string;
  readonly usage?: Usage;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly record?: RecordId;
  /** The session's newest invocation when it started: back-off counts from it. */
  readonly invocationCount: number;
  /** The prompt it was to shrink, as measured when it was planned; what is learned of a session outlives its process so. */
  readonly measured?: Measured;
}

/** A prompt's size when an attempt was planned. All in tokens. */
export interface Measured {
  /** Whose prompt it was. */
  readonly agent: string;
  /** The complete request: the prompt, the system prompt and the tools. */
  readonly promptTokens: number;
  /** Of it, by the session's counter, what was assembled: entries and summaries. */
  readonly storedTokens: number;
  /** The provider's tokens for one of the counter's, learned from usage differences; 1 while nothing is. */
  readonly ratio: number;
  /** Tokens beside what is assembled: system prompt and tools, in the provider's. */
  readonly overhead: number;
}
