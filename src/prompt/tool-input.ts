import type { JsonObject, JsonValue } from '../event/json.ts';
import type { ToolInput } from '../event/part.ts';
import { isBlank } from './one-line.ts';
import { isJsonObject } from './provider-state.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** Arguments as an object, for providers that take nothing else: a provider's text is parsed, what is no object wrapped. */
export function inputObject(input: ToolInput): JsonObject {
  if ('json' in input) return isJsonObject(input.json) ? input.json : { value: input.json };
  if (isBlank(input.raw)) return {};
  return parsedObject(input.raw) ?? { raw: input.raw };
}

/** The object a provider's text of arguments is the JSON of; null where it is of none. */
export function parsedObject(raw: string): JsonObject | null {
  try {
    const parsed = wellFormedJson(JSON.parse(raw) as JsonValue);
    return isJsonObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Arguments as JSON text: the provider's own text kept to the byte. */
export function inputJson(input: ToolInput): string {
  if ('json' in input) return JSON.stringify(input.json);
  return isBlank(input.raw) ? '{}' : input.raw;
}
