import type { StoredEvent } from '../../event/event.ts';

/** An event to show, and which part of it where it does not fit. */
export interface RecalledEvent {
  readonly event: StoredEvent;
  /** What is shown begins at this character of its text; 0 where nothing else was asked for. */
  readonly from: number;
  /** Where what was looked for stands: an event that does not fit is shown from there. Null: its head and its tail are. */
  readonly near: (() => number) | null;
}

/** What is to be shown of a session's past. */
export interface Recollection {
  /** What matters most first: where not all fit, the last are left out. */
  readonly events: readonly RecalledEvent[];
  /** Whether they are shown by seq instead. */
  readonly inSeqOrder: boolean;
  /** Lines that say what is not shown and how to ask for it: constant words, escaped names and numbers. */
  readonly notes: (shown: readonly RecalledEvent[]) => readonly string[];
}

/** What a reader is told. */
export interface Recalled {
  /** For a model to read: the events' words, fenced, or one line that says why there are none. */
  readonly text: string;
  /** What `text` takes, by the session's counter. */
  readonly tokens: number;
  /** The events of which `text` shows something, in its order. */
  readonly seqs: readonly number[];
}
