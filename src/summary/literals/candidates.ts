import { codePoints } from '../code-points.ts';
import { hasSecret } from '../secret-shapes.ts';
import { type FoundLiteral, LITERAL_KINDS, type LiteralKind, LONGEST_LITERAL } from './literal-kind.ts';

/** Who says a value. A `summary` is an earlier one: what its prose holds has been found worth keeping before. */
export type Speaker = 'user' | 'assistant' | 'summary';

/** A value and what is known of its uses. */
export interface Candidate {
  readonly text: string;
  kind: LiteralKind;
  /** Places, in the order they are read, where each kind of speaker said it. */
  user: number;
  assistant: number;
  summary: number;
  /** Who said it by an earlier summary's own list, the strongest; null when none has it. */
  carried: FoundLiteral['from'] | null;
  /** Said only in pasted text so far: it counts once somebody uses it. */
  pasted: boolean;
  firstAt: number;
  lastAt: number;
  /** The size of the smallest place that has it, in values: one of two names says more than one of a hundred. */
  smallest: number;
  /** Where a tool's output has it first; infinite while none has. */
  toolAt: number;
}

/** Values found in a window, each once however often it is said. */
export class Candidates {
  readonly #byText = new Map<string, Candidate>();
  readonly #here = new Set<Candidate>();

  /** Notes a use; `at` counts the places read so far. Values too long to carry and shapes of secrets are left out. */
  use(kind: LiteralKind, text: string, speaker: Speaker, at: number, pasted = false): void {
    const candidate = this.#known(kind, text, at, pasted);
    if (candidate === null) return;
    if (candidate.lastAt !== at || candidate[speaker] === 0) candidate[speaker] += 1;
    if (!pasted) this.#here.add(candidate);
    if (weightier(kind, candidate.kind)) candidate.kind = kind;
    candidate.pasted &&= pasted;
    candidate.lastAt = at;
  }

  /** Notes a value of an earlier summary's own list. */
  carry({ kind, text, from }: FoundLiteral, at: number): void {
    const candidate = this.#known(kind, text, at, false);
    if (candidate === null) return;
    candidate.pasted = false;
    if (candidate.carried === null || STRENGTH[from] > STRENGTH[candidate.carried]) candidate.carried = from;
  }

  /** Notes that a tool's output has a text, if that is a value somebody uses. */
  seeInTool(text: string, at: number): void {
    const candidate = this.#byText.get(text);
    if (candidate !== undefined && at < candidate.toolAt) candidate.toolAt = at;
  }

  /** Ends a place of so many code units: how much stands beside its values is known only now. */
  endPlace(length: number): void {
    const size = Math.max(this.#here.size, length / UNITS_PER_VALUE);
    for (const candidate of this.#here) candidate.smallest = Math.min(candidate.smallest, size);
    this.#here.clear();
  }

  all(): readonly Candidate[] {
    return [...this.#byText.values()];
  }

  #known(kind: LiteralKind, text: string, at: number, pasted: boolean): Candidate | null {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    if (text.length < 2 || (text.length > LONGEST_LITERAL && codePoints(text) > LONGEST_LITERAL)) return null;
    if (BROKEN.test(text) || !text.isWellFormed() || hasSecret(text)) return null;
    const candidate: Candidate = {
      text,
      kind,
      user: 0,
      assistant: 0,
      summary: 0,
      carried: null,
      pasted,
      firstAt: at,
      lastAt: -1,
      smallest: Number.POSITIVE_INFINITY,
      toolAt: Number.POSITIVE_INFINITY,
    };
    this.#byText.set(text, candidate);
    return candidate;
  }
}

/** A literal is one line, and is shown as it is. */
const BROKEN = /[\p{Cc}\u2028\u2029]/u;
/** So much prose takes as much attention as a value. */
const UNITS_PER_VALUE = 150;
const STRENGTH = { user: 3, assistant: 2, tool: 1 } as const;

function weightier(kind: LiteralKind, than: LiteralKind): boolean {
  return LITERAL_KINDS.indexOf(kind) < LITERAL_KINDS.indexOf(than);
}
