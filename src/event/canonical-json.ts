import type { JsonValue } from './json.ts';

/**
 * JSON with object keys sorted by UTF-16 code unit and no white space: one text for one value, whatever order its keys
 * were written in. Used for digests only; content itself is stored as it came.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let out = '';
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) out += ',';
      out += canonicalJson(value[index] as JsonValue);
    }
    return `[${out}]`;
  }
  const object = value as { readonly [key: string]: JsonValue };
  const keys = sortedKeys(object);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    if (index > 0) out += ',';
    out += JSON.stringify(key);
    out += ':';
    out += canonicalJson(object[key] as JsonValue);
  }
  return `{${out}}`;
}

/** Most objects are small and many are in order as they are; sorting those costs more than writing them. */
function sortedKeys(object: { readonly [key: string]: JsonValue }): readonly string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  }
  return keys;
}
