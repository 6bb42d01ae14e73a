import type { JsonValue } from '../../event/json.ts';
import type { ToolCallPart } from '../../event/part.ts';
import { COMMAND_KEY, type Leaf, LONGEST_LEAF, leavesOf } from './leaves.ts';
import { patchFiles } from './patch-files.ts';
import { isPathKey } from './path-shape.ts';
import { oneLine, plain } from './plain-text.ts';
import { graphemeBoundary } from './sentences.ts';
import { commandEffects, commandFamilies, commandLine, commandWeight, type FileEffect } from './shell.ts';
import { type Todo, todosIn } from './todos.ts';
import { fileEffects, patched } from './tool-files.ts';

/** What a call set out to do, read off its name and the shapes of its values. */
export interface Intent {
  /** Names it for a person: the command line, or the tool with its path or arguments. Also what tells repeats. */
  readonly what: string;
  /** What it is a case of: a later success of each of them closes an earlier failure. */
  readonly families: readonly string[];
  readonly kind: 'command' | 'file' | 'todos' | 'other';
  /** 2 a deed or a check, 1 other work, 0 only looking. */
  readonly weight: 0 | 1 | 2;
  readonly effects: ReadonlyMap<string, FileEffect>;
  readonly todos: readonly Todo[];
}

const SHELL_NAME = /shell|bash|terminal|exec|run_?command|run_?in|command|powershell|console/i;
const LOOKS =
  /^(?:.*[_.-])?(?:get|list|ls|search|find|grep|glob|read|view|fetch|lookup|look|query|think|calculate|web|browse|describe|check|retrieve|count|has|is|wait|poll|.*output)/i;

/** Whether a tool, by its name, only looks. */
export function looksOnly(tool: string): boolean {
  return LOOKS.test(tool);
}

/** A tool's name as it is quoted. */
export function toolName(name: string): string {
  return oneLine(plain(name.slice(0, 80))).replaceAll('`', "'");
}

/** Reads a call. Nothing of what its values say is taken for more than a name. */
export function intentOf(call: ToolCallPart): Intent {
  const leaves: Leaf[] =
    'json' in call.input ? leavesOf(call.input.json) : [{ key: '', value: call.input.raw }];
  const todos = 'json' in call.input ? todosIn(call.input.json) : [];
  const name = toolName(call.name);
  if (todos.length > 0)
    return { what: name, families: [name], kind: 'todos', weight: 0, effects: new Map(), todos };
  const command = commandOf(call, leaves);
  if (command !== undefined) {
    const clean = plain(command.slice(0, LONGEST_LEAF));
    const patch = patchFiles(clean);
    if (patch.size > 0) {
      return {
        what: `patch(${[...patch.keys()].slice(0, 3).join(', ')})`,
        families: commandFamilies(clean),
        kind: 'file',
        weight: 1,
        effects: patch,
        todos,
      };
    }
    const effects = commandEffects(clean);
    return {
      what: commandLine(clean),
      families: commandFamilies(clean),
      kind: 'command',
      weight: commandWeight(clean),
      effects,
      todos,
    };
  }
  const effects = fileEffects(name, leaves);
  if (effects.size > 0) {
    const what = `${name}(${[...effects.keys()].slice(0, 3).join(', ')})`;
    const weight = [...effects.values()].every((effect) => effect === 'read') ? 0 : 1;
    return { what, families: [what], kind: 'file', weight, effects, todos };
  }
  return {
    what: described(name, leaves),
    families: [name],
    kind: 'other',
    weight: looksOnly(name) ? 0 : 2,
    effects,
    todos,
  };
}

/** The shell command a call runs, when it runs one: by its key, or by its tool's name when its input is bare text. */
function commandOf(call: ToolCallPart, leaves: readonly Leaf[]): string | undefined {
  if ('raw' in call.input)
    return SHELL_NAME.test(call.name) && !patched(call.input.raw) ? call.input.raw : undefined;
  const json = call.input.json;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  for (const [key, value] of Object.entries(json)) {
    if (!COMMAND_KEY.test(key)) continue;
    if (Array.isArray(value)) return argumentVector(value);
    // A tool for files says `command: "create"` beside a path.
    if (typeof value === 'string' && (/\s/.test(value.trim()) || !leaves.some((leaf) => isPathKey(leaf.key))))
      return value;
  }
  return undefined;
}

function argumentVector(values: readonly JsonValue[]): string | undefined {
  const words = values.filter((value) => typeof value === 'string');
  if (words.length === 0) return undefined;
  const shell =
    words.length >= 3 &&
    /^(?:.*\/)?(?:ba|z|da|fi|k)?sh$|^cmd(?:\.exe)?$|^(?:powershell|pwsh)/i.test(words[0] ?? '');
  return shell ? (words.at(-1) ?? '') : words.join(' ');
}

const UNTOLD = /^(?:thought|reasoning|explanation|timeout|limit|offset|model|subagent_type|max_\w+)$/i;

/** A call by its name and its short values: `book(flight=HAT084, seats=2)`. */
function described(name: string, leaves: readonly Leaf[]): string {
  const shown: string[] = [];
  const titled = leaves.some((leaf) => leaf.key === 'description');
  for (const { key, value } of leaves) {
    if (shown.length === 4) break;
    if (
      value === '' ||
      typeof value === 'boolean' ||
      UNTOLD.test(key) ||
      (titled && /prompt|instructions|message|query/i.test(key))
    )
      continue;
    const text = oneLine(plain(String(value).slice(0, 400)));
    const short = text.length > 60 ? `${text.slice(0, graphemeBoundary(text, 59)).trimEnd()}…` : text;
    shown.push(key === '' ? short : `${key}=${short}`);
  }
  return `${name}(${shown.join(', ')})`.replaceAll('`', "'");
}
