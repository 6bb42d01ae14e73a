import { type Comparable, comparable, comparableLiteral } from './comparable.ts';
import type { FoundLiteral, LiteralKind } from './literal-kind.ts';
import { JOINING } from './scripts.ts';

/** Kinds in which a dot or a hyphen before a letter or digit goes on with the value. */
const COMPOUND: ReadonlySet<LiteralKind> = new Set(['path', 'url', 'email', 'id', 'code', 'command']);
/** Kinds whose case says nothing. */
const CASELESS: ReadonlySet<LiteralKind> = new Set(['instruction', 'email', 'number', 'date', 'name']);
/** Fewer segments than this name no place that others could be under. */
const LEAST_ROOT = 2;

/**
 * Whether a text holds a literal: the one definition, for measuring and for carrying. Widths, dashes, blanks, digit
 * groups and XML's entities do not matter; case does in paths, ids and code and in nothing else. Only a whole value
 * counts: 12 is not in 123, 12.5 or 12px, `src/a.ts` not in `src/a.tsx`. But a directory is in a path below it, a
 * file's name in its path, and a path in a text that names a directory of it and the rest.
 */
export function isKept(literal: Pick<FoundLiteral, 'text' | 'kind'>, text: string | Comparable): boolean {
  const within = typeof text === 'string' ? comparable(text) : text;
  const own = comparableLiteral(literal.text);
  const { kind } = literal;
  if (!CASELESS.has(kind)) {
    return holds(within.exact, own.exact, kind) || (kind === 'path' && holdsByParts(within.exact, own.exact));
  }
  const needle = own.folded;
  if (kind === 'instruction') return within.folded.includes(needle.replace(/[.!。！]$/u, ''));
  return holds(within.folded, needle, kind) || (kind === 'number' && holdsUnit(within.folded, needle));
}

/** A needle is never blank: literals are not. */
function holds(hay: string, needle: string, kind: LiteralKind, alone = false): boolean {
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    if (begins(hay, at, needle, kind, alone) && ends(hay, at + needle.length, needle, kind)) return true;
  }
  return false;
}

/** Whether no value begins before `at` that goes on here. `alone`: not even a directory. */
function begins(hay: string, at: number, needle: string, kind: LiteralKind, alone: boolean): boolean {
  const before = charBefore(hay, at);
  if (before === '' || before === ' ') return true;
  const first = charAt(needle, 0);
  if (!JOINING.test(first)) return !COMPOUND.has(kind) || !(JOINING.test(before) || './~-'.includes(before));
  if (JOINING.test(before) || (alone && before === '/')) return false;
  if (/[0-9]/.test(first) && '.,'.includes(before)) return !/[0-9]/.test(hay.charAt(at - 2));
  return !(COMPOUND.has(kind) && '.-@'.includes(before) && JOINING.test(charBefore(hay, at - 1)));
}

/** Whether the value that ends at `at` does not go on. */
function ends(hay: string, at: number, needle: string, kind: LiteralKind): boolean {
  const after = charAt(hay, at);
  const last = charBefore(needle, needle.length);
  if (after === '' || after === ' ' || !JOINING.test(last)) return true;
  if (JOINING.test(after)) return false;
  if (!JOINING.test(charAt(hay, at + after.length))) return true;
  if (/[0-9]/.test(last) && '.,:'.includes(after)) return !/[0-9]/.test(hay.charAt(at + 1));
  if (kind === 'url') return !'./?#&=-:@'.includes(after);
  return !(COMPOUND.has(kind) && '.-@'.includes(after));
}

/** `35 ms` is `35ms`. */
function holdsUnit(hay: string, needle: string): boolean {
  const tight = needle.replace(/(?<=[0-9]) (?=\p{L})/u, '');
  const apart = needle.replace(/(?<=[0-9])(?=\p{L})/u, ' ');
  return [tight, apart].some((other) => other !== needle && holds(hay, other, 'number'));
}

/** A summary may name the directory once and its files by the rest of their paths. */
function holdsByParts(hay: string, path: string): boolean {
  let segments = 0;
  for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
    segments += 1;
    const rest = path.slice(slash + 1);
    if (segments < LEAST_ROOT || rest === '') continue;
    if (holds(hay, rest, 'path', true) && holds(hay, path.slice(0, slash), 'path')) return true;
  }
  return false;
}

function charBefore(text: string, at: number): string {
  if (at <= 0) return '';
  const low = text.charCodeAt(at - 1);
  return text.slice(low >= 0xdc00 && low <= 0xdfff && at >= 2 ? at - 2 : at - 1, at);
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
