import type { Literal } from '../../coverage/record.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { comparable } from './comparable.ts';
import { isKept } from './is-kept.ts';
import type { FoundLiteral } from './literal-kind.ts';
import { LITERALS_HEADING, literalLines } from './literal-lines.ts';

/** The line a list begins with, under a nonce of the usual length. */
const OPENING = `[${LITERALS_HEADING}, fence ${'0'.repeat(16)}]`;
/** A user's rules take at most this share of a list. */
const RULES_SHARE = 0.5;
/** Values too long for what is left that are passed over for shorter ones behind them. */
const PASSED_OVER = 20;

/**
 * Which literals a record carries beside its prose: the most important that the prose does not keep, and the user's
 * rules even where it does: prose is rewritten by the next summary, and here they stand in the user's name. Together
 * they take at most `budget` tokens as a prompt lists them.
 *
 * @param found Most important first; see `extractLiterals`.
 */
export function chooseLiterals(
  found: readonly FoundLiteral[],
  prose: string,
  budget: number,
  counter: TokenCounter,
): readonly Literal[] {
  const said = comparable(prose);
  const chosen: FoundLiteral[] = [];
  const price = listPrice(counter);
  let left = budget;
  let forRules = budget * RULES_SHARE;
  let passed = 0;
  for (const literal of found) {
    const isRule = literal.kind === 'instruction';
    if (!isRule && isKept(literal, said)) continue;
    if (chosen.some((other) => holds(other, literal))) continue;
    const cost = price.of(literal);
    if (cost > left || (isRule && cost > forRules)) {
      passed += 1;
      if (passed > PASSED_OVER) break;
      continue;
    }
    price.take(literal);
    left -= cost;
    if (isRule) forRules -= cost;
    chosen.push(literal);
  }
  const carried = withoutContained(chosen);
  return Object.freeze(carried.map(({ text, from }) => Object.freeze({ text, from })));
}

/** The most tokens a list of these takes in a prompt. */
export function tokensOfList(literals: readonly FoundLiteral[], counter: TokenCounter): number {
  const price = listPrice(counter);
  let tokens = 0;
  for (const literal of literals) {
    tokens += price.of(literal);
    price.take(literal);
  }
  return tokens;
}

/** What a further line costs: the first of a list comes with its opening line, the first of a speaker with a heading. */
function listPrice(counter: TokenCounter): {
  of(literal: FoundLiteral): number;
  take(literal: FoundLiteral): void;
} {
  const headed = new Set<Literal['from']>();
  return {
    of(literal) {
      const lines = literalLines([literal]);
      const opening = headed.size === 0 ? [OPENING] : [];
      const own = headed.has(literal.from) ? lines.slice(1) : lines;
      return counter.count(['', ...opening, ...own].join('\n'));
    },
    take(literal) {
      headed.add(literal.from);
    },
  };
}

/** A value that stands in one chosen after it needs no line of its own. */
function withoutContained(chosen: readonly FoundLiteral[]): readonly FoundLiteral[] {
  return chosen.filter((literal) => !chosen.some((other) => holds(other, literal)));
}

function holds(other: FoundLiteral, literal: FoundLiteral): boolean {
  return other.text.length > literal.text.length && isKept(literal, other.text);
}
