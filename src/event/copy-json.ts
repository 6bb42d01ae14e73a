import { InvalidEventError } from './errors.ts';
import type { JsonValue } from './json.ts';

/** Deepest nesting of a payload. Beyond it recursion over stored content would not be safe in every engine. */
export const MAX_DEPTH = 512;

/**
 * A deeply frozen copy of a payload, or `InvalidEventError` naming the path of what JSON cannot carry: cycles (met as
 * nesting past {@link MAX_DEPTH}), BigInt, functions, symbols, NaN and infinities, sparse arrays, accessors, class
 * instances. A property that is `undefined` counts as absent, as in JSON. `__proto__` is an ordinary key.
 */
export function copyJson(value: unknown, path: string, depth = 0): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new InvalidEventError(path, 'is not a finite number');
      // JSON text has no negative zero: every store hands out the same value.
      return value === 0 ? 0 : value;
    case 'object':
      break;
    default:
      throw new InvalidEventError(path, `is a ${typeof value}, which JSON cannot carry`);
  }
  if (value === null) return null;
  if (depth >= MAX_DEPTH)
    throw new InvalidEventError(path.slice(0, 200), `is nested over ${MAX_DEPTH} levels or is a cycle`);
  return Array.isArray(value) ? copyArray(value, path, depth) : copyObject(value, path, depth);
}

function copyArray(value: readonly unknown[], path: string, depth: number): JsonValue {
  return copyItems(value, path, (item, at) => copyJson(item, at, depth + 1));
}

/**
 * A frozen array of what `copy` makes of each item. No method of the array's is called, and its length is read once: an
 * array may have a `map` of its own, or a proxy in its place. Throws `InvalidEventError` for what is no array or is sparse.
 */
export function copyItems<Item>(
  value: unknown,
  path: string,
  copy: (item: unknown, path: string) => Item,
): readonly Item[] {
  if (!Array.isArray(value)) throw new InvalidEventError(path, 'is not an array');
  const { length } = value;
  const items: Item[] = [];
  for (let index = 0; index < length; index += 1) {
    const at = `${path}[${index}]`;
    if (!(index in value)) throw new InvalidEventError(at, 'is missing in a sparse array');
    items.push(copy(value[index], at));
  }
  return Object.freeze(items);
}

function copyObject(value: object, path: string, depth: number): JsonValue {
  requirePlainObject(value, path);
  const copy: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined || !('value' in descriptor)) {
      throw new InvalidEventError(`${path}.${key}`, 'is an accessor, which JSON cannot carry');
    }
    const inner: unknown = descriptor.value;
    if (inner === undefined) continue;
    const copied = copyJson(inner, `${path}.${key}`, depth + 1);
    if (key === '__proto__') {
      Object.defineProperty(copy, key, {
        value: copied,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    } else {
      copy[key] = copied;
    }
  }
  return Object.freeze(copy);
}

/** A plain object's own fields, each read once: an accessor could say something else the second time. */
export function readFields(value: unknown, path: string): { readonly [key: string]: unknown } {
  requirePlainObject(value, path);
  return { ...value };
}

/** Refuses class instances: only objects made by a literal, `JSON.parse` or `Object.create(null)` carry over. */
export function requirePlainObject(
  value: unknown,
  path: string,
): asserts value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidEventError(path, 'is not an object');
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return;
  // An object of another realm (a vm, a worker's structured clone) has an Object.prototype that is not ours.
  if (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty'))
    return;
  throw new InvalidEventError(path, 'is a class instance, which JSON cannot carry');
}
