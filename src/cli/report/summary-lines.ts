import type { SummaryEntry } from '../../prompt/prompt.ts';
import { checkSections, type SectionName } from '../../summary/grammar/check-sections.ts';
import type { Look } from '../look.ts';
import { cut, padEnd } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visibleProse } from '../text/visible.ts';

const LABELS: Readonly<Record<SectionName, string>> = {
  goal: 'goal',
  constraints: 'rules',
  decisions: 'decided',
  state: 'state',
  open_items: 'open',
};
const LABEL_WIDTH = 'decided '.length;
/** Lines shown of each section, and summaries described in full. */
const LINES_PER_SECTION = 2;
const SUMMARIES_IN_FULL = 1;
const SUMMARIES_LISTED = 6;

/** What the summaries of a prompt keep: each one's range and size, and the first lines of the newest. */
export function summaryLines(look: Look, width: number, summaries: readonly SummaryEntry[]): string[] {
  const listed = summaries.slice(-SUMMARIES_LISTED);
  const lines = listed.flatMap((summary, at) => {
    const inFull = at >= listed.length - SUMMARIES_IN_FULL;
    return [...heading(look, width, summary), ...(inFull ? content(look, width, summary) : [])];
  });
  const hidden = summaries.length - listed.length;
  return hidden === 0
    ? lines
    : [look.paint.faint(counted(hidden, 'earlier summary', 'earlier summaries')), ...lines];
}

function heading(look: Look, width: number, { record, firstSeq, lastSeq, tokens }: SummaryEntry): string[] {
  const by = record.model.model ?? record.model.summarizer;
  const text = `events ${whole(firstSeq)}${look.marks.range}${whole(lastSeq)}: ${whole(record.tokens.covered)} ${look.marks.arrow} ${whole(tokens)} tokens, by ${visibleProse(by)}`;
  return [cut(text, width, look.marks.ellipsis)];
}

function content(look: Look, width: number, { record }: SummaryEntry): string[] {
  const { summary } = record;
  const shown = (label: string, text: string): string =>
    look.paint.accent(padEnd(label, LABEL_WIDTH)) +
    cut(visibleProse(text), width - LABEL_WIDTH, look.marks.ellipsis);
  // Prose may hold the sections too: whoever wrote it, they are shown as what they are.
  const read = checkSections(summary.text);
  const parts = read.ok
    ? read.sections.map(({ name, text }) => ({ label: LABELS[name], lines: nonBlankLines(text) }))
    : [{ label: 'text', lines: nonBlankLines(summary.text) }];
  const lines: string[] = [];
  for (const part of parts) {
    lines.push(
      ...part.lines.slice(0, LINES_PER_SECTION).map((text, at) => shown(at === 0 ? part.label : '', text)),
    );
    const more = part.lines.length - LINES_PER_SECTION;
    if (more > 0) lines.push(' '.repeat(LABEL_WIDTH) + look.paint.faint(`and ${counted(more, 'more line')}`));
  }
  if (summary.literals.length > 0) {
    lines.push(shown('values', summary.literals.map((literal) => literal.text).join(', ')));
  }
  return lines;
}

function nonBlankLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
