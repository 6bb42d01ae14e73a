import type { ImportReport, LineCounts, LogFormat } from '../../logs/import-report.ts';
import { wrap } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';

const REASONS_SHOWN = 4;

/** What an import read: the format, and what became of every line. */
export function importedLines(width: number, report: ImportReport, events: number): string[] {
  const known = report.known === 0 ? '' : `, ${whole(report.known)} of them stored before`;
  const unit = unitOf(report.format);
  return [
    `${report.format} log, ${counted(report.lines.total, unit)}: ${counted(events, 'event')}${known}`,
    ...lineFates(report.lines, unit),
    ...report.notes.map(visible),
  ].flatMap((line) => wrap(line, width));
}

/** What an import counts: lines of a log, messages of a JSON document. */
function unitOf(format: LogFormat): string {
  return format === 'claude-code' || format === 'codex' ? 'line' : 'message';
}

function lineFates({ merged, skipped }: LineCounts, unit: string): string[] {
  const fates: string[] = [];
  if (merged > 0) fates.push(`${counted(merged, unit)} merged into others`);
  const reasons = Object.entries(skipped).sort((a, b) => b[1] - a[1]);
  if (reasons.length > 0) {
    const total = reasons.reduce((sum, [, count]) => sum + count, 0);
    const named = reasons
      .slice(0, REASONS_SHOWN)
      .map(([reason, count]) => `${visible(reason)} ${whole(count)}`);
    const rest = reasons.length - named.length;
    if (rest > 0) named.push(counted(rest, 'other kind'));
    fates.push(`${counted(total, unit)} without conversation (${named.join(', ')})`);
  }
  return fates;
}
