import type { InvocationId, Seq } from './ids.ts';
import type { Lane } from './lane.ts';

/** What became of an invocation. `lost`: its lease expired while it was running, as when its process was killed. */
export type InvocationState = 'running' | 'ended' | 'failed' | 'cancelled' | 'lost';

/** One user-initiated turn and all it caused. */
export interface Invocation {
  readonly id: InvocationId;
  /** 1, 2, 3 … in the order invocations first appeared; a resumed one keeps its place. */
  readonly ordinal: number;
  /** The lane it was opened in. */
  readonly lane: Lane;
  /** The lanes it appended to, in the order it did. */
  readonly lanes: readonly Lane[];
  /** The user's event that opened it, or null before there is one. */
  readonly openedBy: Seq | null;
  readonly state: InvocationState;
  /** Milliseconds of the store's clock at which a running invocation counts as lost; null once it is over. */
  readonly leaseExpiresAt: number | null;
}

/** Whether an invocation is over: only such ones are covered by the automatic strategies. */
export function isOver(invocation: Pick<Invocation, 'state'>): boolean {
  return invocation.state !== 'running';
}
