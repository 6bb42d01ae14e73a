import type { EventDraft, StoredEvent } from '../event/event.ts';
import type { AppendOptions } from '../store/session-store.ts';

/** The log formats that are recognised by content. */
export type LogFormat =
  | 'claude-code'
  | 'codex'
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'ai-sdk-ui';

/** Where an import puts what it reads; a `Session` is one. */
export interface ImportSink {
  append(drafts: readonly EventDraft[], options?: AppendOptions): Promise<readonly StoredEvent[]>;
  /** Asked once, before the first append: seqs above `events` are new, the others were stored already. */
  info(): Promise<{ readonly events: number } | null>;
}

/**
 * Chooses the sink by the log's own name of its session, or null where it has none. Asked once, before the first
 * append: a log without an event asks for no sink.
 */
export type SinkFor = (nativeSession: string | null) => ImportSink | Promise<ImportSink>;

/** What became of every line (of a JSON document: of every message). `asEvents + merged + the skipped = total`. */
export interface LineCounts {
  readonly total: number;
  /** Lines that are an event, stored now or known already. */
  readonly asEvents: number;
  /** Lines that say again, or add to, what another line's event holds. */
  readonly merged: number;
  /** Lines that hold no conversation, by reason: constant words and the log's own type names. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** What an import did. */
export interface ImportReport {
  readonly format: LogFormat;
  /** The log's own name of its session, when it has one. */
  readonly nativeSession: string | null;
  readonly lines: LineCounts;
  /** Events stored by this import, and events that were stored already. */
  readonly stored: number;
  readonly known: number;
  /** What a person should know: constant words and numbers. */
  readonly notes: readonly string[];
}
