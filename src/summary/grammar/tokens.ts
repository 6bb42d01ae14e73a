import { continuesName, hexValue, isDigit, isMarkupSpace, isXmlCharacter, startsName } from './characters.ts';
import { ENTITIES, LONGEST_ENTITY } from './entities.ts';
import { isDeclaration } from './xml-declaration.ts';

/** What the scanner needs of a string: tests count by it how often a character is looked at. */
export type Characters = Pick<string, 'length' | 'charCodeAt' | 'slice'>;

/**
 * What comes next: one character of text (a reference counts as the one it stands for), a tag, other markup (a comment, a
 * processing instruction, a declaration), the end, or a place where nothing of XML 1.0 can be read on.
 */
export type TokenKind = 'character' | 'open' | 'close' | 'other' | 'end' | 'fault';

const LT = 0x3c;
const GT = 0x3e;
const AMP = 0x26;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const DASH = 0x2d;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SEMICOLON = 0x3b;
const HASH = 0x23;
const BRACKET = 0x5b;
const END_BRACKET = 0x5d;

/**
 * Reads XML 1.0 token by token, forward only, and a tag, comment, instruction or declaration whole: what is no token is
 * a `fault` before anybody asks whether it may stand there. Keeps no text and looks ahead by three characters at most.
 */
export class Tokens {
  /** Where the token begins, in UTF-16 code units. */
  start = 0;
  /** Where it ends: the next one begins here. */
  end = 0;
  /** Of a character: its code point. */
  code = 0;
  /** Of a tag: its name as written. */
  name = '';
  /** Of an opening tag: where its first attribute begins; -1: it has none. */
  attribute = -1;
  /** Of an opening tag: it closes itself. */
  closesItself = false;
  /** Of a fault: the character that cannot be read, or the length of a text that breaks off. */
  faultAt = -1;
  readonly #text: Characters;

  constructor(text: Characters) {
    this.#text = text;
  }

  /** Reads the next token. After `fault` and `end` there is none. */
  next(): TokenKind {
    this.start = this.end;
    if (this.start >= this.#text.length) return 'end';
    const code = this.#at(this.start);
    if (code === LT) return this.#markup();
    if (code === AMP) return this.#reference() ? 'character' : 'fault';
    if (code === END_BRACKET && this.#at(this.start + 1) === END_BRACKET && this.#at(this.start + 2) === GT)
      return this.#fault(this.start);
    return this.#character() ? 'character' : 'fault';
  }

  #at(index: number): number {
    return index < this.#text.length ? this.#text.charCodeAt(index) : -1;
  }

  #fault(at: number): 'fault' {
    this.faultAt = at;
    return 'fault';
  }

  /** Notes a fault and says that reading failed. */
  #fail(at: number): false {
    this.faultAt = at;
    return false;
  }

  /** The code point at a place; a half of a pair alone is itself, the end is -1. */
  #codePoint(index: number): number {
    const first = this.#at(index);
    if (first < 0xd800 || first > 0xdbff) return first;
    const second = this.#at(index + 1);
    if (second < 0xdc00 || second > 0xdfff) return first;
    return (first - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000;
  }

  /** One character as it stands. */
  #character(): boolean {
    const code = this.#codePoint(this.end);
    if (!isXmlCharacter(code)) return this.#fail(this.end);
    this.code = code;
    this.end += code > 0xffff ? 2 : 1;
    return true;
  }

  /** `&amp;` and its four like, `&#65;`, `&#x41;`. */
  #reference(): boolean {
    const start = this.end;
    let at = start + 1;
    if (this.#at(at) !== HASH) {
      while (at - start <= LONGEST_ENTITY && startsName(this.#at(at))) at += 1;
      const named = ENTITIES.get(this.#text.slice(start + 1, at));
      if (named === undefined || this.#at(at) !== SEMICOLON) return this.#fail(start);
      this.code = named;
      this.end = at + 1;
      return true;
    }
    at += 1;
    const base = this.#at(at) === 0x78 ? 16 : 10;
    if (base === 16) at += 1;
    const digits = at;
    let value = 0;
    for (let code = this.#at(at); base === 16 ? hexValue(code) >= 0 : isDigit(code); code = this.#at(at)) {
      // Once out of range it stays so.
      if (value <= 0x10ffff) value = value * base + hexValue(code);
      at += 1;
    }
    if (at === digits || this.#at(at) !== SEMICOLON || !isXmlCharacter(value)) return this.#fail(start);
    this.code = value;
    this.end = at + 1;
    return true;
  }

  #markup(): TokenKind {
    const start = this.start;
    const next = this.#at(start + 1);
    if (next === SLASH) return this.#closingTag();
    if (next === QUESTION) return this.#instruction();
    if (next === BANG) {
      if (this.#at(start + 2) === DASH && this.#at(start + 3) === DASH) return this.#comment();
      // A CDATA section is refused before anything is read: this is none, and nothing else begins so.
      if (this.#at(start + 2) === BRACKET) return this.#fault(start);
      return this.#declaration();
    }
    return this.#openingTag();
  }

  #openingTag(): TokenKind {
    this.end = this.start + 1;
    if (!startsName(this.#codePoint(this.end))) return this.#fault(this.start);
    this.name = this.#name();
    this.attribute = -1;
    this.closesItself = false;
    for (;;) {
      const blanks = this.#blanks();
      const code = this.#at(this.end);
      if (code === GT) {
        this.end += 1;
        return 'open';
      }
      if (code === SLASH) {
        if (this.#at(this.end + 1) !== GT) return this.#fault(this.end + 1);
        this.closesItself = true;
        this.end += 2;
        return 'open';
      }
      if (blanks === 0 || !startsName(this.#codePoint(this.end))) return this.#fault(this.end);
      if (this.attribute < 0) this.attribute = this.end;
      if (!this.#attribute()) return 'fault';
    }
  }

  #closingTag(): TokenKind {
    this.end = this.start + 2;
    if (!startsName(this.#codePoint(this.end))) return this.#fault(this.end);
    this.name = this.#name();
    this.#blanks();
    if (this.#at(this.end) !== GT) return this.#fault(this.end);
    this.end += 1;
    return 'close';
  }

  /** A name that is known to begin. */
  #name(): string {
    const start = this.end;
    for (let code = this.#codePoint(start); continuesName(code); code = this.#codePoint(this.end))
      this.end += code > 0xffff ? 2 : 1;
    return this.#text.slice(start, this.end);
  }

  #blanks(): number {
    const start = this.end;
    while (isMarkupSpace(this.#at(this.end))) this.end += 1;
    return this.end - start;
  }

  /** An attribute whose name is known to begin. */
  #attribute(): boolean {
    this.#skipName();
    this.#blanks();
    if (this.#at(this.end) !== EQUALS) return this.#fail(this.end);
    this.end += 1;
    this.#blanks();
    const quote = this.#at(this.end);
    if (quote !== QUOTE && quote !== APOSTROPHE) return this.#fail(this.end);
    this.end += 1;
    for (let code = this.#at(this.end); code !== quote; code = this.#at(this.end)) {
      if (code === LT) return this.#fail(this.end);
      if (!(code === AMP ? this.#reference() : this.#character())) return false;
    }
    this.end += 1;
    return true;
  }

  #skipName(): void {
    while (continuesName(this.#codePoint(this.end))) this.end += this.#codePoint(this.end) > 0xffff ? 2 : 1;
  }

  /** `<!-- … -->`: two dashes end it and stand nowhere else. */
  #comment(): TokenKind {
    this.end = this.start + 4;
    while (this.#at(this.end) !== DASH || this.#at(this.end + 1) !== DASH) {
      if (!this.#character()) return 'fault';
    }
    if (this.#at(this.end + 2) !== GT) return this.#fault(this.end);
    this.end += 3;
    return 'other';
  }

  /** `<?name … ?>`; an XML declaration must be one for version 1.0 and UTF-8. */
  #instruction(): TokenKind {
    this.end = this.start + 2;
    if (!startsName(this.#codePoint(this.end))) return this.#fault(this.end);
    const name = this.#name();
    if (name === 'xml') return this.#xmlDeclaration();
    // The name in any other case is reserved.
    if (name.length === 3 && name.toLowerCase() === 'xml') return this.#fault(this.start);
    if (this.#blanks() === 0 && !this.#endsInstruction()) return this.#fault(this.end);
    while (!this.#endsInstruction()) if (!this.#character()) return 'fault';
    this.end += 2;
    return 'other';
  }

  #endsInstruction(): boolean {
    return this.#at(this.end) === QUESTION && this.#at(this.end + 1) === GT;
  }

  #xmlDeclaration(): TokenKind {
    const said: string[] = [];
    for (;;) {
      const blanks = this.#blanks();
      if (this.#endsInstruction()) break;
      if (blanks === 0 || !startsName(this.#codePoint(this.end))) return this.#fault(this.end);
      const start = this.end;
      if (!this.#attribute()) return 'fault';
      said.push(this.#text.slice(start, this.end));
    }
    if (!isDeclaration(said)) return this.#fault(this.start);
    this.end += 2;
    return 'other';
  }

  /** `<!NAME … >`, what is quoted or nested in it included. */
  #declaration(): TokenKind {
    this.end = this.start + 2;
    if (!startsName(this.#codePoint(this.end))) return this.#fault(this.start);
    let depth = 0;
    let quote = -1;
    for (;;) {
      const code = this.#at(this.end);
      if (!this.#character()) return 'fault';
      if (quote >= 0) {
        if (code === quote) quote = -1;
      } else if (code === QUOTE || code === APOSTROPHE) quote = code;
      else if (code === LT) depth += 1;
      else if (code === GT) {
        if (depth === 0) return 'other';
        depth -= 1;
      }
    }
  }
}
