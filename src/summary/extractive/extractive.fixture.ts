import type { InvocationId } from '../../event/ids.ts';
import type { JsonValue } from '../../event/json.ts';
import type { Part } from '../../event/part.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { checkSections, type SectionName } from '../grammar/check-sections.ts';
import { shownEvent, text } from '../source.fixture.ts';
import type { PreviousSummary, SourceEvent, SummaryRequest } from '../summarizer.ts';
import { extractiveSummarizer } from './extractive-summarizer.ts';

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
): Promise<Record<SectionName, string>> {
  return judged(await summarized(asking(steps, more)));
}

/** The text of a document's sections. Throws at whatever the gate would refuse. */
export function judged(document: string): Record<SectionName, string> {
  const verdict = checkSections(document);
  if (!verdict.ok) throw new Error(`${verdict.reason} at ${verdict.offset}`);
  const [goal, constraints, decisions, state, openItems] = verdict.sections.map((section) => section.text);
  return {
    goal: goal ?? '',
    constraints: constraints ?? '',
    decisions: decisions ?? '',
    state: state ?? '',
    open_items: openItems ?? '',
  };
}
