import { ParseOption, XmlDocument, XmlElement, XmlParseError, XmlText, XmlTreeNode } from 'libxml2-wasm';
import { SaxesParser } from 'saxes';
import { type GrammarReason, SECTION_NAMES } from './check-sections.ts';

/** What an XML parser that knows nothing of summaries makes of a text. */
export interface Reading {
  readonly wellFormed: boolean;
  /** Where the parser first complained, if it says so. */
  readonly faultAt: number | undefined;
  /** The first thing it reported that the table refuses, and how far it had read by then. */
  readonly violation: { readonly reason: GrammarReason; readonly readTo: number } | undefined;
  /** The texts of the sections, as reported. */
  readonly texts: readonly string[];
}

/** Blank as the table has it: Unicode `White_Space`, so that a goal of U+200B is no blank. */
function isBlank(text: string): boolean {
  return !/\P{White_Space}/u.test(text);
}

/** Applies the table to what a parser reports. */
class Judge {
  violation: Reading['violation'];
  readonly texts: string[] = [];
  #depth = 0;
  #rooted = false;

  open(name: string, attributes: number, readTo: number): void {
    this.#depth += 1;
    if (this.#depth === 1 && !this.#rooted) {
      this.#rooted = true;
      const local = /^[^:]+:([^:]+)$/u.exec(name)?.[1] ?? name;
      if (local !== 'conversation_summary') this.#refuse('xml_root', readTo);
      else if (local !== name || attributes > 0) this.#refuse('xml_structure', readTo);
      return;
    }
    const isNext = this.#depth === 2 && name === SECTION_NAMES[this.texts.length];
    if (!isNext || attributes > 0) this.#refuse('xml_structure', readTo);
    if (this.#depth === 2) this.texts.push('');
  }

  text(text: string, readTo: number): void {
    if (this.#depth === 2) this.texts.push((this.texts.pop() ?? '') + text);
    else if (this.#depth !== 1 || !isBlank(text)) this.#refuse('xml_structure', readTo);
  }

  close(readTo: number): void {
    if (this.#depth === 1 && this.texts.length < SECTION_NAMES.length) this.#refuse('xml_structure', readTo);
    this.#depth -= 1;
  }

  other(readTo: number): void {
    this.#refuse('xml_structure', readTo);
  }

  end(readTo: number): void {
    const [goal, , , state] = this.texts;
    if (isBlank(goal ?? '') || isBlank(state ?? '')) this.#refuse('xml_content', readTo);
  }

  #refuse(reason: GrammarReason, readTo: number): void {
    this.violation ??= { reason, readTo };
  }
}

/** What saxes makes of a text: it goes on after a fault, so events tell what came first. */
export function readWithSaxes(text: string): Reading {
  const judge = new Judge();
  const parser = new SaxesParser();
  let faultAt: number | undefined;
  parser.on('error', () => {
    faultAt ??= parser.position;
  });
  parser.on('opentag', (tag) => {
    judge.open(tag.name, Object.keys(tag.attributes).length, parser.position);
    if (tag.isSelfClosing && tag.name === 'conversation_summary') judge.other(parser.position);
  });
  parser.on('closetag', () => judge.close(parser.position));
  parser.on('text', (said) => judge.text(said, parser.position));
  for (const event of ['cdata', 'comment', 'processinginstruction', 'doctype', 'xmldecl'] as const) {
    parser.on(event, () => judge.other(parser.position));
  }
  try {
    parser.write(text).close();
  } catch (error) {
    // A text that breaks off after `<!` makes saxes ask for the code point of nothing.
    if (!(error instanceof RangeError)) throw error;
    faultAt ??= text.length;
  }
  if (faultAt === undefined) judge.end(text.length);
  return { wellFormed: faultAt === undefined, faultAt, violation: judge.violation, texts: judge.texts };
}

/** What libxml2 makes of a text: a tree, or none. */
export function readWithLibxml2(text: string): Reading {
  let document: XmlDocument;
  try {
    document = XmlDocument.fromString(text, {
      option: ParseOption.XML_PARSE_HUGE | ParseOption.XML_PARSE_NONET,
    });
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    return { wellFormed: false, faultAt: undefined, violation: undefined, texts: [] };
  }
  const judge = new Judge();
  try {
    const { root } = document;
    if (root.prev !== null || document.dtd !== null) judge.other(0);
    walk(root, judge);
    if (root.next !== null) judge.other(text.length);
    judge.end(text.length);
  } finally {
    document.dispose();
  }
  return { wellFormed: true, faultAt: undefined, violation: judge.violation, texts: judge.texts };
}

function walk(node: XmlTreeNode, judge: Judge): void {
  if (node instanceof XmlText) judge.text(node.content, 0);
  else if (node instanceof XmlElement) {
    const name = node.prefix === '' ? node.name : `${node.prefix}:${node.name}`;
    judge.open(name, node.attrs.length + Object.keys(node.nsDeclarations).length, 0);
    // For a processing instruction the binding gives no node at all.
    let child: unknown = node.firstChild;
    for (; child instanceof XmlTreeNode; child = child.next) walk(child, judge);
    if (child !== null) judge.other(0);
    judge.close(0);
  } else judge.other(0);
}
