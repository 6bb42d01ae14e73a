import type { SummaryReason } from '../../event/errors.ts';
import { isWhiteSpace } from '../white-space.ts';
import { ENTITIES } from './entities.ts';
import { type Characters, Tokens } from './tokens.ts';

/** The sections of a summary, in their order. */
export const SECTION_NAMES = ['goal', 'constraints', 'decisions', 'state', 'open_items'] as const;

/** The name of one of them. */
export type SectionName = (typeof SECTION_NAMES)[number];

/** One section of a summary that passed. For display: what is stored is the document, never its parts. */
export interface SummarySection {
  readonly name: SectionName;
  /** Where its content stands in the document, in UTF-16 code units; of a self-closed one, where it would. */
  readonly start: number;
  readonly end: number;
  /** What the content says: references resolved, line ends made `\n`, as an XML parser reports it. */
  readonly text: string;
}

/** Why a document is refused by its grammar alone. */
export type GrammarReason = Extract<
  SummaryReason,
  'xml_syntax' | 'xml_root' | 'xml_structure' | 'xml_content'
>;

/** What {@link checkSections} finds. `offset` counts UTF-16 code units from the start of the text. */
export type SectionsVerdict =
  | { readonly ok: true; readonly sections: readonly SummarySection[] }
  | { readonly ok: false; readonly reason: GrammarReason; readonly offset: number };

const ROOT = 'conversation_summary';
const LINE_FEED = 0x0a;
const CDATA = '<![CDATA[';
/** Sections that must say something. */
const REQUIRED: ReadonlySet<SectionName> = new Set<SectionName>(['goal', 'state']);

/**
 * Judges whether a text is a summary in five sections, in one forward pass whose cost is the length of the text:
 *
 * ```xml
 * <conversation_summary>
 *   <goal>…</goal><constraints/><decisions/><state>…</state><open_items/>
 * </conversation_summary>
 * ```
 *
 * One root, its five children once each and in this order, text in them, blanks between them, and nothing else at all:
 * not before or after the root either. The first violation wins. What is no XML 1.0 token is `xml_syntax`, and a token is
 * read whole before its place is judged; another root, or none, is `xml_root`; anything that may not stand where it
 * stands, and `<![CDATA[` anywhere before all else, is `xml_structure`; a goal or state that is blank (Unicode
 * `White_Space`, references resolved) in a document that is right otherwise is `xml_content`. Never throws.
 */
export function checkSections(text: string): SectionsVerdict {
  const section = text.indexOf(CDATA);
  if (section >= 0) return refused('xml_structure', section);
  const found = findSections(text);
  if ('reason' in found) return Object.freeze({ ok: false, ...found });
  const sections = found.map(({ name, start, end }) =>
    Object.freeze({ name, start, end, text: decoded(text.slice(start, end)) }),
  );
  return Object.freeze({ ok: true, sections: Object.freeze(sections) });
}

/** A section as it is found: where it stands, and whether it says something. */
interface Found {
  readonly name: SectionName;
  readonly start: number;
  end: number;
  isBlank: boolean;
}

interface Refusal {
  readonly reason: GrammarReason;
  readonly offset: number;
}

/** The five sections of a text that holds no CDATA section, or the first violation. */
export function findSections(text: Characters): readonly Found[] | Refusal {
  const tokens = new Tokens(text);
  const found: Found[] = [];
  let place: 'before' | 'between' | 'within' | 'after' = 'before';
  for (;;) {
    const kind = tokens.next();
    const { start } = tokens;
    const current = found.at(-1);
    switch (kind) {
      case 'fault':
        return { reason: 'xml_syntax', offset: tokens.faultAt };
      case 'end':
        if (place === 'before') return { reason: 'xml_root', offset: start };
        if (place !== 'after') return { reason: 'xml_syntax', offset: start };
        return blankRequired(found) ?? found;
      case 'other':
        return { reason: 'xml_structure', offset: start };
      case 'character': {
        const blank = isWhiteSpace(tokens.code);
        if (place === 'within') {
          if (!blank && current !== undefined) current.isBlank = false;
        } else if (place !== 'between' || !blank) return { reason: 'xml_structure', offset: start };
        break;
      }
      case 'open': {
        if (place === 'before') {
          const refusal = judgeRoot(tokens);
          if (refusal !== undefined) return refusal;
          place = 'between';
          break;
        }
        const name = place === 'between' ? SECTION_NAMES[found.length] : undefined;
        if (name === undefined || tokens.name !== name) return { reason: 'xml_structure', offset: start };
        if (tokens.attribute >= 0) return { reason: 'xml_structure', offset: tokens.attribute };
        found.push({ name, start: tokens.end, end: tokens.end, isBlank: true });
        if (!tokens.closesItself) place = 'within';
        break;
      }
      case 'close':
        if (place === 'within' && current?.name === tokens.name) {
          current.end = start;
          place = 'between';
        } else if (place === 'between' && tokens.name === ROOT) {
          if (found.length < SECTION_NAMES.length) return { reason: 'xml_structure', offset: start };
          place = 'after';
        } else return { reason: 'xml_syntax', offset: start };
        break;
      default:
        return kind satisfies never;
    }
  }
}

/** A root by another name is another root, whatever else is wrong with it. */
function judgeRoot({ name, start, attribute, closesItself }: Tokens): Refusal | undefined {
  if (name !== ROOT) {
    const [prefix, local, ...more] = name.split(':', 3);
    const isPrefixed = prefix !== '' && local === ROOT && more.length === 0;
    return { reason: isPrefixed ? 'xml_structure' : 'xml_root', offset: start };
  }
  if (attribute >= 0) return { reason: 'xml_structure', offset: attribute };
  return closesItself ? { reason: 'xml_structure', offset: start } : undefined;
}

function blankRequired(found: readonly Found[]): Refusal | undefined {
  const blank = found.find(({ name, isBlank }) => isBlank && REQUIRED.has(name));
  return blank === undefined ? undefined : { reason: 'xml_content', offset: blank.start };
}

function refused(reason: GrammarReason, offset: number): SectionsVerdict {
  return Object.freeze({ ok: false, reason, offset });
}

/** What a content that was recognised says. A line end written as a reference stays what it is. */
function decoded(content: string): string {
  return content.replace(/\r\n?|&#x([0-9a-fA-F]+);|&#([0-9]+);|&([a-z]+);/gu, (_all, hex, decimal, name) => {
    if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
    if (typeof decimal === 'string') return String.fromCodePoint(Number.parseInt(decimal, 10));
    return String.fromCodePoint(ENTITIES.get(String(name)) ?? LINE_FEED);
  });
}
