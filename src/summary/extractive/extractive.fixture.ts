import { SaxesParser } from 'saxes';
import type { InvocationId } from '../../event/ids.ts';
import type { JsonValue } from '../../event/json.ts';
import type { Part } from '../../event/part.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { shownEvent, text } from '../source.fixture.ts';
import type { PreviousSummary, SourceEvent, SummaryRequest } from '../summarizer.ts';
import { extractiveSummarizer } from './extractive-summarizer.ts';
import { SECTIONS, type Section } from './xml-document.ts';

/** A step of a conversation, before it has its place in one. */
export type Step = Omit<SourceEvent, 'seq'>;

function step(role: SourceEvent['role'], parts: readonly Part[], unanswered: readonly string[] = []): Step {
  return { invocation: 'i1' as InvocationId, role, author: role, parts, unanswered };
}

export function user(said: string): Step {
  return step('user', [text(said)]);
}

export function assistant(said: string): Step {
  return step('assistant', [text(said)]);
}

/** A call and what it gave, in the order they are logged. */
export function did(name: string, json: JsonValue, output: string, isError = false): Step[] {
  const id = `${name} ${JSON.stringify(json)} ${output.length}`;
  return [called(id, name, json), gave(id, name, output, isError)];
}

export function called(id: string, name: string, json: JsonValue): Step {
  return step('assistant', [{ type: 'toolCall', id, name, input: { json } }]);
}

export function gave(id: string, name: string, output: string, isError = false): Step {
  return step('tool', [{ type: 'toolResult', id, name, output: { parts: [text(output)] }, isError }]);
}

export function unansweredCall(id: string, name: string, json: JsonValue): Step {
  return step('assistant', [{ type: 'toolCall', id, name, input: { json } }], [id]);
}

export function ran(command: string, output: string, isError = false): Step[] {
  return did('bash', { command }, output, isError);
}

/** A request over these steps, in order. */
export function asking(steps: readonly Step[], more: Partial<SummaryRequest> = {}): SummaryRequest {
  const events = steps.map((each, at) => shownEvent(at + 1, each.parts, each));
  return { previous: [], context: [], events, maxSummaryTokens: 1_000, ...more };
}

export function earlier(content: string): PreviousSummary {
  return { firstSeq: 1, lastSeq: 1, text: content };
}

/** The summary's text. */
export async function summarized(
  request: SummaryRequest,
  counter: TokenCounter = estimatingCounter,
): Promise<string> {
  const result = await extractiveSummarizer({ counter }).summarize(request, {
    signal: new AbortController().signal,
  });
  if (result.kind !== 'summary') throw new Error('declined');
  return result.content;
}

/** The sections of the summary of these steps, as an XML parser reads them. */
export async function sectionsOf(
  steps: readonly Step[],
  more: Partial<SummaryRequest> = {},
): Promise<Record<Section, string>> {
  return judged(await summarized(asking(steps, more)));
}

const NAME = /^[a-z_]+$/;

/**
 * What a strict reader makes of a document: its sections' text. Throws at whatever the grammar forbids: by an XML parser
 * for what XML forbids, and by what the parser sees for the rest.
 */
export function judged(document: string): Record<Section, string> {
  const sections: Record<Section, string> = {
    goal: '',
    constraints: '',
    decisions: '',
    state: '',
    open_items: '',
  };
  const seen: string[] = [];
  const open: string[] = [];
  const fail = (problem: string): never => {
    throw new Error(problem);
  };
  const parser = new SaxesParser({ fragment: false });
  parser.on('error', (error) => fail(error.message));
  parser.on('xmldecl', () => fail('declaration'));
  parser.on('doctype', () => fail('doctype'));
  parser.on('comment', () => fail('comment'));
  parser.on('cdata', () => fail('cdata'));
  parser.on('processinginstruction', () => fail('processing instruction'));
  parser.on('opentag', (tag) => {
    if (!NAME.test(tag.name) || Object.keys(tag.attributes).length > 0) fail(`tag ${tag.name}`);
    if (open.length === 0 && tag.name !== 'conversation_summary') fail('root');
    if (open.length === 1) seen.push(tag.name);
    if (open.length > 1) fail('nested');
    open.push(tag.name);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (value) => {
    const section = SECTIONS.find((each) => each === open[1]);
    if (section !== undefined) sections[section] += value;
    else if (/[^ \t\r\n]/.test(value)) fail('text between sections');
  });
  parser.write(document).close();
  if (!document.startsWith('<conversation_summary') || !document.endsWith('</conversation_summary>'))
    fail('around the root');
  if (seen.join(' ') !== SECTIONS.join(' ')) fail(`sections ${seen.join(' ')}`);
  for (const needed of ['goal', 'state'] as const) {
    if (!/\P{White_Space}/u.test(sections[needed])) fail(`blank ${needed}`);
  }
  if (!document.isWellFormed()) fail('lone surrogate');
  return sections;
}
