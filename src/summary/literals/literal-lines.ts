import type { Literal } from '../../coverage/record.ts';

const HEADINGS: readonly (readonly [Literal['from'], string])[] = [
  ['user', 'said by the user:'],
  ['assistant', 'said by the assistant:'],
  ['tool', 'said by tools:'],
];

/**
 * A list of literals as a prompt shows it: under who said them, one to a line. Every value stands behind a dash, so none
 * can pass itself off as a heading. `shown` makes a text safe for its line.
 */
export function literalLines(
  literals: readonly Literal[],
  shown: (text: string) => string = (text) => text,
): readonly string[] {
  return HEADINGS.flatMap(([from, heading]) => {
    const said = literals.filter((literal) => literal.from === from);
    return said.length === 0 ? [] : [heading, ...said.map(({ text }) => `- ${shown(text)}`)];
  });
}

/** What stands above a list of literals. */
export const LITERALS_HEADING = 'exact values said in these events';

/** A summary's prose and its list, as a summarizer is shown a summary it is to replace. */
export function withLiterals(summary: {
  readonly text: string;
  readonly literals?: readonly Literal[];
}): string {
  const { text, literals = [] } = summary;
  if (literals.length === 0) return text;
  return [text, '', `[${LITERALS_HEADING}]`, ...literalLines(literals)].join('\n');
}
