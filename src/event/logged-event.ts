import type { StoredEvent } from './event.ts';
import type { ExchangeId } from './obligation.ts';

/**
 * An event with what the store knows of its place. Ordinals count 1, 2, 3 … among the events of its lane and of its
 * isolation: two events are neighbours there exactly when their ordinals are.
 */
export interface LoggedEvent {
  readonly event: StoredEvent;
  readonly exchange: ExchangeId;
  readonly pinned: boolean;
  readonly laneOrdinal: number;
  readonly isolationOrdinal: number;
  /** SHA-256 of its content as stored, hex; taken once at append. */
  readonly hash: string;
}
