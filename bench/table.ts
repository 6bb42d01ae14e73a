import type { Row } from './harness.ts';

const HEAD = ['', 'n', 'median', 'p10 – p90', 'unit', 'must', '', 'compared'];

/** Rows as a text table for people. */
export function table(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) =>
          column >= 1 && column <= 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
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
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size >= 10) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return value === 0 ? '0' : value.toPrecision(2);
}
