import type { Look } from '../look.ts';
import { padEnd } from '../text/fit.ts';

const TITLE_WIDTH = 11;
/** Narrower than this, a title stands above its lines instead of beside them. */
const BESIDE_FROM = 60;
const INDENT = 2;

/** How many cells the lines of a section have. */
export function sectionWidth(look: Look): number {
  return look.width - (look.width >= BESIDE_FROM ? TITLE_WIDTH : INDENT);
}

/** A titled group of lines, none wider than {@link sectionWidth}; nothing where there is no line. */
export function section(look: Look, title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = look.paint.strong(title);
  if (look.width < BESIDE_FROM) return [shown, ...lines.map((line) => indent(line, INDENT)), ''];
  const [first = '', ...rest] = lines;
  return [padEnd(shown, TITLE_WIDTH) + first, ...rest.map((line) => indent(line, TITLE_WIDTH)), ''];
}

function indent(line: string, by: number): string {
  return line === '' ? '' : ' '.repeat(by) + line;
}
