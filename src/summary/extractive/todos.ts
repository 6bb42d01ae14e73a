import type { JsonValue } from '../../event/json.ts';
import { oneLine, plain } from './plain-text.ts';

/** An item of a plan the agent keeps with a tool. */
export interface Todo {
  readonly text: string;
  readonly state: 'done' | 'doing' | 'open';
}

const MOST = 100;
const DONE = /^(?:completed?|done|finished|closed|cancell?ed|x|true)$/i;
const DOING = /^(?:in[_ -]?progress|doing|active|started|current)$/i;

/**
 * The plan in a call's input: a list of objects each with a state and a text, by their shape and whatever the tool is
 * called. Empty when it holds none.
 */
export function todosIn(json: JsonValue): Todo[] {
  if (typeof json !== 'object' || json === null) return [];
  const values: readonly JsonValue[] = Array.isArray(json) ? [json] : Object.values(json);
  for (const value of values) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const todos = value.slice(0, MOST).map(todoOf);
    const known = todos.filter((todo) => todo !== undefined);
    if (known.length === todos.length) return known;
  }
  return [];
}

function todoOf(json: JsonValue): Todo | undefined {
  if (
    typeof json !== 'object' ||
    json === null ||
    !('status' in json || 'state' in json || 'done' in json || 'completed' in json)
  ) {
    return undefined;
  }
  const fields = new Map<string, JsonValue>(Object.entries(json));
  const state =
    fields.get('status') ?? fields.get('state') ?? fields.get('done') ?? fields.get('completed') ?? '';
  for (const key of ['content', 'step', 'title', 'task', 'subject', 'text', 'description', 'name']) {
    const text = fields.get(key);
    if (typeof text !== 'string' || text.trim() === '') continue;
    const said = typeof state === 'string' || typeof state === 'boolean' ? String(state) : '';
    return {
      text: oneLine(plain(text.slice(0, 2000))),
      state: DONE.test(said) ? 'done' : DOING.test(said) ? 'doing' : 'open',
    };
  }
  return undefined;
}

const CHECKBOX = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[([ xX~-])\]\s+(\S.*)$/;

/** The item a line of Markdown with a checkbox is. */
export function checkboxOf(line: string): Todo | undefined {
  const match = CHECKBOX.exec(line);
  if (match === null) return undefined;
  const mark = match[1] ?? ' ';
  return {
    text: (match[2] ?? '').trim(),
    state: mark === ' ' ? 'open' : mark === '~' || mark === '-' ? 'doing' : 'done',
  };
}
