import type { JsonValue } from '../../event/json.ts';
import type { ToolCallPart } from '../../event/part.ts';
import { patchFiles } from './patch-files.ts';
import { isPathKey, isPathLike } from './path-shape.ts';
import { oneLine, plain } from './plain-text.ts';
import { graphemeBoundary } from './sentences.ts';
import { commandEffects, commandFamily, commandLine, commandWeight, type FileEffect } from './shell.ts';
import { todosIn, type Todo } from './todos.ts';

/** What a call set out to do, read off its name and the shapes of its values. */
export interface Intent {
  /** Names it for a person: the command line, or the tool with its path or arguments. Also what tells repeats. */
  readonly what: string;
  /** Calls of one family do the same thing: a later success closes an earlier failure. */
  readonly family: string;
  readonly kind: 'command' | 'file' | 'todos' | 'other';
  /** 2 a deed or a check, 1 other work, 0 only looking. */
  readonly weight: 0 | 1 | 2;
  readonly effects: ReadonlyMap<string, FileEffect>;
  readonly todos: readonly Todo[];
}

interface Leaf {
  readonly key: string;
  readonly value: string | number | boolean;
}

const MOST_LEAVES = 200;
const LONGEST_LEAF = 64 * 1024;
const COMMAND_KEY = /^(?:command|cmd|command_?line|shell_?command|script|bash|code)$/i;
const SHELL_NAME = /shell|bash|terminal|exec|run_?command|run_?in|command|powershell|console/i;
const READS = /read|view|open|cat|show|get/i;
const LOOKS = /^(?:.*[_.-])?(?:get|list|ls|search|find|grep|glob|read|view|fetch|lookup|look|query|think|calculate|web|browse|describe|check|retrieve|count|has|is)/i;
const WRITES = /write|create|add_?file|new_?file|save/i;
const EDITS = /edit|replace|update|patch|modify|insert|append|rename|move|apply|change/i;
const DELETES = /delete|remove|unlink|^rm$/i;

/** Reads a call. Nothing of what its values say is taken for more than a name. */
export function intentOf(call: ToolCallPart): Intent {
  const leaves: Leaf[] = 'json' in call.input ? leavesOf(call.input.json) : [{ key: '', value: call.input.raw }];
  const todos = 'json' in call.input ? todosIn(call.input.json) : [];
  const name = oneLine(plain(call.name.slice(0, 80)));
  if (todos.length > 0) return { what: name, family: name, kind: 'todos', weight: 0, effects: new Map(), todos };
  const command = commandOf(call, leaves);
  if (command !== undefined) {
    const clean = plain(command.slice(0, LONGEST_LEAF));
    const patch = patchFiles(clean);
    if (patch.size > 0) {
      return { what: `patch(${[...patch.keys()].slice(0, 3).join(', ')})`, family: 'patch', kind: 'file', weight: 1, effects: patch, todos };
    }
    const effects = commandEffects(clean);
    return { what: commandLine(clean), family: commandFamily(clean), kind: 'command', weight: commandWeight(clean), effects, todos };
  }
  const effects = fileEffects(name, leaves);
  if (effects.size > 0) {
    const what = `${name}(${[...effects.keys()].slice(0, 3).join(', ')})`;
    const weight = [...effects.values()].every((effect) => effect === 'read') ? 0 : 1;
    return { what, family: name, kind: 'file', weight, effects, todos };
  }
  return { what: described(name, leaves), family: name, kind: 'other', weight: LOOKS.test(name) ? 0 : 2, effects, todos };
}

/** The shell command a call runs, when it runs one: by its key, or by its tool's name when its input is bare text. */
function commandOf(call: ToolCallPart, leaves: readonly Leaf[]): string | undefined {
  if ('raw' in call.input) return SHELL_NAME.test(call.name) && !patched(call.input.raw) ? call.input.raw : undefined;
  const json = call.input.json;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  for (const [key, value] of Object.entries(json)) {
    if (!COMMAND_KEY.test(key)) continue;
    if (Array.isArray(value)) return argumentVector(value);
    // A tool for files says `command: "create"` beside a path.
    if (typeof value === 'string' && (/\s/.test(value.trim()) || !leaves.some((leaf) => isPathKey(leaf.key)))) return value;
  }
  return undefined;
}

function argumentVector(values: readonly JsonValue[]): string | undefined {
  const words = values.filter((value) => typeof value === 'string');
  if (words.length === 0) return undefined;
  const shell = words.length >= 3 && /^(?:.*\/)?(?:ba|z|da|fi|k)?sh$|^cmd(?:\.exe)?$|^(?:powershell|pwsh)/i.test(words[0] ?? '');
  return shell ? (words.at(-1) ?? '') : words.join(' ');
}

function fileEffects(name: string, leaves: readonly Leaf[]): Map<string, FileEffect> {
  const effects = new Map<string, FileEffect>();
  for (const { value } of leaves) {
    if (typeof value !== 'string' || !patched(value)) continue;
    for (const [path, effect] of patchFiles(plain(value.slice(0, LONGEST_LEAF)))) effects.set(path, effect);
  }
  if (effects.size > 0) return effects;
  const effect = effectOf(name, leaves);
  if (effect === undefined) return effects;
  for (const { key, value } of leaves) {
    if (typeof value !== 'string' || effects.size >= 20) continue;
    const named = isPathKey(key);
    if ((named || key === 'target' || key === 'destination' || key === '') && isPathLike(value, named)) effects.set(plain(value), effect);
  }
  return effects;
}

function patched(text: string): boolean {
  return text.includes('*** Begin Patch') || text.includes('*** Update File: ') || text.includes('\n+++ ');
}

/** What a tool does to the files it names: by its name, a sub-command, or by carrying their content. */
function effectOf(name: string, leaves: readonly Leaf[]): FileEffect | undefined {
  const verb = leaves.find((leaf) => COMMAND_KEY.test(leaf.key) || leaf.key === 'action')?.value;
  const said = typeof verb === 'string' && verb.length < 40 ? `${name} ${verb}` : name;
  const keys = new Set(leaves.map((leaf) => leaf.key));
  const replaces = ['old_string', 'new_string', 'old_str', 'new_str', 'diff', 'edits', 'replacement'].some((key) => keys.has(key));
  if (DELETES.test(said)) return 'deleted';
  if (replaces) return 'edited';
  const carries = ['content', 'contents', 'file_text', 'text', 'data', 'new_source'].some((key) => keys.has(key));
  if (WRITES.test(said) && !EDITS.test(said)) return 'written';
  if (carries) return EDITS.test(said) ? 'edited' : 'written';
  if (EDITS.test(verb === undefined ? name : String(verb).slice(0, 40))) return 'edited';
  return READS.test(said) ? 'read' : undefined;
}

/** A call by its name and its short values: `book(flight=HAT084, seats=2)`. */
function described(name: string, leaves: readonly Leaf[]): string {
  const shown: string[] = [];
  for (const { key, value } of leaves) {
    if (shown.length === 4) break;
    if (value === '' || /^(?:thought|reasoning|explanation|timeout|limit|offset|run_in_background)$/i.test(key)) continue;
    const text = oneLine(plain(String(value).slice(0, 400)));
    const short = text.length > 60 ? `${text.slice(0, graphemeBoundary(text, 59)).trimEnd()}…` : text;
    shown.push(key === '' ? short : `${key}=${short}`);
  }
  return `${name}(${shown.join(', ')})`.replaceAll('`', "'");
}

/** Scalars of a value, outermost first, each under the key it or its list has. */
function leavesOf(json: JsonValue): Leaf[] {
  const leaves: Leaf[] = [];
  const queue: { key: string; value: JsonValue; depth: number }[] = [{ key: '', value: json, depth: 0 }];
  for (let at = 0; at < queue.length && leaves.length < MOST_LEAVES && at < MOST_LEAVES * 4; at += 1) {
    const next = queue[at];
    if (next === undefined) break;
    const { key, value, depth } = next;
    if (typeof value === 'string') leaves.push({ key, value: value.slice(0, LONGEST_LEAF) });
    else if (typeof value === 'number' || typeof value === 'boolean') leaves.push({ key, value });
    else if (value !== null && depth < 4) {
      if (Array.isArray(value)) for (const item of value.slice(0, MOST_LEAVES)) queue.push({ key, value: item, depth: depth + 1 });
      else for (const [inner, item] of Object.entries(value).slice(0, MOST_LEAVES)) queue.push({ key: inner, value: item, depth: depth + 1 });
    }
  }
  return leaves;
}
