import type { DemoProof } from '../demo.ts';
import type { Look } from '../look.ts';
import { cut, wrap } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { section, sectionWidth } from './section.ts';
import { problemLine } from './verify-report.ts';

const FIRST_LINES = 9;
const LAST_LINES = 4;

/** What is about to be shown. */
export function demoStart(look: Look): string[] {
  const text =
    'a coding session of two days that ships with the package, in a temporary store that is removed at the end';
  return section(look, 'Demo', wrap(text, sectionWidth(look)));
}

/** The first and last lines of the new prompt, each cut to the width. */
export function promptPreview(look: Look, text: string): string[] {
  const width = sectionWidth(look);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.map((line) => cut(visible(line), width, look.marks.ellipsis));
  const hidden = lines.length - FIRST_LINES - LAST_LINES;
  const middle =
    hidden > 0
      ? [look.paint.faint(`${look.marks.ellipsis} ${counted(hidden, 'more line')} ${look.marks.ellipsis}`)]
      : [];
  const rows = hidden > 0 ? [...shown.slice(0, FIRST_LINES), ...middle, ...shown.slice(-LAST_LINES)] : shown;
  return section(look, 'New prompt', rows);
}

/** What a changed byte does to the proof, what undo does to the prompt, and what to try next. */
export function demoEnd(look: Look, program: string, { undo, tamper }: DemoProof): string[] {
  const width = sectionWidth(look);
  const { arrow } = look.marks;
  const wrapped = (...lines: string[]): string[] => lines.flatMap((line) => wrap(line, width));
  const [first] = tamper.problems;
  const found =
    first === undefined
      ? look.paint.bad('verify did not notice')
      : `verify: ${counted(tamper.problems.length, 'problem')}, first ${problemLine(first)}`;
  return [
    ...section(
      look,
      'Tamper',
      wrapped(`in a copy of the store, one byte of event ${tamper.seq} was changed:`, found),
    ),
    ...section(
      look,
      'Undo',
      wrapped(
        `summary undone: the prompt is ${whole(undo.before)} ${arrow} ${whole(undo.undone)} tokens, all as it was said`,
        `redone: ${whole(undo.redone)} tokens again; history was never touched`,
      ),
    ),
    ...section(look, 'Try', [
      `${program} compact ~/.claude/projects/PROJECT/SESSION.jsonl`,
      `${program} compact SESSION.jsonl --store work.db --as anthropic --out prompt.json`,
      `${program} explain 12 --store work.db`,
      `${program} --help`,
    ]).slice(0, -1),
  ];
}
