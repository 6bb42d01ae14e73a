import type { LiteralFate } from '../../summary/literals/literal-fates.ts';
import { LITERAL_KINDS, type LiteralKind } from '../../summary/literals/literal-kind.ts';

/** What literals of a kind are called, many of them. */
const NAMES: Readonly<Record<LiteralKind, string>> = {
  instruction: 'instructions',
  path: 'paths',
  url: 'urls',
  email: 'emails',
  id: 'ids',
  number: 'numbers',
  date: 'dates',
  command: 'commands',
  code: 'code',
  name: 'names',
};

/** The literals that met one fate, by kind, most important first; kinds without one are left out. */
export function literalGroups(
  literals: readonly LiteralFate[],
  fate: LiteralFate['fate'],
): readonly (readonly [kind: string, texts: readonly string[]])[] {
  return LITERAL_KINDS.map(
    (kind) =>
      [
        NAMES[kind],
        literals.filter((each) => each.kind === kind && each.fate === fate).map((each) => each.text),
      ] as const,
  ).filter(([, texts]) => texts.length > 0);
}

/** How many of the literals met one fate. */
export function countFate(literals: readonly LiteralFate[], fate: LiteralFate['fate']): number {
  return literals.filter((each) => each.fate === fate).length;
}
