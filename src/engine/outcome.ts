import type { CompactionRecord, Strategy } from '../coverage/record.ts';
import type { Lane } from '../event/lane.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { NothingReason } from '../plan/plan.ts';

/**
 * What became of one attempt to compact. None of these is an exception: whatever happened, no event and no turn is
 * lost.
 */
export type CompactionOutcome =
  | { readonly kind: 'committed'; readonly record: CompactionRecord; readonly attempt: Attempt }
  /** The summarizer declined, the allowance is spent, the gate refused, the call failed, or somebody was faster; `attempt.reason` says which. */
  | {
      readonly kind: 'declined' | 'failed' | 'discarded';
      readonly attempt: Attempt;
      readonly reason: string;
      /** The error behind a failure; may carry text of the conversation: for programs, never rendered. */
      readonly cause?: unknown;
    }
  /** Another holder compacts this lane now. */
  | {
      readonly kind: 'busy';
      readonly lane: Lane;
      readonly heldBy: string;
      readonly expiresInMilliseconds: number;
    }
  /** Nothing to do, or blocked. */
  | {
      readonly kind: 'nothing';
      readonly lane: Lane;
      readonly strategy: Strategy;
      readonly reason: NothingReason;
    }
  /** The store failed before an attempt began. */
  | { readonly kind: 'error'; readonly lane: Lane; readonly reason: string; readonly cause: unknown };
