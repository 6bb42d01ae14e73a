import type { CompactionRecord } from '../coverage/record.ts';
import type { StoredEvent } from '../event/event.ts';
import type { AttemptId, EventId, InvocationId, RecordId } from '../event/ids.ts';
import { ROOT_LANE } from '../event/lane.ts';
import type { Part, ToolCallPart, ToolOutput } from '../event/part.ts';
import { estimatingCounter } from '../tokens/estimating-counter.ts';
import { fitEntries } from './cut/fit-entries.ts';
import type { EventEntry, ParkedEntry, Prompt, PromptEntry, SummaryEntry } from './prompt.ts';

/** An event with defaults: the user's, in the root lane, of one invocation. */
export function event(seq: number, fields: Partial<Omit<StoredEvent, 'seq'>> = {}): StoredEvent {
  return {
    seq,
    id: `e${seq}` as EventId,
    invocation: 'i1' as InvocationId,
    lane: ROOT_LANE,
    author: fields.role ?? 'user',
    role: 'user',
    content: [],
    tokens: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

/** A user's message. */
export function user(seq: number, text: string): EventEntry {
  return entry(event(seq, { content: [{ type: 'text', text }] }));
}

/** The model's reply; a string is one text part. */
export function assistant(
  seq: number,
  content: string | readonly Part[],
  fields: Partial<StoredEvent> = {},
  marks: Partial<EventEntry> = {},
): EventEntry {
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return entry(event(seq, { role: 'assistant', content: parts, ...fields }), marks);
}

/** A tool's result. */
export function result(
  seq: number,
  id: string,
  text: string | ToolOutput,
  fields: Partial<StoredEvent> = {},
): EventEntry {
  const output: ToolOutput = typeof text === 'string' ? { parts: [{ type: 'text', text }] } : text;
  const part: Part = { type: 'toolResult', id, name: 'f', output, isError: false };
  return entry(event(seq, { role: 'tool', content: [part], ...fields }));
}

/** A call of tool `f` with `{"a":1}`. */
export function call(id: string, name = 'f'): ToolCallPart {
  return { type: 'toolCall', id, name, input: { json: { a: 1 } } };
}

export function entry(stored: StoredEvent, marks: Partial<EventEntry> = {}): EventEntry {
  return {
    kind: 'event',
    event: stored,
    cut: null,
    state: 'raw',
    older: false,
    open: [],
    ...marks,
  };
}

export function summary(firstSeq: number, lastSeq: number, text: string): SummaryEntry {
  const record: CompactionRecord = {
    id: `r${firstSeq}` as RecordId,
    revision: 2,
    lane: ROOT_LANE,
    rootView: false,
    spans: [{ first: firstSeq, last: lastSeq }],
    context: [],
    level: 1,
    supersedes: [],
    over: [],
    summary: { format: 'prose', text, literals: [] },
    literals: { found: 0, kept: 0 },
    nonce: firstSeq.toString(16).padStart(16, 'a'),
    strategy: 'manual',
    basis: { revision: 1, throughSeq: lastSeq, throughEventId: `e${lastSeq}` as EventId },
    digest: '',
    model: { summarizer: 'test' },
    fingerprint: '',
    tokens: { covered: 1, summary: 1 },
    events: 1,
    attempt: 'a1' as AttemptId,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  return { kind: 'summary', record, firstSeq, lastSeq, tokens: 1 };
}

export function parked(name: string): ParkedEntry {
  const { lane, invocation } = event(1);
  const common = {
    seq: 1,
    index: 0,
    lane,
    invocation,
    exchange: 1,
    longRunning: true,
    about: '',
    answeredBy: null,
  };
  return { kind: 'parked', obligations: [{ kind: 'call', id: 'c', name, ...common }], more: 1, tokens: 1 };
}

/** Entries, counted by the estimate, of which only a share of their tokens may be shown. */
export function cutTo(entries: readonly PromptEntry[], share: number): readonly PromptEntry[] {
  const tokens = entries.reduce((sum, item) => sum + (item.kind === 'event' ? item.event.tokens : 0), 0);
  return fitEntries(entries, tokens * (1 - share), estimatingCounter).entries;
}

/** A prompt of these entries for an agent; `''` is a reader to whom all the assistant said is its own. */
export function prompt(entries: readonly PromptEntry[], agent = ''): Prompt {
  const none = { events: 0, tokens: 0 };
  return {
    reader: { agent, lane: ROOT_LANE },
    revision: 1,
    throughSeq: 0,
    entries,
    accounting: {
      total: none,
      raw: none,
      recovered: none,
      covered: none,
      summaries: none,
      cut: none,
      promptTokens: 0,
    },
  };
}
