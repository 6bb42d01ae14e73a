import type { JsonValue } from '../event/json.ts';

/** An object out of a log, of whose fields nothing is known. */
export type JsonFields = { readonly [key: string]: JsonValue | undefined };

/** The value as an object, or null when it is none. */
export function fieldsOf(value: JsonValue | undefined): JsonFields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonFields) : null;
}

/** The value as a list, or null when it is none. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] | null {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : null;
}

/** The value as a text, or null when it is none. */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value as a count, or undefined when it is none. */
export function countOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
