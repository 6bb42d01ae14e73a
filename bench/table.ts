import type { Row } from './harness.ts';

const HEAD = ['', 'n', 'median', 'p10 – p90', 'unit', 'must', '', 'compared'];

/** Rows as a text table for people. */
export function table(rows: readonly Row[]): string {
  return columns([HEAD, ...rows.map(cellsOf)], (column) => column >= 1 && column <= 3);
}

/** Lines of cells as columns of equal width. */
export function columns(
  lines: readonly (readonly string[])[],
  isNumber: (column: number) => boolean,
): string {
  const widths: number[] = [];
  for (const line of lines) {
    for (const [column, cell] of line.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(row: Row): string[] {
  return [
    row.name,
    row.n === 0 ? '' : String(row.n),
    row.n === 0 ? '' : figure(row.median),
    row.n > 1 && row.p10 !== row.p90 ? `${figure(row.p10)} – ${figure(row.p90)}` : '',
    row.unit,
    row.bound === null
      ? ''
      : 'atMost' in row.bound
        ? `≤ ${figure(row.bound.atMost)}`
        : `≥ ${figure(row.bound.atLeast)}`,
    row.ok === null ? '' : row.ok ? 'ok' : 'over',
    [row.ratio === null ? '' : `${figure(row.ratio.value)} × ${row.ratio.to}`, row.note ?? '']
      .filter((text) => text !== '')
      .join('; '),
  ];
}

/** A number with about three digits that say something. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size >= 10) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return value === 0 ? '0' : value.toPrecision(2);
}
