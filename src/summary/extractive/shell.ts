import { isFilePath, isPathLike } from './path-shape.ts';
import { oneLine } from './plain-text.ts';
import { graphemeBoundary } from './sentences.ts';

const SHOWN = 120;

/** What a command did to a file, as far as its words tell. */
export type FileEffect = 'written' | 'edited' | 'deleted' | 'read';

/** How much a command's outcome matters to who continues: 2 checks and deeds, 1 other changes, 0 only looked. */
export type CommandWeight = 0 | 1 | 2;

const LOOKS =
  /^(?:ls|cat|bat|head|tail|less|more|grep|egrep|rg|ag|find|fd|pwd|echo|printf|which|whereis|type|tree|wc|file|stat|du|df|env|printenv|date|whoami|ps|top|sleep|true|jq|awk|cut|sort|uniq|cd|test|\[|diff|cmp|history|man|hexdump|xxd|strings|sed -n|set|export|source|exit|wait|git (?:status|log|diff|show|branch|blame|remote|rev-parse|ls-files|reflog|stash list|config --get)|(?:docker|kubectl|gh|bd|npm|brew|pip|cargo) (?:ps|get|describe|logs|list|ls|show|view|ready|info|search|outdated)|gh \S+ (?:list|view|status|checks)|curl|wget|node -e|python3? -c)(?:\s|$)/;
const MATTERS =
  /\b(?:tests?|spec|check|lint|build|compile|typecheck|tsc|pytest|jest|vitest|mocha|rspec|cargo|go (?:vet|run)|make|gradle|mvn|deploy|migrate|publish|release|install|push|commit|merge|rebase|tag|apply|terraform|format|fmt|credo|clippy|eslint|ruff|mypy)\b/;

/** One line that says what was run: without its wrapper, redirections of output, pagers and inline documents. */
export function commandLine(command: string): string {
  let text = command.trim();
  const heredoc = text.search(/<<-?\s*['"\\]?\w/);
  if (heredoc > 0) text = text.slice(0, heredoc);
  text = oneLine(text.slice(0, 2000))
    .replaceAll('`', "'")
    .replace(/\s+2>(?:&1|\s?\/dev\/null)/g, '')
    .replace(/(?:\s+\|\s+(?:head|tail)(?:\s+-\S{1,8}){0,2}(?:\s+\d{1,6})?)+$/, '')
    .replace(/^cd\s+\S{1,200}\s*(?:&&|;)\s*(?=\S)/, '')
    .replace(/\s+-m\s+["']?\$\(cat$/, '');
  if (text.length > SHOWN) text = text.replace(/^git add [^&;]{0,2000}&&\s*(?=\S)/, '');
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, graphemeBoundary(text, SHOWN - 1)).trimEnd()}…`;
}

/** Simple commands of a line, parted at `&&`, `||`, `;`, `|` and line ends that no quotes hold. */
function simpleCommands(command: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let part = '';
  for (const char of withoutDocuments(command).slice(0, 4000)) {
    if (quote === '' && (char === ';' || char === '|' || char === '&' || char === '\n')) {
      parts.push(part);
      part = '';
      continue;
    }
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    part += char;
  }
  return [...parts, part]
    .map((each) => each.trim().replace(PREFIX, ''))
    .filter((each) => each !== '' && !/^(?:\d?$|[-#)}])/.test(each));
}

const PREFIX =
  /^(?:(?:sudo|time|env|nohup|exec|then|do|else|xargs|if)\s+|[A-Z_][A-Z0-9_]{0,60}=\S{0,200}(?:\s+|$)|[({]\s*)+/;

/** How much a command's outcome matters. */
export function commandWeight(command: string): CommandWeight {
  const parts = simpleCommands(command);
  if (parts.every((part) => LOOKS.test(part))) return 0;
  return parts.some((part) => !LOOKS.test(part) && MATTERS.test(part.slice(0, 200))) ? 2 : 1;
}

/** What the commands of a line are cases of: `go test`, `npm run build`. A later success of each closes a failure. */
export function commandFamilies(command: string): string[] {
  const parts = simpleCommands(command);
  const deeds = parts.filter((part) => !LOOKS.test(part));
  return [...new Set((deeds.length > 0 ? deeds : parts.slice(0, 1)).map(familyOf))];
}

/** Runs tests, of whatever kind. */
const TESTS =
  /^(?:(?:npx|bunx|pnpm exec|uv run|poetry run|bundle exec)\s+)?(?:(?:npm|yarn|pnpm|bun|deno|go|cargo|mix|dotnet|swift|flutter|rails|sbt|lein|gradle|\.\/gradlew|mvn|make|just|task|mise run|npm run|yarn run|pnpm run|bun run)\s+(?:test|check)|vitest|jest|pytest|mocha|ava|tap|rspec|phpunit|ctest|tox|nox)\b/;

/** Whether every part of a line that does something runs tests: a later run of them all takes its place. */
export function isTestRun(command: string): boolean {
  const deeds = simpleCommands(command).filter((part) => !LOOKS.test(part));
  return deeds.length > 0 && deeds.every((part) => TESTS.test(part));
}

/** Whether a part of a line runs all the tests: no file, directory or name is picked out. */
export function runsAllTests(command: string): boolean {
  return simpleCommands(command).some(
    (part) =>
      TESTS.test(part) &&
      !/[\s=](?:\S*[/.]\S*|-[tkm]|--?(?:run|grep|filter|testNamePattern))(?:\s|$)/.test(part),
  );
}

function familyOf(part: string): string {
  const words = part.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
  const kept: string[] = [];
  for (const word of words.slice(0, 3)) {
    if (kept.length === 1 && !/^[a-z][\w:-]{0,30}$/i.test(word)) break;
    if (kept.length === 2 && !/^(?:run|exec|compose|-m)$/.test(kept[1] ?? '')) break;
    kept.push(word.replace(/[…'"`]/g, ''));
  }
  return kept.join(' ');
}

/** Files a command's words say it wrote, edited, deleted or read. */
export function commandEffects(command: string): Map<string, FileEffect> {
  const effects = new Map<string, FileEffect>();
  for (const part of simpleCommands(command)) {
    const words = shellWords(part);
    const program = words[0] ?? '';
    for (const [at, word] of words.entries()) {
      const target = /^\d?>{1,2}(.*)$/.exec(word);
      if (target === null) continue;
      const path = target[1] === '' ? (words[at + 1] ?? '') : (target[1] ?? '');
      if (isPathLike(path) && !path.startsWith('/dev/')) effects.set(path, 'written');
    }
    const effect = effectOf(program, words);
    if (effect === undefined) continue;
    for (const word of words.slice(1)) {
      if (
        !word.startsWith('-') &&
        isPathLike(word) &&
        (effect === 'deleted' || isFilePath(word)) &&
        !effects.has(word)
      ) {
        effects.set(word, effect);
      }
    }
  }
  return effects;
}

function effectOf(program: string, words: readonly string[]): FileEffect | undefined {
  switch (program) {
    case 'rm':
    case 'unlink':
      return 'deleted';
    case 'git':
      return words[1] === 'rm' ? 'deleted' : undefined;
    case 'sed':
      return words.some((word) => /^-[a-z]*i/.test(word) || word.startsWith('--in-place'))
        ? 'edited'
        : 'read';
    case 'cat':
    case 'bat':
    case 'head':
    case 'tail':
    case 'less':
    case 'nl':
      return 'read';
    case 'touch':
    case 'tee':
      return 'written';
    default:
      return undefined;
  }
}

function withoutDocuments(command: string): string {
  const heredoc = /<<-?\s*['"\\]?\w/.exec(command);
  return heredoc === null
    ? command
    : command.slice(
        0,
        command.indexOf('\n', heredoc.index) < 0 ? undefined : command.indexOf('\n', heredoc.index),
      );
}

/** Words of a simple command; quotes hold one together. */
function shellWords(command: string): string[] {
  return [...command.slice(0, 2000).matchAll(/"([^"]{0,400})"|'([^']{0,400})'|([^\s"']+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}
