import { tokensOf } from '../../store/spend.ts';
import type { Look } from '../look.ts';
import type { SpendBy, SpendGroup, SpendTotal } from '../spend-groups.ts';
import { wrap } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { type Column, GAP, table, tableWidth } from './table.ts';

/** What of a store's spend is shown. */
export interface SpendFacts {
  readonly by: SpendBy;
  /** When the first hour began that is counted; null for all. */
  readonly since: string | null;
  readonly total: SpendTotal;
  readonly groups: readonly SpendGroup[];
}

/** Cells of a bar where there is room, and fewer than which say nothing. */
const BAR_WIDTH = { most: 30, least: 8 };

/** What was spent in all, and a bar for each group, to one scale. */
export function spendReport(look: Look, { by, since, total, groups }: SpendFacts): string[] {
  const from = since === null ? '' : ` since ${timeText(since)}`;
  if (groups.length === 0) return wrap(`nothing spent${from}: no summarizer reported any tokens`, look.width);
  const calls = `${counted(total.calls, 'call')} in ${counted(total.attempts, 'attempt')}`;
  const parts = `${whole(total.inputTokens)} in, ${whole(total.outputTokens)} out`;
  const heading = `${counted(tokensOf(total), 'summarizer token')}${from}: ${parts}, by ${calls}`;
  return [...wrap(heading, look.width).map(look.paint.strong), '', ...groupTable(look, by, groups)];
}

function groupTable(look: Look, by: SpendBy, groups: readonly SpendGroup[]): string[] {
  const names = namesOf(by, groups);
  const columns: readonly Column[] = [
    { title: by === 'session' || by === 'user' ? by : `${by} (UTC)` },
    { title: 'tokens', number: true },
    { title: 'in', number: true },
    { title: 'out', number: true },
    { title: 'calls', number: true },
    { title: 'attempts', number: true },
  ];
  const rows = groups.map((group, at) => [
    names[at] ?? '',
    ...[tokensOf(group), group.inputTokens, group.outputTokens, group.calls, group.attempts].map(whole),
  ]);
  const room = Math.min(look.width - tableWidth(columns, rows) - GAP, BAR_WIDTH.most);
  if (room < BAR_WIDTH.least) return table(look, columns, rows);
  const most = Math.max(...groups.map(tokensOf));
  const bars = groups.map((group) => {
    const filled = Math.max(1, Math.round((tokensOf(group) / most) * room));
    return look.paint.accent(look.marks.full.repeat(filled)) + ' '.repeat(room - filled);
  });
  return table(
    look,
    columns.toSpliced(1, 0, { title: '' }),
    rows.map((row, at) => row.toSpliced(1, 0, bars[at] ?? '')),
  );
}

/** What groups are called; whose they are is said where they are not all of one application and user. */
function namesOf(by: SpendBy, groups: readonly SpendGroup[]): readonly string[] {
  const several = (field: 'app' | 'user'): boolean => new Set(groups.map(({ of }) => of[field])).size > 1;
  return groups.map(({ of }) => {
    switch (by) {
      case 'hour':
        return timeText(of.hour ?? '').replace(' UTC', '');
      case 'day':
      case 'month':
        return of[by] ?? '';
      case 'session':
        return visible(
          several('app') || several('user') ? `${of.app}/${of.user}/${of.session}` : `${of.session}`,
        );
      case 'user':
        return visible(several('app') ? `${of.app}/${of.user}` : `${of.user}`);
      default:
        return by satisfies never;
    }
  });
}

/** An hour for people: `2026-07-01 09:00 UTC`. */
function timeText(hour: string): string {
  return `${hour.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC`;
}
