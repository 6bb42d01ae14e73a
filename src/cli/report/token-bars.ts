import type { Look } from '../look.ts';
import { padEnd, padStart } from '../text/fit.ts';
import { percent, whole } from '../text/numbers.ts';

/** Tokens of the whole conversation raw, and of the prompt that stands in for it. */
export interface TokenChange {
  readonly before: number;
  readonly after: number;
}

/** Two bars to one scale: the prompt before and after. Each line is at most `width` cells. */
export function tokenBars(look: Look, width: number, { before, after }: TokenChange): string[] {
  const numbers = [whole(before), whole(after)];
  const digits = Math.max(...numbers.map((text) => text.length));
  const label = 'before '.length;
  const share = ` (${percent(after, before)})`;
  const room = width - label - 1 - digits - ' tokens'.length - share.length;
  const most = Math.max(before, after);
  const rows = [
    { name: 'before', value: before, paint: look.paint.faint, tail: '' },
    { name: 'after', value: after, paint: look.paint.accent, tail: share },
  ];
  if (room < 8) return rows.map((row) => `${padEnd(row.name, label)}${whole(row.value)} tokens${row.tail}`);
  return rows.map((row) => {
    const filled = row.value === 0 ? 0 : Math.max(1, Math.round((row.value / most) * room));
    const bar = row.paint(look.marks.full.repeat(filled)) + ' '.repeat(room - filled);
    return `${padEnd(row.name, label)}${bar} ${padStart(whole(row.value), digits)} tokens${row.tail}`;
  });
}
