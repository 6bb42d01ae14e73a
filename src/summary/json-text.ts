import type { JsonObject, JsonValue } from '../event/json.ts';
import { quoted } from './quoted.ts';

type Open =
  | { readonly array: readonly JsonValue[]; at: number }
  | { readonly object: JsonObject; readonly keys: readonly string[]; at: number };

/**
 * A JSON value on one line, keys in their order, strings as {@link quoted}: every Unicode line break escaped, lone
 * surrogates repaired. Keeps its own stack, so no nesting is too deep for it.
 */
export function jsonText(value: JsonValue): string {
  const open: Open[] = [];
  let text = begin(value, open);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.at > 0 && top.at < lengthOf(top)) text += ',';
    if ('array' in top) {
      if (top.at < top.array.length) text += begin(top.array[top.at] ?? null, open);
    } else {
      const key = top.keys[top.at];
      if (key !== undefined) text += `${quoted(key)}:${begin(top.object[key] ?? null, open)}`;
    }
    if (top.at === lengthOf(top)) {
      text += 'array' in top ? ']' : '}';
      open.pop();
    }
    top.at += 1;
  }
  return text;
}

function lengthOf(open: Open): number {
  return 'array' in open ? open.array.length : open.keys.length;
}

/** A scalar's text; of a container its opening bracket, and the container is put on the stack. */
function begin(value: JsonValue, open: Open[]): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'boolean') return String(value);
  if (value === null || typeof value !== 'object') return 'null';
  if (isArray(value)) {
    open.push({ array: value, at: 0 });
    return '[';
  }
  open.push({ object: value, keys: Object.keys(value), at: 0 });
  return '{';
}

function isArray(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
