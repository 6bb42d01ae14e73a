import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { RecordId } from '../../event/ids.ts';
import type { Part } from '../../event/part.ts';
import type { Explanation, RawReason } from '../../prompt/explanation.ts';
import type { Look } from '../look.ts';
import { shortIds } from '../pick.ts';
import { cut, wrap } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible, visibleProse } from '../text/visible.ts';
import { standingOf } from './records-report.ts';
import { section, sectionWidth } from './section.ts';
import { laneText, seqsText, spansText } from './spans-text.ts';

/** Where one event went and why, in plain words. */
export function explainReport(look: Look, explained: Explanation, graph: RecordGraph): string[] {
  const width = sectionWidth(look);
  const { event, exchange } = explained;
  const short = shortIds(graph.states.map(({ record }) => record.id));
  const name = (id: string): string => short.get(id) ?? id;
  const spans = (id: RecordId): string => spansText(graph.get(id)?.record.spans ?? []);
  const said = event.content.map((part) => cut(partText(part), width, look.marks.ellipsis));
  const members = exchange.members.length === 1 ? 'this event alone' : `events ${seqsText(exchange.members)}`;
  const open = explained.open.map(
    (owed) =>
      `waits for ${owed.kind === 'call' ? 'the result of' : 'an answer to'} ${visible(owed.name)} (${visible(owed.id)})`,
  );
  const chain = explained.coveredBy.map(
    (id, at) => `${at === 0 ? 'live summary' : 'made from'} ${name(id)}, spans ${spans(id)}`,
  );
  const others = explained.otherRecords.map((id) => {
    const record = graph.get(id)?.record;
    return `${name(id)}, ${record === undefined ? 'unknown' : standingOf(graph, record)}, spans ${spans(id)}`;
  });
  const wrapped = (lines: readonly string[]): string[] => lines.flatMap((line) => wrap(line, width));
  return [
    ...section(look, 'Event', [
      ...wrapped([`${event.seq}, ${speaker(event)}, lane ${laneText(event.lane)}, ${event.tokens} tokens`]),
      ...said,
    ]),
    ...section(look, 'Where', wrapped([whereabouts(explained), ...cutLines(explained), ...chain])),
    ...section(
      look,
      'Exchange',
      wrapped([`${members}, ${exchange.standing}${exchange.pinned ? ', pinned' : ''}`, ...open]),
    ),
    ...section(look, 'Also in', wrapped(others)),
  ].slice(0, -1);
}

function speaker({ role, author }: Explanation['event']): string {
  return author === role ? role : `${role} ${visible(author)}`;
}

function whereabouts({ whereabouts: where, rawReason, cut: missing }: Explanation): string {
  switch (where) {
    case 'raw':
      return `in the prompt${missing === null ? ' as it is' : ''}: ${WHY_RAW[rawReason ?? 'coverable']}`;
    case 'covered':
      return 'a summary stands in for it';
    case 'recovered':
      return 'covered by a summary, and shown again because another event of its exchange is in the prompt';
    case 'unseen':
      return 'in another lane: not part of this prompt';
  }
}

/** What of it is not shown, if it is shown cut. */
function cutLines({ cut: missing, event }: Explanation): string[] {
  if (missing === null) return [];
  return [
    `too large to be shown whole: its beginning and its end are, ${whole(missing.tokens)} of its ${counted(event.tokens, 'token')} are not`,
  ];
}

const WHY_RAW: Readonly<Record<RawReason, string>> = {
  coverable: 'nothing covers it yet (it is in the kept tail, or waits for the next window)',
  pinned: 'its exchange is pinned',
  open_exchange: 'its exchange waits for an answer',
  question_of_running_turn: 'it is the question of a turn that is running',
  system: 'instructions of the application are never summarized',
  running_turn: 'its turn is still running',
};

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return visibleProse(part.text.slice(0, 2_000));
    case 'reasoning':
      return `(reasoning) ${visibleProse(part.text.slice(0, 2_000))}`;
    case 'media':
      return `(${part.kind}, ${visible(part.mimeType)})`;
    case 'code':
      return `(code) ${visibleProse(part.code.slice(0, 2_000))}`;
    case 'codeResult':
      return `(code result) ${visibleProse(part.output.slice(0, 2_000))}`;
    case 'toolCall':
      return `(call ${visible(part.name)}) ${visibleProse(inputText(part.input).slice(0, 2_000))}`;
    case 'toolResult':
      return `(${part.isError ? 'error' : 'result'} of ${visible(part.name)}) ${visibleProse(outputText(part.output).slice(0, 2_000))}`;
    case 'opaque':
      return `(${visible(part.kind)})`;
  }
}

function inputText(input: Extract<Part, { type: 'toolCall' }>['input']): string {
  return 'raw' in input ? input.raw : JSON.stringify(input.json);
}

function outputText(output: Extract<Part, { type: 'toolResult' }>['output']): string {
  if ('json' in output) return JSON.stringify(output.json);
  return output.parts.map((part) => partText(part)).join(' ');
}
