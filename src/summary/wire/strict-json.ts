/** A whole number as it was written: no digit of it is lost. */
export interface IntegerLiteral {
  readonly integer: string;
}

/** What the wire is made of: texts, whole numbers, and objects of these. */
export type StrictValue = string | IntegerLiteral | StrictObject;

/** An object, its keys as they stand. */
export type StrictObject = ReadonlyMap<string, StrictValue>;

/** Deeper than anything the wire has. */
const MAX_DEPTH = 8;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const INTEGER = /(?:0|[1-9][0-9]*)(?![0-9.eE])/uy;
const BLANKS = /[ \t\r\n]*/uy;

/**
 * Reads one JSON value of the kinds the wire is made of, and nothing beside it. Undefined for everything else: other
 * JSON, text that is none, a byte order mark, a value after the value, a key that stands twice in its object. Case
 * counts, and whole numbers keep their digits. Its cost is the length of the text. Never throws.
 */
export function readStrictJson(text: string): StrictValue | undefined {
  const reader = new Reader(text);
  const value = reader.value(0);
  return reader.isAtEnd() ? value : undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#take(BLANKS);
    return this.#at === this.#text.length;
  }

  value(depth: number): StrictValue | undefined {
    this.#take(BLANKS);
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case '{':
        return depth < MAX_DEPTH ? this.#object(depth) : undefined;
      default: {
        const integer = this.#take(INTEGER);
        return integer === undefined ? undefined : { integer };
      }
    }
  }

  #object(depth: number): StrictObject | undefined {
    const fields = new Map<string, StrictValue>();
    this.#at += 1;
    if (this.#takes('}')) return fields;
    for (;;) {
      const key = this.#takes('"', false) ? this.#string() : undefined;
      if (key === undefined || fields.has(key) || !this.#takes(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      fields.set(key, value);
      if (this.#takes('}')) return fields;
      if (!this.#takes(',')) return undefined;
    }
  }

  /** A string literal; JSON's own reader judges what is between its quotes. */
  #string(): string | undefined {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && this.#text.charCodeAt(end) !== QUOTE)
      end += this.#text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    this.#at = end + 1;
    try {
      const value: unknown = JSON.parse(this.#text.slice(start, this.#at));
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether this character comes next, after blanks; it is taken unless it is only looked for. */
  #takes(character: string, take = true): boolean {
    this.#take(BLANKS);
    if (this.#text[this.#at] !== character) return false;
    if (take) this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
