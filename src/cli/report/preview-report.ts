import type { PreviewedWindow } from '../../engine/preview.ts';
import type { LiteralFate } from '../../summary/literals/literal-fates.ts';
import type { Look } from '../look.ts';
import { cut, padEnd, wrap } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible, visibleProse } from '../text/visible.ts';
import { failures } from './compact-facts.ts';
import { importedLines } from './imported-lines.ts';
import { countFate, literalGroups } from './literal-groups.ts';
import type { PreviewFacts } from './preview-facts.ts';
import { section, sectionWidth } from './section.ts';
import { laneText, spansText } from './spans-text.ts';
import { tokenBars } from './token-bars.ts';

const WINDOWS_SHOWN = 8;
const LABEL_WIDTH = 'instructions '.length;

/** What `compact` would do, for a person: what would be covered, how small the prompt, and which values would be lost. */
export function previewReport(look: Look, facts: PreviewFacts): string[] {
  const width = sectionWidth(look);
  const { preview } = facts;
  const { accounting } = preview.prompt;
  const change = { before: accounting.total.tokens, after: accounting.promptTokens };
  const literals = preview.windows.flatMap((window) => window.literals);
  return [
    ...section(look, 'Read', readLines(width, facts)),
    ...section(look, 'Would', windowLines(look, width, preview.windows)),
    ...section(look, 'Prompt', tokenBars(look, width, change)),
    ...section(look, 'Values', literals.length === 0 ? [] : wrap(shares(literals), width)),
    ...section(look, 'Carried', groupLines(look, width, literals, 'carried')),
    ...section(look, 'Dropped', groupLines(look, width, literals, 'dropped')),
    ...section(look, 'Attempts', attemptLines(width, facts)),
    ...section(look, 'Stored', ['nothing: this was a dry run']),
  ].slice(0, -1);
}

function readLines(width: number, { source, imported, info }: PreviewFacts): string[] {
  if (imported !== null) return [visible(source), ...importedLines(width, imported, info.events)];
  return [`${visible(source)}: ${counted(info.events, 'event')}, in the store`].flatMap((line) =>
    wrap(line, width),
  );
}

function windowLines(look: Look, width: number, windows: readonly PreviewedWindow[]): string[] {
  const lines = windows.slice(0, WINDOWS_SHOWN).map(({ record }) => {
    const where =
      record.lane.branch === '' && record.lane.isolation === '' ? '' : ` of ${laneText(record.lane)}`;
    const tokens = `${whole(record.tokens.covered)} ${look.marks.arrow} ${whole(record.tokens.summary)} tokens`;
    return cut(`cover events ${spansText(record.spans)}${where}: ${tokens}`, width, look.marks.ellipsis);
  });
  const more = windows.length - lines.length;
  return more > 0 ? [...lines, look.paint.faint(`and ${counted(more, 'more window')}`)] : lines;
}

function shares(literals: readonly LiteralFate[]): string {
  const kept = `${whole(countFate(literals, 'prose'))} kept in the prose`;
  const carried = `${whole(countFate(literals, 'carried'))} carried beside it`;
  const dropped = `${whole(countFate(literals, 'dropped'))} dropped`;
  return `of the ${whole(literals.length)} most important: ${kept}, ${carried}, ${dropped}`;
}

/** Kind by kind; long lists are wrapped, not cut: what would be lost is what a dry run is for. */
function groupLines(
  look: Look,
  width: number,
  literals: readonly LiteralFate[],
  fate: 'carried' | 'dropped',
): string[] {
  const lines: string[] = [];
  for (const [kind, texts] of literalGroups(literals, fate)) {
    // One line of carried values shows what they are like.
    const joined = texts.map(visibleProse).join(kind === 'instructions' ? ' / ' : ', ');
    const room = width - LABEL_WIDTH;
    const shown = fate === 'carried' ? [cut(joined, room, look.marks.ellipsis)] : wrap(joined, room);
    const label = look.paint.accent(padEnd(kind, LABEL_WIDTH));
    lines.push(...shown.map((line, at) => (at === 0 ? label : ' '.repeat(LABEL_WIDTH)) + line));
  }
  return lines;
}

function attemptLines(width: number, { preview }: PreviewFacts): string[] {
  const failed = failures(preview.outcomes).map(({ kind, reason }) => `${kind}: ${reason}`);
  const nothing = preview.outcomes.flatMap((outcome) =>
    outcome.kind === 'nothing' ? [`nothing would be compacted: ${outcome.reason.replaceAll('_', ' ')}`] : [],
  );
  return [...failed, ...nothing].flatMap((line) => wrap(visible(line), width));
}
