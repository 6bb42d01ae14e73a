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
}
