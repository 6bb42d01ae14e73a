import type { CompactionRecord, Summary } from '../../coverage/record.ts';
import type { SummaryEntry } from '../../prompt/prompt.ts';
import { NOTHING } from '../../summary/extractive/earlier-summary.ts';
import { ASKED, SAME_AS_GOAL } from '../../summary/extractive/labels.ts';
import { checkSections, type SectionName } from '../../summary/grammar/check-sections.ts';
import type { Look } from '../look.ts';
import { cut, padEnd } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visibleProse } from '../text/visible.ts';

const LABELS: Readonly<Record<Part['name'], string>> = {
  goal: 'goal',
  constraints: 'rules',
  decisions: 'decided',
  state: 'state',
  open_items: 'open',
  text: 'text',
  values: 'values',
};
const LABEL_WIDTH = 'decided '.length;
/** Lines shown of each section, and summaries listed. */
const LINES_PER_SECTION = 2;
const SUMMARIES_LISTED = 6;

/** What the summaries of a prompt keep: each one's range and size, the goal of the oldest, the first lines of the newest. */
export function summaryLines(look: Look, width: number, summaries: readonly SummaryEntry[]): string[] {
  const [oldest, ...others] = summaries;
  if (oldest === undefined) return [];
  const newest = others.pop();
  if (newest === undefined)
    return [...heading(look, width, oldest), ...content(look, width, oldest, () => true)];
  const listed = others.slice(-SUMMARIES_LISTED);
  const hidden = others.length - listed.length;
  return [
    ...heading(look, width, oldest),
    ...content(look, width, oldest, (part) => part.name === 'goal' && isStated(part)),
    ...(hidden === 0 ? [] : [look.paint.faint(counted(hidden, 'more summary', 'more summaries'))]),
    ...listed.flatMap((summary) => heading(look, width, summary)),
    ...heading(look, width, newest),
    ...content(look, width, newest, isStated),
  ];
}

/** Part of what a summary says, as it is shown. `text` stands for prose without sections, and for its values. */
interface Part {
  readonly name: SectionName | 'text' | 'values';
  readonly lines: readonly string[];
}

function isStated({ name, lines }: Part): boolean {
  return name !== 'goal' || lines.some((line) => line.replace(/^- /, '') !== NOTHING.goal);
}

function heading(look: Look, width: number, { record, firstSeq, lastSeq, tokens }: SummaryEntry): string[] {
  const by = record.model.model ?? record.model.summarizer;
  const text = `events ${whole(firstSeq)}${look.marks.range}${whole(lastSeq)}: ${whole(record.tokens.covered)} ${look.marks.arrow} ${whole(tokens)} tokens${valuesKept(record.literals)}, by ${visibleProse(by)}`;
  return [cut(text, width, look.marks.ellipsis)];
}

/** Of the most important exact values, how many the summary keeps. */
function valuesKept({ found, kept }: CompactionRecord['literals']): string {
  return found === 0 ? '' : `, ${whole(kept)} of ${whole(found)} values`;
}

function content(
  look: Look,
  width: number,
  { record }: SummaryEntry,
  isShown: (part: Part) => boolean,
): string[] {
  const shown = (label: string, text: string): string =>
    look.paint.accent(padEnd(label, LABEL_WIDTH)) +
    cut(visibleProse(text), width - LABEL_WIDTH, look.marks.ellipsis);
  const lines: string[] = [];
  for (const part of partsOf(record.summary).filter(isShown)) {
    lines.push(
      ...part.lines
        .slice(0, LINES_PER_SECTION)
        .map((text, at) => shown(at === 0 ? LABELS[part.name] : '', text)),
    );
    const more = part.lines.length - LINES_PER_SECTION;
    if (more > 0) lines.push(' '.repeat(LABEL_WIDTH) + look.paint.faint(`and ${counted(more, 'more line')}`));
  }
  return lines;
}

function partsOf(summary: Summary): Part[] {
  // Prose may hold the sections too: whoever wrote it, they are shown as what they are.
  const read = checkSections(summary.text);
  const parts: Part[] = read.ok
    ? read.sections.map(({ name, text }) => ({ name, lines: nonBlankLines(text) }))
    : [{ name: 'text', lines: nonBlankLines(summary.text) }];
  const goal = parts.find(({ name }) => name === 'goal')?.lines[0]?.replace(/^- /, '') ?? '';
  const values = summary.literals.map((literal) => literal.text).join(', ');
  return [
    ...parts.map(({ name, lines }) => ({ name, lines: lines.map((line) => withGoal(line, goal)) })),
    ...(values === '' ? [] : [{ name: 'values', lines: [values] } as const]),
  ];
}

/** `asked last (…): = goal` spares a model's tokens; a person is shown what it stands for. */
function withGoal(line: string, goal: string): string {
  const item = line.replace(/^- /, '');
  if (item.replace(ASKED, '') !== SAME_AS_GOAL || item === SAME_AS_GOAL) return line;
  return line.slice(0, -SAME_AS_GOAL.length) + goal;
}

function nonBlankLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
