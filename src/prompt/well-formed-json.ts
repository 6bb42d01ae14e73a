import type { JsonValue } from '../event/json.ts';

/** The value with lone surrogates repaired in every string and key; the very same value where there are none. */
export function wellFormedJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(wellFormedJson);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  let changed = false;
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, item] of Object.entries(value)) {
    const repaired = wellFormedJson(item);
    changed ||= repaired !== item || !key.isWellFormed();
    // Assignment to `__proto__` would set a prototype.
    Object.defineProperty(copy, key.toWellFormed(), {
      value: repaired,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return changed ? copy : value;
}
