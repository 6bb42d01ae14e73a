import type { Literal } from '../../coverage/record.ts';
import type { Candidate } from './candidates.ts';
import { type Comparable, comparable } from './comparable.ts';
import { isKept } from './is-kept.ts';
import type { FoundLiteral, LiteralKind } from './literal-kind.ts';

const BY_SPEAKER = { user: 8, assistant: 2, tool: 1.5 } as const;
const BY_KIND: { readonly [K in LiteralKind]: number } = {
  instruction: 3,
  path: 1.2,
  url: 1.2,
  email: 1.2,
  id: 1.2,
  number: 1,
  date: 1,
  command: 1,
  name: 0.9,
  code: 0.8,
};
/** Lines of code, very short words of it, numbers without a unit and quoted sentences name little. */
const VAGUE = 0.5;
/** A longer quotation is a sentence. */
const LONGEST_TITLE = 60;
/** What an earlier summary kept cannot be read again. */
const KEPT_BEFORE = 1.3;
/** The newest use counts this much more than the oldest. */
const RECENCY = 0.5;
/** A place with more values than this is a document: each of them says less. */
const FEW = 8;
/** Only so many are compared with one another. */
const COMPARED = 300;
const MOST_FOUND = 200;

interface Ranked {
  readonly candidate: Candidate;
  readonly found: FoundLiteral;
  readonly score: number;
}

/**
 * The values worth most first: by who said them, how often and how lately, what they are, and whether an earlier summary
 * found them worth keeping. One that only ever stands inside another is left out, as is a file's name beside the one
 * path it ends, if that ranks above it.
 */
export function ranked(candidates: readonly Candidate[], places: number): readonly FoundLiteral[] {
  const all = candidates
    .filter((candidate) => !candidate.pasted && !isPassing(candidate))
    .map((candidate): Ranked => {
      const found = Object.freeze({
        text: candidate.text,
        from: speakerOf(candidate),
        kind: candidate.kind,
      });
      return { candidate, found, score: scoreOf(candidate, found, places) };
    })
    .sort(byScore)
    .slice(0, COMPARED);
  return Object.freeze(
    withoutContained(all)
      .slice(0, MOST_FOUND)
      .map(({ found }) => found),
  );
}

/** One capitalized word an assistant wrote once is as often none of a name. */
function isPassing(candidate: Candidate): boolean {
  const { kind, user, carried, text } = candidate;
  return kind === 'name' && user === 0 && carried === null && !text.includes(' ') && usesOf(candidate) < 2;
}

/** A value the assistant used after a tool had said it is the tool's word. */
function speakerOf({ user, carried, toolAt, firstAt }: Candidate): Literal['from'] {
  if (user > 0 || carried === 'user') return 'user';
  if (carried !== null) return carried;
  return toolAt < firstAt ? 'tool' : 'assistant';
}

function scoreOf(candidate: Candidate, { text, from, kind }: FoundLiteral, places: number): number {
  const { user, assistant, summary, carried, lastAt, smallest } = candidate;
  const uses = user * 2 + assistant + summary + (carried === null ? 0 : 2);
  const wasKept = summary > 0 || carried !== null;
  const before = wasKept ? KEPT_BEFORE : 1;
  const alone = wasKept ? 1 : Math.min(1, FEW / smallest);
  const lately = 1 + (RECENCY * Math.max(0, lastAt)) / Math.max(1, places);
  const whole = isVague(kind, text) ? VAGUE : 1;
  return (
    BY_SPEAKER[from] * BY_KIND[kind] * whole * (1 + Math.log2(Math.max(1, uses))) * before * lately * alone
  );
}

function isVague(kind: LiteralKind, text: string): boolean {
  if (kind === 'code') return text.includes(' ') || text.length < 5;
  if (kind === 'name') return text.length > LONGEST_TITLE;
  return kind === 'number' && /^\d+$/.test(text);
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.candidate.firstAt - b.candidate.firstAt;
}

/** Only a value of higher rank stands in for one inside it: it is the one that is carried. */
function withoutContained(all: readonly Ranked[]): readonly Ranked[] {
  const texts: readonly Comparable[] = all.map(({ found }) => comparable(found.text));
  return all.filter((own, at) => {
    const around = all.slice(0, at).filter((_, index) => holdsWhole(texts[index], texts[at], own.found));
    if (around.some((other) => usesOf(other.candidate) >= usesOf(own.candidate))) return false;
    const [path, another] = around.filter(({ found }) => found.text.endsWith(`/${own.found.text}`));
    return path === undefined || another !== undefined;
  });
}

function holdsWhole(
  outer: Comparable | undefined,
  inner: Comparable | undefined,
  own: FoundLiteral,
): boolean {
  if (outer === undefined || inner === undefined || outer.folded.length <= inner.folded.length) return false;
  return outer.folded.includes(inner.folded) && isKept(own, outer);
}

function usesOf({ user, assistant, summary, carried }: Candidate): number {
  return user + assistant + summary + (carried === null ? 0 : 1);
}
