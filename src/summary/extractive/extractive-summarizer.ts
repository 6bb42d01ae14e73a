import type { Part, ToolCallPart } from '../../event/part.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import type {
  SourceEvent,
  Summarizer,
  SummarizerCall,
  SummaryRequest,
  SummaryResult,
} from '../summarizer.ts';
import { NOTHING, readEarlier } from './earlier-summary.ts';
import { fitDocument } from './fit-document.ts';
import { userText } from './injected.ts';
import { emptyNotes, type Notes, noteTurnEnd } from './notes.ts';
import { type Pacer, pacer } from './pacer.ts';
import { oneLine, plain } from './plain-text.ts';
import { readProse } from './prose.ts';
import { readAssistant } from './read-assistant.ts';
import { readUser } from './read-user.ts';
import { bucketsOf, valuesBucket } from './to-buckets.ts';

/** Options of {@link extractiveSummarizer}. */
export interface ExtractiveOptions {
  /** Counts the budget. Give the session's own: a summary is measured by that one. */
  readonly counter: TokenCounter;
}

/**
 * A summarizer without a model: no network, no cost, the same answer every time, any language. It writes the five
 * sections out of what is there: the requests as the user put them, standing instructions, sentences that decide, the
 * last state of files, commands and the plan, failures nothing has mended, and what was asked last. Earlier summaries
 * are read on and merged.
 *
 * It extracts and does not understand. It does not paraphrase, infer, resolve contradictions, or see what pictures
 * show; rules and decisions are found by their wording, so one put in unusual words is missed, and one revoked later
 * stays beside its revocation. Where a model is at hand, one writes better summaries; this one is the embedded default
 * and the fallback.
 *
 * Text of tools is evidence of outcomes only and never becomes a goal, a rule or a decision; shapes of secrets are
 * removed. The answer fits `maxSummaryTokens` by the counter unless not even the empty document does. Long input is
 * read in slices that give way to the event loop; the call rejects with the signal's reason when that is aborted.
 */
export function extractiveSummarizer(options: ExtractiveOptions): Summarizer {
  return {
    name: 'extractive',
    format: 'sections',
    async summarize(request: SummaryRequest, call: SummarizerCall): Promise<SummaryResult> {
      call.signal.throwIfAborted();
      const pace = pacer(call.signal);
      const notes = emptyNotes();
      for (const previous of request.previous) await readEarlier(notes, previous, pace);
      readContextCalls(notes, request.context);
      if (request.events.some((event) => event.role === 'assistant' && event.parts.some(isProse)))
        noteTurnEnd(notes);
      for (const event of request.events) await readEvent(notes, event, pace);
      if (notes.first === '')
        for (const event of request.context) if (event.role === 'user') await readEvent(notes, event, pace);
      await pace.pause();
      const buckets = [...bucketsOf(notes, request.maxSummaryTokens), valuesBucket(request.mustKeep ?? [])];
      await pace.pause();
      const content = fitDocument(buckets, NOTHING, request.maxSummaryTokens, options.counter);
      return { kind: 'summary', content, finish: 'stop' };
    },
  };
}

/** What reading an event, a call and a skimmed result cost beside the text, in code units. */
const EVENT_UNITS = 512;
const CALL_UNITS = 8 * 1024;
const RESULT_UNITS = 16 * 1024;

const MOST_MEDIA = 50;

/** Code run by a provider need not carry an id; its result follows at once. */
const CODE_ID = 'code';

function isProse(part: Part): boolean {
  return part.type === 'text' && part.text.trim() !== '';
}

/** A result in the window may answer a call before it. */
function readContextCalls(notes: Notes, context: readonly SourceEvent[]): void {
  const answered = new Set<string>();
  for (const { parts } of context)
    for (const part of parts) if (part.type === 'toolResult') answered.add(part.id);
  for (const { parts } of context)
    for (const part of parts) if (part.type === 'toolCall' && !answered.has(part.id)) notes.work.call(part);
}

async function readEvent(notes: Notes, event: SourceEvent, pace: Pacer): Promise<void> {
  await pace.spend(EVENT_UNITS);
  for (const part of event.parts) await readPart(notes, event, part, pace);
  for (const id of event.unanswered) notes.work.unanswered(id);
}

async function readPart(notes: Notes, event: SourceEvent, part: Part, pace: Pacer): Promise<void> {
  switch (part.type) {
    case 'text':
      if (event.role === 'user') await readUserText(notes, part.text, pace);
      else if (event.role === 'assistant') await readAssistant(notes, part.text, pace);
      return;
    case 'refusal':
      await readAssistant(notes, part.text, pace);
      return;
    case 'toolCall':
      await pace.spend(CALL_UNITS);
      readCall(notes, part);
      return;
    case 'toolResult':
      await pace.spend(RESULT_UNITS);
      notes.work.result(part);
      return;
    case 'media':
      if (notes.media.size < MOST_MEDIA)
        notes.media.add(oneLine(plain((part.name ?? part.mimeType).slice(0, 120))));
      return;
    case 'code':
      readCall(notes, {
        type: 'toolCall',
        id: part.id ?? CODE_ID,
        name: `${part.language} code`,
        input: { raw: part.code },
      });
      return;
    case 'codeResult': {
      const output = { parts: [{ type: 'text', text: part.output }] } as const;
      const isError = !/ok|success|complete|^$/i.test(part.outcome);
      notes.work.result({ type: 'toolResult', id: part.id ?? CODE_ID, name: 'code', output, isError });
      return;
    }
    case 'reasoning':
    case 'opaque':
      return;
    default:
      part satisfies never;
  }
}

function readCall(notes: Notes, call: ToolCallPart): void {
  notes.work.call(call);
  notes.askState = 'in progress';
  notes.intent = '';
}

async function readUserText(notes: Notes, text: string, pace: Pacer): Promise<void> {
  const { said, compaction, interrupted } = userText(text);
  if (compaction !== '') await readProse(notes, compaction, pace);
  if (said !== '') await readUser(notes, said, pace);
  if (interrupted) notes.askState = 'interrupted';
}
