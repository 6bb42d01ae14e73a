import type { Look } from '../look.ts';
import { displayWidth } from '../text/display-width.ts';
import { padEnd, padStart, wrap } from '../text/fit.ts';

/** A column: its title, and whether its values are numbers (which stand to the right). */
export interface Column {
  readonly title: string;
  readonly number?: boolean;
}

/** Cells between two columns. */
export const GAP = 2;

/**
 * Rows under titles. Where they do not fit side by side in the width, each row becomes a group of `title value` lines:
 * nothing is dropped on a narrow terminal.
 */
export function table(
  look: Look,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = widthsOf(columns, rows);
  if (tableWidth(columns, rows) > look.width) return stacked(look, columns, rows);
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, at) => {
        const width = widths[at] ?? 0;
        if (columns[at]?.number === true) return padStart(text, width);
        return at === cells.length - 1 ? text : padEnd(text, width);
      })
      .join(' '.repeat(GAP));
  return [look.paint.faint(line(columns.map(({ title }) => title))), ...rows.map(line)];
}

/** Cells the columns take side by side. */
export function tableWidth(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  return widthsOf(columns, rows).reduce((sum, width) => sum + width + GAP, -GAP);
}

function widthsOf(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly number[] {
  return columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), displayWidth(title)),
  );
}

function stacked(look: Look, columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const label = Math.max(...columns.map(({ title }) => displayWidth(title))) + GAP;
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...columns.flatMap(({ title }, at) =>
      wrap(row[at] ?? '', look.width - label).map(
        (text, line) => look.paint.faint(padEnd(line === 0 ? title : '', label)) + text,
      ),
    ),
  ]);
}
