import type { JsonValue } from '../event/json.ts';
import type { ToolInput } from '../event/part.ts';

/** A number whose text may not be what JavaScript would write for it: many digits, an exponent, a trailing zero, minus zero. */
const SUSPECT = /[:,[\s]-?(?:\d{16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?=[,\]}\s]))|-0(?=[,\]}\s])/;

/** What `JSON.parse` tells a reviver of a number, and how `JSON.stringify` takes it back (ES2026; in every Node we run on). */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}
const sourceTextJson = JSON as unknown as SourceTextJson;

/** The numbers of one parsed text that JavaScript would write otherwise than they came, as they came. */
export class NumberSources {
  readonly #texts = new Map<object, Map<string, string>>();
  /** Every object and array that holds such a number, however deep. */
  readonly #holders = new WeakSet<object>();

  add(holder: object, key: string, text: string): void {
    const known = this.#texts.get(holder);
    if (known === undefined) this.#texts.set(holder, new Map([[key, text]]));
    else known.set(key, text);
    this.#holders.add(holder);
  }

  addHolder(holder: object): void {
    this.#holders.add(holder);
  }

  has(value: unknown): value is object {
    return typeof value === 'object' && value !== null && this.#holders.has(value);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** The value as compact JSON, with its numbers as they came. */
  text(value: object): string {
    const texts = this.#texts;
    return JSON.stringify(value, function (this: object, key: string, inner: unknown): unknown {
      const text = texts.get(this)?.get(key);
      return text === undefined ? inner : sourceTextJson.rawJSON(text);
    });
  }
}

/**
 * The numbers of a JSON text that would not survive being parsed and written again, or null when all would. The second
 * parse this takes happens only where a cheap look at the text finds cause. `revived` is the parsed value whose objects
 * the sources are known by.
 */
export function parseWithSources(
  text: string,
): { readonly revived: JsonValue; readonly numbers: NumberSources } | null {
  if (!SUSPECT.test(text)) return null;
  const numbers = new NumberSources();
  try {
    const revived = sourceTextJson.parse(text, function (key, value, context) {
      if (typeof value === 'number') {
        if (context.source !== undefined && context.source !== String(value)) {
          numbers.add(this, key, context.source);
        }
      } else if (numbers.has(value)) {
        numbers.addHolder(this);
      }
      return value;
    });
    return numbers.size === 0 ? null : { revived: revived as JsonValue, numbers };
  } catch {
    // Nested too deep for a reviver, which recurses: such a value is refused elsewhere.
    return null;
  }
}

/** A tool's arguments: the JSON value, or its text where a number in it would not survive as a value. */
export function toolInputOf(value: JsonValue | undefined, numbers: NumberSources | null): ToolInput {
  if (numbers?.has(value)) {
    try {
      return { raw: numbers.text(value) };
    } catch {
      // Nested too deep to be written: refused elsewhere.
      return { json: value as JsonValue };
    }
  }
  return { json: value ?? null };
}
