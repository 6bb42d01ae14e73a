import type { SectionsVerdict } from './check-sections.ts';
import { type Reading, readWithLibxml2, readWithSaxes } from './oracles.fixture.ts';

/** The parsers the recogniser is held against. */
export const ORACLES: ReadonlyMap<string, (text: string) => Reading> = new Map([
  ['saxes', readWithSaxes],
  ['libxml2', readWithLibxml2],
]);

/** In what a parser and the recogniser differ about a document; undefined: in nothing. */
export function disagreement(verdict: SectionsVerdict, reading: Reading): string | undefined {
  const { wellFormed, faultAt, violation, texts } = reading;
  if (verdict.ok) {
    if (!wellFormed) return 'accepted, and it is malformed';
    if (violation !== undefined) return `accepted, and it reports ${violation.reason}`;
    const said = verdict.sections.map(({ text }) => text);
    return said.every((text, index) => text === texts[index]) ? undefined : 'the texts differ';
  }
  if (verdict.reason === 'xml_syntax') {
    if (wellFormed) return 'refused as malformed, and it is not';
    if (violation !== undefined && violation.readTo <= verdict.offset && violation.readTo < (faultAt ?? 0))
      return `refused as malformed, and it reports ${violation.reason} before`;
    return undefined;
  }
  if (wellFormed && violation?.reason !== verdict.reason)
    return `refused as ${verdict.reason}, and it reports ${violation?.reason ?? 'nothing'}`;
  if (faultAt !== undefined && faultAt <= verdict.offset)
    return `refused as ${verdict.reason}, and it is malformed before`;
  return undefined;
}

/** Why a parser and the recogniser may differ, and a document over which they do. */
export interface Explanation {
  readonly why: string;
  readonly oracles: readonly string[];
  readonly applies: (document: string) => boolean;
  readonly example: string;
}

const RIGHT =
  '<conversation_summary><goal>g</goal><constraints/><decisions/><state>s</state><open_items/></conversation_summary>';

/** Every disagreement there is. Where one applies, that parser is not asked about that document. */
export const EXPLANATIONS: readonly Explanation[] = [
  {
    why: 'A CDATA section is refused before anything is read, by its bytes, wherever they stand.',
    oracles: ['saxes', 'libxml2'],
    applies: (document) => document.includes('<![CDATA['),
    example: '<summary><![CDATA[x]]></summary>',
  },
  {
    why: 'White space and a BOM before the root are not reported by parsers; the table refuses them.',
    oracles: ['saxes', 'libxml2'],
    applies: (document) => /^[\ufeff \t\r\n]/u.test(document),
    example: `\n${RIGHT}`,
  },
  {
    why: 'White space after the root is not reported by libxml2; the table refuses it.',
    oracles: ['libxml2'],
    applies: (document) => /<\/conversation_summary\s*>[ \t\r\n]/u.test(document),
    example: `${RIGHT}\n`,
  },
  {
    why: 'Parsers take an XML declaration of another version or encoding; the table holds it malformed. libxml2 reports none.',
    oracles: ['saxes', 'libxml2'],
    applies: (document) => document.startsWith('<?xml '),
    example: `<?xml version="1.1"?>${RIGHT}`,
  },
  {
    why: 'Without any document there is nothing malformed yet: the table calls it a missing root.',
    oracles: ['saxes'],
    applies: (document) => document === '',
    example: '',
  },
  {
    why: 'saxes ends a DOCTYPE at a > however deep it stands, and reads past what is malformed in one.',
    oracles: ['saxes'],
    applies: (document) => document.startsWith('<!DOCTYPE'),
    example: `<!DOCTYPE x<!DOCTYPE x>${RIGHT}`,
  },
  {
    why: 'saxes lets a processing instruction go on right after its name, without white space.',
    oracles: ['saxes'],
    applies: (document) => /<\?[^\s?]+\?(?!>)/u.test(document),
    example: `<?x?<?x?>${RIGHT}`,
  },
  {
    why: 'saxes joins the first half of a pair with whatever follows, markup too.',
    oracles: ['saxes'],
    applies: (document) => !document.isWellFormed(),
    example: '<conversation_summary>\ud800<goal/></conversation_summary>',
  },
];
