import type { JsonValue } from './json.ts';

/**
 * JSON with object keys sorted by UTF-16 code unit and no white space: one text for one value, whatever order its keys
 * were written in. Used for digests only; content itself is stored as it came.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    let out = '[';
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) out += ',';
      out += canonicalJson(value[index] as JsonValue);
    }
    return `${out}]`;
  }
  const object = value as { readonly [key: string]: JsonValue };
  const keys = Object.keys(object).sort();
  let out = '{';
  for (const [index, key] of keys.entries()) {
    if (index > 0) out += ',';
    out += `${JSON.stringify(key)}:${canonicalJson(object[key] as JsonValue)}`;
  }
  return `${out}}`;
}
