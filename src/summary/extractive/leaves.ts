import type { JsonValue } from '../../event/json.ts';

/** A scalar of a JSON value, under the key it or its list has. */
export interface Leaf {
  readonly key: string;
  readonly value: string | number | boolean;
}

/** A key whose value is a command to run. */
export const COMMAND_KEY: RegExp = /^(?:command|cmd|command_?line|shell_?command|script|bash|code)$/i;
const MOST_LEAVES = 200;
/** So much of one string is read; code and documents that tools carry are longer. */
export const LONGEST_LEAF: number = 64 * 1024;

/** Scalars of a value, outermost first; of a large one the first. */
export function leavesOf(json: JsonValue): Leaf[] {
  const leaves: Leaf[] = [];
  const queue: { key: string; value: JsonValue; depth: number }[] = [{ key: '', value: json, depth: 0 }];
  for (let at = 0; at < queue.length && leaves.length < MOST_LEAVES && at < MOST_LEAVES * 4; at += 1) {
    const next = queue[at];
    if (next === undefined) break;
    const { key, value, depth } = next;
    if (typeof value === 'string') leaves.push({ key, value: value.slice(0, LONGEST_LEAF) });
    else if (typeof value === 'number' || typeof value === 'boolean') leaves.push({ key, value });
    else if (value !== null && depth < 4) {
      if (Array.isArray(value))
        for (const item of value.slice(0, MOST_LEAVES)) queue.push({ key, value: item, depth: depth + 1 });
      else
        for (const [inner, item] of Object.entries(value).slice(0, MOST_LEAVES))
          queue.push({ key: inner, value: item, depth: depth + 1 });
    }
  }
  return leaves;
}
