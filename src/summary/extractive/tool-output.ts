import type { JsonValue } from '../../event/json.ts';
import type { Part, ToolResultPart } from '../../event/part.ts';
import { oneLine, plain, skim } from './plain-text.ts';
import { graphemeBoundary } from './sentences.ts';
import type { Intent } from './tool-input.ts';

/** How a call came out. */
export interface Outcome {
  readonly failed: boolean;
  /** When it failed: the line that best says how. When not: the line that counts (tests, a commit), if any. */
  readonly line: string;
}

/** Outputs are skimmed: what they begin and what they end with. */
const HEAD = 4 * 1024;
const TAIL = 12 * 1024;
const LONGEST_LINE = 200;

const EXIT =
  /(?:exit(?:ed)?(?:\s+with)?(?:\s+(?:code|status))?\s{0,3}[:=]?\s{0,3}|"?exit_?code"?\s{0,3}[:=]\s{0,3}|returned (?:non-zero )?exit (?:code|status) )(-?\d{1,3})\b/i;
const STARTS_FAILED =
  /^\W{0,4}(?:error|fatal|panic|traceback|exception|uncaught|failed|failure|cannot|could not|unable to|permission denied|invalid|unknown|no such|command not found|patch rejected|\w{1,40}(?:error|exception)\b|[\w ]{0,40}(?:verification )?failed\b|エラー|失敗|错误|錯誤|失败|失敗|오류|실패|ошибка|erreur|fehler|erro\b)/iu;
const SAYS_FAILURE =
  /error|exception|fail(?:ed|ure|s)?\b|fatal|panic|cannot|can't|could not|couldn't|not found|no such|undefined|denied|refused|invalid|unexpected|timed? ?out|missing|エラー|失敗|例外|错误|錯誤|失败|异常|오류|실패|ошибк|не удалось|erreur|échec|fehler|fallo|falha|\berro\b/iu;
const FRAME = /^(?:at\s|File "|\.{3}|\^+$|~+$|\d+\s*\||-->|\|)/;
const COUNTS =
  /\b\d[\d,.]*\s+(?:tests?|doctests?|examples?|specs?|assertions?|passed|passing|failed|failing|failures?|errors?|warnings?|issues?|problems?|vulnerabilities|insertions?|files? changed)\b|^Tests?:\s|found no issues|\bno (?:issues|errors|problems)\b/i;
const FAILED_COUNT = /\b([1-9]\d*)\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b/i;
const COMMIT = /^\[[\w./-]{1,80}(?: \(root-commit\))? [0-9a-f]{7,40}\] /;
const LINE_NUMBER = /^\s{0,8}\d{1,6}(?:→|\t|\|)\s?/;

/** Whether a line is what git says of a commit it made. */
export function isCommit(line: string): boolean {
  return COMMIT.test(line);
}

/** Reads a result, given what its call set out to do. Output is evidence of that and of nothing else. */
export function outcomeOf(result: ToolResultPart, intent: Intent): Outcome {
  const { text, exit } = textOf(result);
  const lines = text
    .split('\n')
    .map((line) => oneLine(line.replace(LINE_NUMBER, '').slice(0, 2000)))
    .filter((line) => line !== '' && !line.startsWith('<system-reminder'));
  const command = intent.kind === 'command';
  const counts = lastMatch(
    lines,
    (line) => COUNTS.test(line) && line.length <= LONGEST_LINE && !FRAME.test(line),
  );
  const miscounted = command && intent.weight > 0 && FAILED_COUNT.test(counts);
  const code = exit ?? exitIn(lines);
  const looking = intent.weight === 0;
  const startsFailed =
    !(looking && intent.kind !== 'other') &&
    code === undefined &&
    STARTS_FAILED.test((lines[0] ?? '').slice(0, 200));
  const failed = result.isError || (code !== undefined && code !== 0) || miscounted || startsFailed;
  if (failed) return { failed: true, line: short(errorLine(lines)) };
  if (!command || intent.weight === 0) return { failed: false, line: '' };
  return { failed: false, line: short(lastMatch(lines, isCommit) || counts) };
}

function errorLine(lines: readonly string[]): string {
  const tagged = lines.find((line) => line.includes('<tool_use_error>'));
  if (tagged !== undefined) return tagged.replace(/<\/?tool_use_error>/g, '');
  const telling = (line: string): boolean =>
    SAYS_FAILURE.test(line.slice(0, 400)) && !FRAME.test(line) && !EXIT.test(line.slice(0, 60));
  return lastMatch(lines, telling) || (lines.findLast((line) => !FRAME.test(line)) ?? '');
}

function lastMatch(lines: readonly string[], test: (line: string) => boolean): string {
  return lines.findLast(test) ?? '';
}

function exitIn(lines: readonly string[]): number | undefined {
  for (const line of [...lines.slice(0, 3), ...lines.slice(-3)]) {
    const match = line.length < 200 ? EXIT.exec(line) : null;
    if (match !== null) return Number(match[1]);
  }
  return undefined;
}

function short(line: string): string {
  return line.length <= LONGEST_LINE
    ? line
    : `${line.slice(0, graphemeBoundary(line, LONGEST_LINE - 1)).trimEnd()}…`;
}

interface OutputText {
  readonly text: string;
  readonly exit: number | undefined;
}

function textOf(result: ToolResultPart): OutputText {
  if ('json' in result.output) return fromJson(result.output.json);
  let text = '';
  for (const part of result.output.parts) {
    const piece = partText(part);
    if (piece !== '')
      text = text === '' ? skim(piece, HEAD, TAIL) : skim(`${text}\n${skim(piece, HEAD, TAIL)}`, HEAD, TAIL);
  }
  if (text.startsWith('{') && text.length < HEAD + TAIL) {
    try {
      const json: JsonValue = JSON.parse(text);
      return fromJson(json);
    } catch {
      // Text that only begins like JSON is read as text.
    }
  }
  return { text: plain(unescaped(text)), exit: undefined };
}

/** JSON too long to parse still has its line breaks written as two characters. */
function unescaped(text: string): string {
  return text.startsWith('{"') ? text.replaceAll('\\n', '\n') : text;
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'codeResult':
      return part.output;
    case 'code':
    case 'reasoning':
    case 'media':
    case 'toolCall':
    case 'toolResult':
    case 'opaque':
      return '';
    default:
      return part satisfies never;
  }
}

/** The strings of a JSON output, and the exit status or error it declares. */
function fromJson(json: JsonValue): OutputText {
  let text = '';
  let exit: number | undefined;
  const queue: { key: string; value: JsonValue }[] = [{ key: '', value: json }];
  for (let at = 0; at < queue.length && at < 400 && text.length < HEAD + TAIL; at += 1) {
    const next = queue[at];
    if (next === undefined) break;
    const { key, value } = next;
    if (typeof value === 'string') {
      if (value !== '') text += `${skim(/^error$/i.test(key) ? `error: ${value}` : value, HEAD, TAIL)}\n`;
      if (/^error$/i.test(key) && value !== '') exit ??= 1;
    } else if (typeof value === 'number' && /^(?:exit_?code|exit_?status|returncode)$/i.test(key))
      exit ??= value;
    else if (value === false && /^(?:ok|success)$/i.test(key)) exit ??= 1;
    else if (value === true && /^is_?error$/i.test(key)) exit ??= 1;
    else if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) for (const item of value.slice(0, 50)) queue.push({ key, value: item });
      else
        for (const [inner, item] of Object.entries(value).slice(0, 50))
          queue.push({ key: inner, value: item });
    }
  }
  return { text: plain(skim(text, HEAD, TAIL)), exit };
}
