import { type Comparable, comparableLiteral } from './comparable.ts';
import { isKept } from './is-kept.ts';
import type { LiteralKind } from './literal-kind.ts';
import { type Emit, findDates, findNumbers, TAKEN } from './numbers.ts';
import { JOINING } from './scripts.ts';
import { findUrls } from './urls.ts';
import { shapeOf, withoutPlace } from './value-shape.ts';

/** Which values of a line count. */
export interface Reading {
  /** Also what stands in quotation marks, and small numbers with what they count. */
  readonly said: boolean;
}

const QUOTED =
  /`([^`\n]{1,200})`|"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»|「([^」\n]{1,200})」|『([^』\n]{1,200})』|‘([^’\n]{2,200})’|(?<![\p{L}\p{N}])'([^'\n]{2,80})'(?![\p{L}\p{N}])/gu;
/** What parts tokens from one another in any script; brackets and quotation marks are no part of a value. */
const TOKEN = /[^\s"'`“”‘’«»„「」『』（）【】()[\]{}<>,;|…、。！？：；，]+/gu;
/** Its end would look like a path. */
const CLOSING_TAG = /<\/[A-Za-z][\w:-]{0,40}\s?>/g;
const ASCII_RUN = /[!-~]{3,200}/g;
const PROGRAM =
  /^(?:\$ )?(?:sudo )?(?:npm|npx|pnpm|yarn|bun|node|deno|git|gh|docker|kubectl|helm|terraform|make|cmake|cargo|rustc|go|python3?|pip3?|uv|poetry|pytest|ruby|bundle|rake|rails|php|composer|java|mvn|gradle|\.\/gradlew|dotnet|mix|elixir|swift|ls|cd|cp|mv|rm|mkdir|chmod|chown|cat|grep|rg|find|sed|awk|curl|wget|ssh|scp|rsync|tar|brew|apt|apt-get|systemctl|psql|mysql|sqlite3|redis-cli|aws|gcloud|az|vercel|fly|heroku|tsc|eslint|prettier|jest|vitest|biome|source|export|env|bash|sh)\s+\S/;
const LONGEST_TOKEN = 400;

/** Finds the concrete values of one line: by their shapes, in any language. Linear in the line. */
export function findValues(line: string, { said }: Reading, emit: Emit): void {
  const noted = asWhole(line, emit);
  for (const match of line.matchAll(QUOTED)) {
    const code = match[1];
    if (code !== undefined) noted(codeKind(code), code.trim());
    else if (said) {
      const quoted = (match.slice(2).find((each) => each !== undefined) ?? '').trim();
      if (/[\p{L}\p{N}]/u.test(quoted) && quoted.length > 1) noted(shapeOf(quoted) ?? 'name', quoted);
    }
  }
  const rest = findDates(findUrls(line, noted), noted);
  findNumbers(rest, said, noted);
  for (const [token] of rest.replace(CLOSING_TAG, ' ').matchAll(TOKEN)) findInToken(token, noted);
}

/**
 * Lets through what a text holds as a whole value by the definition that measures it: not what was cut out of a longer
 * one. What stands in for a secret or for data is no value.
 */
export function asWhole(within: string, emit: Emit): Emit {
  let text: Comparable | undefined;
  return (kind, value) => {
    if (value.includes('[secret]') || value.includes('[…]')) return;
    text ??= comparableLiteral(within);
    if (isKept({ kind, text: value }, text)) emit(kind, value);
  };
}

/** What a value is that stands alone: a tool's argument, a list's item. Null when it is no literal. */
export function kindOfValue(value: string): LiteralKind | null {
  const shape = shapeOf(value);
  if (shape !== null) return shape;
  let whole: LiteralKind | null = null;
  const emit: Emit = (kind, text) => {
    if (text === value) whole = kind;
  };
  findNumbers(findDates(findUrls(value, emit), emit), false, emit);
  return whole;
}

/** Whether a line begins as one a shell is given. */
export function isCommand(line: string): boolean {
  return PROGRAM.test(line);
}

function codeKind(text: string): LiteralKind {
  const code = text.trim();
  return shapeOf(withoutPlace(code)) ?? (isCommand(code) ? 'command' : 'code');
}

function findInToken(token: string, emit: Emit): void {
  // A word: no shape but letters.
  if (token.length <= LONGEST_TOKEN && !/[^\p{L}]|\p{Ll}\p{Lu}/u.test(token)) return;
  const whole = token.length <= LONGEST_TOKEN && !token.includes(TAKEN);
  const bare = whole ? trimmed(token) : '';
  const shape = shapeOf(bare);
  if (shape !== null) emit(shape, bare);
  else if (/[^!-~]/.test(token)) findInRuns(token, emit);
}

/** Scripts that set no blanks: a value ends where they begin. */
function findInRuns(token: string, emit: Emit): void {
  for (const match of token.matchAll(ASCII_RUN)) {
    const [run] = match;
    const after = token.charAt(match.index + run.length);
    if (touches(token.charAt(match.index - 1)) || touches(after)) continue;
    const bare = trimmed(run);
    const shape = shapeOf(bare);
    if (shape !== null) emit(shape, bare);
  }
}

function touches(neighbour: string): boolean {
  return neighbour === TAKEN || JOINING.test(neighbour);
}

function trimmed(token: string): string {
  return withoutPlace(token.replace(/^(?:[*=:!?]|~(?!\/))+/, '').replace(/[*~=:.!?]+$/, ''));
}
