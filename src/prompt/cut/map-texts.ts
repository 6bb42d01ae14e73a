import { MAX_DEPTH } from '../../event/copy-json.ts';
import type { JsonValue } from '../../event/json.ts';

/** A frozen copy of a JSON value with each text replaced, in the order they stand; keys are not. Null where it is nested too deep. */
export function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue | null {
  return nestedWithin(value, MAX_DEPTH) ? mapped(value, map) : null;
}

function mapped(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return Object.freeze(value.map((item) => mapped(item, map)));
  // Unlike assignment, this makes a key of `__proto__`.
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, map)])),
  );
}

/** What a provider's text holds is nested as deep as its author liked. */
function nestedWithin(value: JsonValue, depth: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  return depth > 0 && Object.values(value).every((item: JsonValue) => nestedWithin(item, depth - 1));
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
