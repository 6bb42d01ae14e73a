import type { GrammarReason } from './check-sections.ts';

const ROOT = 'conversation_summary';

/** A document that passes, with what a case changes of it. */
export function summaryDocument(
  sections: Partial<Record<'goal' | 'constraints' | 'decisions' | 'state' | 'open_items', string>> = {},
): string {
  const { goal = 'g', constraints = 'c', decisions = 'd', state = 's', open_items = 'o' } = sections;
  return `<${ROOT}><goal>${goal}</goal><constraints>${constraints}</constraints><decisions>${decisions}</decisions><state>${state}</state><open_items>${open_items}</open_items></${ROOT}>`;
}

/** The document as a model writes it: on lines, indented. */
export const SPACED: string = `<${ROOT}>
  <goal>Ship 1.2</goal>
  <constraints/>
  <decisions>Use SQLite &amp; WAL</decisions>
  <state>3 &lt; 4 tests pass</state>
  <open_items></open_items>
</${ROOT}>`;

const whole = summaryDocument();
/** The document with one place of it written otherwise. */
const instead = (find: string, write: string): string => whole.split(find).join(write);
const goal = (text: string): string => summaryDocument({ goal: text });
const between = (text: string): string => instead('</goal>', `</goal>${text}`);

/** A row of the table: the cell's words, and documents for it. `|` marks where the fault is, and is taken out. */
export type Row = readonly [words: string, ...documents: readonly string[]];

/** What the table accepts. */
export const ACCEPTED: readonly Row[] = [
  ['a document on lines', SPACED],
  ['the five named entities', goal('&amp;&lt;&gt;&quot;&apos;')],
  ['&#65;', goal('&#65;')],
  ['&#x41;', goal('&#x41;')],
  ['&#x1F600;', goal('&#x1F600;'), goal('&#x1f600;')],
  ['&#9;', goal('a&#9;b')],
  ['leading zeros', goal('&#00000000000000000065;'), goal('&#x00000000000000000041;')],
  ['bare > and quotes in text', goal(`a > b "c" 'd' ]> ]] >`)],
  ['<goal >', instead('<goal>', '<goal >'), instead('<goal>', '<goal\r\n\t>')],
  [
    '</goal >',
    instead('</goal>', '</goal >'),
    instead('</conversation_summary>', '</conversation_summary\n>'),
  ],
  [
    '<constraints />',
    instead('<constraints>c</constraints>', '<constraints />'),
    instead('<constraints>c</constraints>', '<constraints/>'),
  ],
  ['&lt;![CDATA[x]]&gt;', goal('&lt;![CDATA[x]]&gt;')],
  [']]&gt;', goal(']]&gt;'), goal(']&#93;>')],
  ['U+007F', goal('\u007f')],
  ['CRLF in a section', goal('a\r\nb\rc')],
  ['NBSP between children', between('\u00a0')],
  ['&#32; between children', between('&#32;'), between('&#x20;&#160;&#xA;')],
  ['any blank between children', between(' \t\r\n\u0085\u1680\u2028\u2029\u202f\u205f\u3000\u2003')],
  ['a goal of U+200B only', goal('\u200b'), goal('&#x200B;')],
  ['a goal of U+FEFF only', goal('\ufeff')],
  [
    'blank or text optional sections',
    summaryDocument({ constraints: '', decisions: ' \n', open_items: '&#160;' }),
    whole,
  ],
  ['astral text and private use', goal('😀\u{10ffff}\ue000\u{1fffe}')],
];

/** What it refuses, by reason. */
export const REFUSED: Readonly<Record<GrammarReason, readonly Row[]>> = {
  xml_root: [
    ['an empty document', '|'],
    ['another name', '|<summary>x</summary>', '|<a/>', '|<conversation_summar>', '|<conversation_summaryy/>'],
    ['the name in another case', `|${instead(ROOT, 'Conversation_Summary')}`],
    ['another name with attributes', '|<summary a="1"><goal>g</goal></summary>', "|<a xmlns='u'/>"],
    ['another name with a prefix', '|<x:summary/>', '|<x:y xmlns:x="u"/>', `|<:${ROOT}/>`, `|<a:b:${ROOT}/>`],
    ['another root before a syntax fault', '|<summary>&nbsp;'],
  ],
  xml_structure: [
    ['white space before the root', `|\n${whole}`, `| ${whole}`, '| ', `|\u00a0${whole}`, `|&#32;${whole}`],
    ['white space after the root', `${whole}|\n`, `${whole}|\u3000`],
    ['a BOM', `|\ufeff${whole}`, `${whole}|\ufeff`],
    ['prose before the root', `|Here it is:\n${whole}`, '|no document & no syntax either'],
    ['prose after the root', `${whole}|done`, `${whole}|&amp;`],
    ['a code fence', `|\`\`\`xml\n${whole}\n\`\`\``, `${whole}|\`\`\``],
    ['a second root', `${whole}|${whole}`, `${whole}|<${ROOT}/>`],
    ['a trailing element', `${whole}|<goal>g</goal>`, `${whole}|<x:y/>`],
    ['a comment', `|<!-- -->${whole}`, between('|<!---->'), goal('a|<!-- x -->'), `${whole}|<!--x-->`],
    ['a DOCTYPE', `|<!DOCTYPE ${ROOT}>${whole}`, `|<!DOCTYPE a [<!ENTITY b "c>">]>${whole}`],
    ['<!X>', `|<!X>${whole}`, between('|<!X>'), goal('|<!X y="z">'), `${whole}|<!X>`],
    [
      'an XML declaration of UTF-8 and 1.0',
      `|<?xml version="1.0"?>${whole}`,
      `|<?xml version='1.0' encoding='utf-8' standalone = "yes" ?>${whole}`,
      between('|<?xml version="1.0" encoding="UTF-8"?>'),
    ],
    ['a processing instruction', `|<?x?>${whole}`, goal('|<?x y="z" ?>'), `${whole}|<?xml-stylesheet a?b ?>`],
    ['CDATA', goal('|<![CDATA[x]]>'), goal('&nbsp; then |<![CDATA['), '|<![CDATA[', `</x>|<![CDATA[]]>`],
    [
      'an attribute of the root',
      `<${ROOT} |a="1">${whole.slice(22)}`,
      `<${ROOT} |a = '&lt;' b="2">`,
      `<${ROOT} |a=""/>`,
    ],
    ['an attribute of a child', instead('<state>', '<state |id="1">'), instead('<goal>', '<goal |a="1"><b')],
    ['xmlns', instead('<goal>', '<goal |xmlns="u">'), `<${ROOT} |xmlns:x="u">`],
    ['a prefix', instead('<goal>', '|<x:goal>'), `|<x:${ROOT}>`, `|<x:${ROOT} a="1"/>`],
    [
      'a missing child',
      instead('<state>s</state>', '').split('<open_items>').join('|<open_items>'),
      `<${ROOT}><goal>g</goal>|</${ROOT}>`,
      `<${ROOT}>|</${ROOT}>`,
      instead('<open_items>o</open_items>', '|'),
    ],
    ['a missing child beside an empty goal', `<${ROOT}><goal/>|</${ROOT}>`],
    ['a duplicate child', between('|<goal>g</goal>'), instead('<state>s', '<state>s</state>|<state>s')],
    ['an unknown child', between('|<next/>'), between(`|<${ROOT}>`)],
    ['a child in another case', instead('<state>s</state>', '|<State>s</State>')],
    ['children out of order', `<${ROOT}>|<state>s</state><goal>g</goal>`],
    ['a self-closed root', `|<${ROOT}/>`, `|<${ROOT} />`],
    ['a child after open_items', instead('</open_items>', '</open_items>|<more/>')],
    ['a nested element', goal('a |<b>c</b>'), goal('|<br/>'), goal('|<goal>x</goal>'), goal('|<state/>')],
    [
      'text between children',
      between('|x'),
      between(' |.'),
      between('|&#65;'),
      between('|\u200b'),
      between('|\ufeff'),
    ],
    ['before a later syntax fault', between('|x &nbsp;'), goal('|<br/> & <'), between('|<!---->&')],
  ],
  xml_syntax: [
    [
      'truncation after the root opened',
      `<${ROOT}>|`,
      `${whole.slice(0, -1)}|`,
      `${whole.slice(0, 60)}|`,
      goal('|&am').slice(0, 35),
      goal('<!-- ').slice(0, 33).concat('|'),
    ],
    ['truncation within the first tag', '|<', `<${ROOT}|`, `<${ROOT} a="|`, '<!-- |', '<?x |', '<!X |'],
    ['mismatched tags', instead('</goal>', '|</state>'), `<${ROOT}><goal>g|</${ROOT}>`],
    [
      'unclosed tags',
      instead('</state>', '').split('</open_items>').join('|</open_items>').split('<open_items>o').join(''),
      `<${ROOT}><goal>g|`,
    ],
    ['stray tags', `|</goal>${whole}`, between('|</goal>'), `${whole}|</${ROOT}>`, '|</a>'],
    ['< goal>', instead('<goal>', '|< goal>'), `|< ${ROOT}>`],
    [
      '</goal a="1">',
      instead('</goal>', '</goal |a="1">'),
      instead('</goal>', '</|>'),
      instead('</goal>', '</| goal>'),
    ],
    ['an unquoted attribute', instead('<goal>', '<goal a=|1>')],
    ['a valueless attribute', instead('<goal>', '<goal a|>'), instead('<goal>', '<goal a |b="1">')],
    ['attributes that touch', instead('<goal>', '<goal a="1"|b="2">'), instead('<goal>', '<goal|"a">')],
    ['< in an attribute', instead('<goal>', '<goal a="|<">'), instead('<goal>', '<goal a="|&b;">')],
    ['a bare &', goal('a |& b'), goal('|&'), goal('|&&amp;'), between('|&'), `${whole}|&`],
    ['a bare <', goal('1 |< 2'), goal('|<'), goal('|<1'), goal('|<>'), between('|<-')],
    [
      '&nbsp; or any unknown entity',
      goal('|&nbsp;'),
      goal('|&AMP;'),
      goal('|&ampx;'),
      goal('|&am;'),
      goal('|&;'),
    ],
    ['&amp without ;', goal('|&amp'), goal('|&amp x;'), goal('|&#65'), goal('|&#x41 ;')],
    ['&#;', goal('|&#;')],
    ['&#x;', goal('|&#x;')],
    ['&#X41;', goal('|&#X41;')],
    ['&#65a;', goal('|&#65a;'), goal('|&#x4g;'), goal('|&#-1;'), goal('|&#+65;'), goal('|&# 65;')],
    ['references out of range', goal('|&#x110000;'), goal('|&#1114112;'), goal(`|&#${'9'.repeat(400)};`)],
    ['references to no character', goal('|&#0;'), goal('|&#1;'), goal('|&#xFFFE;'), goal('|&#xD800;')],
    ['a bare ]]>', goal('|]]>'), goal(']|]]>'), between('|]]>'), `|]]>${whole}`],
    ['NUL raw', goal('|\u0000'), `${whole}|\u0000`],
    ['U+0001 raw', goal('a|\u0001'), goal('|\u000b'), between('|\u001b')],
    ['U+FFFE raw', goal('|\ufffe'), goal('|\uffff')],
    ['<![cdata[', goal('|<![cdata[x]]>'), goal('|<![CDATA x'), between('|<![')],
    [
      'a declaration of another encoding or version',
      `|<?xml version="1.1"?>${whole}`,
      `|<?xml version="1.0" encoding="ISO-8859-1"?>${whole}`,
      `|<?xml encoding="UTF-8"?>${whole}`,
      `|<?xml version="1.0" standalone="maybe"?>`,
      `|<?xml?>${whole}`,
      `|<?XML version="1.0"?>`,
    ],
    ['lone surrogates', goal('|\ud800'), goal('|\udc00'), goal('😀|\udc00\ud83d'), goal('|\ud83d')],
    ['what is no comment', goal('<!-- a |-- b -->'), goal('<!-- a |--->'), goal('|<!- a -->'), goal('|<!>')],
    ['what is no instruction', goal('<?|?>'), goal('<?x|"?>'), goal('<?| x?>')],
    ['a fault within a tag that may not be there', goal('<br |&>'), between('<x a=|1>')],
  ],
  xml_content: [
    ['goal empty', goal('|')],
    ['state empty', summaryDocument({ state: '|' })],
    ['goal blank', goal('| \n\t\r')],
    ['goal self-closed', instead('<goal>g</goal>', '<goal/>|'), instead('<state>s</state>', '<state />|')],
    ['goal only NBSP', goal('|\u00a0')],
    ['goal only U+0085', goal('|\u0085')],
    ['goal only U+3000', goal('|\u3000')],
    ['goal only U+2028', goal('|\u2028')],
    ['goal only &#32;', goal('|&#32;')],
    ['goal only &#160;', goal('|&#160;'), goal('|&#xA0;&#x85;&#8232;')],
    ['goal before state', summaryDocument({ goal: '|', state: ' ' })],
  ],
};

/** The document of a case and where its fault is. */
export function unmarked(marked: string): { readonly document: string; readonly offset: number } {
  const offset = marked.indexOf('|');
  if (offset < 0) throw new Error('the case says no place');
  return { document: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}
