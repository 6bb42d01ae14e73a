import { ImportError } from '../event/errors.ts';
import type { JsonValue } from '../event/json.ts';
import { type NumberSources, parseWithSources } from './exact-numbers.ts';
import type { LogFormatReader, LogHead } from './format.ts';
import type { LogFormat } from './import-report.ts';
import type { ImportRun, Said } from './import-run.ts';
import { parseLine, readLines } from './read-lines.ts';

/** A conversation in one JSON document. */
export interface Conversation {
  readonly messages: readonly JsonValue[];
  readonly session?: string | null;
}

/** What one message says: events in order, or why it is skipped. */
export interface SaidMessage {
  readonly said: readonly (Said & { readonly suffix?: string })[] | string;
  /** The message's own id, where it has one that names it for good. */
  readonly id?: string;
}

/** Reads the messages of one conversation, in order. */
export interface MessageReader {
  /** `ordinal` counts messages of a document, or lines, from 1. */
  say(message: JsonValue, ordinal: number, numbers: NumberSources | null): SaidMessage;
}

/** A format whose unit is a message: a JSON document, or a message a line. */
export interface MessageFormat {
  readonly format: LogFormat;
  /** The conversation a document holds, or null when it is none of this format. */
  conversation(document: JsonValue): Conversation | null;
  /** Whether lines are messages of this format. */
  areMessages(lines: readonly JsonValue[]): boolean;
  reader(run: ImportRun): MessageReader;
}

/** A log format made of a message format. Memory is the document, or, of a message a line, constant. */
export function messageLog(messages: MessageFormat): LogFormatReader {
  return {
    format: messages.format,
    sniff: ({ lines, document }: LogHead): boolean =>
      document === null
        ? messages.areMessages(lines) || lines.some((line) => messages.conversation(line) !== null)
        : messages.conversation(document.value) !== null,
    async read(run: ImportRun, { lines, document }: LogHead): Promise<void> {
      if (document !== null && !messages.areMessages(lines)) {
        await readDocument(messages, run, document.text);
        return;
      }
      if (document === null && lines.some((line) => holdsMessages(messages.conversation(line), line))) {
        throw new ImportError(run.source.name, 0, 'holds a conversation a line; import them one by one');
      }
      await readMessageLines(messages, run);
    },
  };
}

async function readDocument(messages: MessageFormat, run: ImportRun, text: string): Promise<void> {
  const exact = parseWithSources(text);
  const conversation = messages.conversation(exact?.revived ?? (JSON.parse(text) as JsonValue));
  run.named(conversation?.session ?? null);
  const each = emitter(messages, run);
  for (const [index, message] of (conversation?.messages ?? []).entries()) {
    each(message, exact?.numbers ?? null, index + 1, 0);
    if (run.writer.full) await run.writer.flush();
  }
  run.progress(run.source.size ?? Buffer.byteLength(text));
}

async function readMessageLines(messages: MessageFormat, run: ImportRun): Promise<void> {
  const each = emitter(messages, run);
  await readLines(run, {
    line: (raw) => {
      const parsed = parseLine(raw, run);
      if (parsed === null) return;
      const exact = parseWithSources(parsed.text);
      each(exact?.revived ?? parsed.value, exact?.numbers ?? null, raw.number, raw.end - raw.start);
    },
    tooLong: () => run.tally.skip('line_too_long'),
  });
}

/** A message by itself makes a conversation of one; this is about the others. */
function holdsMessages(conversation: Conversation | null, line: JsonValue): boolean {
  return conversation !== null && conversation.messages[0] !== line;
}

type Emit = (message: JsonValue, numbers: NumberSources | null, ordinal: number, bytes: number) => void;

function emitter(messages: MessageFormat, run: ImportRun): Emit {
  const reader = messages.reader(run);
  const occurrences = new Map<string, number>();
  return (message, numbers, ordinal, bytes) => {
    const { said, id } = reader.say(message, ordinal, numbers);
    if (typeof said === 'string') {
      run.tally.skip(said);
      return;
    }
    const name = id ?? `${messages.format}:${ordinal}`;
    const occurrence = (occurrences.get(name) ?? 0) + 1;
    if (id !== undefined) occurrences.set(name, occurrence);
    run.events(said, { line: ordinal, id: occurrence === 1 ? name : `${name}#${occurrence}`, bytes });
  };
}
