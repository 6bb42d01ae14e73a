import type { Summary } from '../../coverage/record.ts';
import { comparable } from './comparable.ts';
import { isKept } from './is-kept.ts';
import type { FoundLiteral } from './literal-kind.ts';

/** A literal, and where the summary has it: in its prose, in its list, or nowhere. */
export interface LiteralFate extends FoundLiteral {
  readonly fate: 'prose' | 'carried' | 'dropped';
}

/** So many of the most important are measured. */
export const MEASURED = 100;

/** What a summary makes of the 100 most important literals of what it covers. */
export function literalFates(
  found: readonly FoundLiteral[],
  summary: Pick<Summary, 'text' | 'literals'>,
): readonly LiteralFate[] {
  const prose = comparable(summary.text);
  const list = comparable(summary.literals.map(({ text }) => text).join('\n'));
  const carried = new Set(summary.literals.map(({ text }) => text));
  return Object.freeze(
    found.slice(0, MEASURED).map((literal) => {
      const inList = carried.has(literal.text) || isKept(literal, list);
      const fate = isKept(literal, prose) ? 'prose' : inList ? 'carried' : 'dropped';
      return Object.freeze({ ...literal, fate });
    }),
  );
}

/** How many of them there are, and how many the summary keeps. */
export function shareKept(fates: readonly LiteralFate[]): { readonly found: number; readonly kept: number } {
  const kept = fates.filter(({ fate }) => fate !== 'dropped').length;
  return Object.freeze({ found: fates.length, kept });
}
