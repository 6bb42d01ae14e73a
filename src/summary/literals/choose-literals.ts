import type { Literal } from '../../coverage/record.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { comparable } from './comparable.ts';
import { isKept } from './is-kept.ts';
import type { FoundLiteral } from './literal-kind.ts';
import { literalLines } from './literal-lines.ts';

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
  const headed = new Set<Literal['from']>();
  let left = budget;
  let forRules = budget * RULES_SHARE;
  let passed = 0;
  for (const literal of found) {
    const isRule = literal.kind === 'instruction';
    if (!isRule && isKept(literal, said)) continue;
    if (chosen.some((other) => other.text.length > literal.text.length && isKept(literal, other.text)))
      continue;
    const lines = literalLines([literal]);
    const cost = counter.count(`\n${(headed.has(literal.from) ? lines.slice(1) : lines).join('\n')}`);
    if (cost > left || (isRule && cost > forRules)) {
      passed += 1;
      if (passed > PASSED_OVER) break;
      continue;
    }
    left -= cost;
    if (isRule) forRules -= cost;
    headed.add(literal.from);
    chosen.push(literal);
  }
  const carried = withoutContained(chosen);
  return Object.freeze(carried.map(({ text, from }) => Object.freeze({ text, from })));
}

/** A value that stands in one chosen after it needs no line of its own. */
function withoutContained(chosen: readonly FoundLiteral[]): readonly FoundLiteral[] {
  return chosen.filter(
    (literal) =>
      !chosen.some((other) => other.text.length > literal.text.length && isKept(literal, other.text)),
  );
}
