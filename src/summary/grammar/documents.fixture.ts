import * as fc from 'fast-check';
import { SECTION_NAMES } from './check-sections.ts';

const ROOT = 'conversation_summary';

/** What documents are made of and go wrong by. */
const FRAGMENTS: readonly string[] = [
  `<${ROOT}>`,
  `</${ROOT}>`,
  `<${ROOT}/>`,
  `<${ROOT} a="1">`,
  ...SECTION_NAMES.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name}/>`, `<${name}>x</${name}>`]),
  '<goal >',
  '</goal >',
  '< goal>',
  '<goal a="1">',
  "<goal a='&lt;' b='>'>",
  '<goal a=1>',
  '<goal a>',
  '<goal a="1"b="2">',
  '<goal xmlns="u">',
  '<x:goal>',
  '<Goal>',
  '</goal a="1">',
  '<b>',
  '</b>',
  '<br/>',
  '<br />',
  '<é·1>',
  '<1>',
  '<-',
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '-->',
  '<!---->',
  '<!-- -- -->',
  '--',
  '<!DOCTYPE x>',
  '<!DOCTYPE x [<!ENTITY y "z">]>',
  '<!X>',
  '<!',
  '<?',
  '?>',
  '<?x y?>',
  '<?x?>',
  '<?xml version="1.0"?>',
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<?xml version="1.1"?>',
  '<?xml version="1.0" encoding="latin1"?>',
  '<![CDATA[',
  '<![CDATA[x]]>',
  '<![cdata[x]]>',
  '<![',
  ']',
  ']]',
  ']]>',
  ']]&gt;',
  '&',
  ';',
  '&amp;',
  '&lt;',
  '&gt;',
  '&quot;',
  '&apos;',
  '&amp',
  '&nbsp;',
  '&AMP;',
  '&#65;',
  '&#x41;',
  '&#X41;',
  '&#x1F600;',
  '&#0;',
  '&#1;',
  '&#9;',
  '&#13;',
  '&#32;',
  '&#160;',
  '&#xFFFE;',
  '&#xD800;',
  '&#x110000;',
  '&#99999999999999999999;',
  '&#00000000000065;',
  '&#;',
  '&#x;',
  '"',
  "'",
  '=',
  ' a="1"',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\u0000',
  '\u0001',
  '\u000b',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u3000',
  '\u200b',
  '\ufeff',
  '\ufffe',
  '\ufffd',
  '\ud800',
  '\udc00',
  '😀',
  '\u{10ffff}',
  'x',
  'text',
  '日本',
  '```',
];

const fragment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FRAGMENTS) },
  fc.string({ unit: 'binary', maxLength: 4 }),
);

const blank = fc.constantFrom('', '', ' ', '\n  ', '\r\n', '\u00a0', '&#32;', '\u3000');
const content = fc
  .array(
    fc.constantFrom(
      'x',
      'text ',
      '&amp;',
      '&#65;',
      '\r\n',
      '>',
      '\u0085',
      '&#160;',
      '😀',
      '"',
      '\u200b',
      ' ',
    ),
    {
      maxLength: 4,
    },
  )
  .map((pieces) => pieces.join(''));

const section = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: content.map((text) => `<${name}>${text}</${name}>`) },
    content.map((text) => `<${name} >${text}</${name}\n>`),
    fc.constantFrom(`<${name}/>`, `<${name} />`),
  );

/** A document that is right but perhaps for a blank goal or state. */
const rightDocument = fc
  .tuple(...SECTION_NAMES.map((name) => fc.tuple(blank, section(name))), blank)
  .map((pieces) => `<${ROOT}>${pieces.flat().join('')}</${ROOT}>`);

interface Edit {
  readonly kind: 'insert' | 'delete' | 'repeat' | 'move';
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'delete', 'repeat', 'move'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  text: fragment,
});

/** One change at a place, on boundaries of markup half of the time: there faults are near right. */
function edited(document: string, { kind, at, length, text }: Edit): string {
  const edges = [...document.matchAll(/[<>]/gu)].map(
    ({ index }) => index + (document[index] === '>' ? 1 : 0),
  );
  const somewhere = Math.floor(at * (document.length + 1));
  const place = length % 2 === 0 ? somewhere : (edges[Math.floor(at * edges.length)] ?? somewhere);
  const [head, cut, tail] = [
    document.slice(0, place),
    document.slice(place, place + length),
    document.slice(place + length),
  ];
  switch (kind) {
    case 'insert':
      return head + text + cut + tail;
    case 'delete':
      return head + tail;
    case 'repeat':
      return head + cut + cut + tail;
    case 'move':
      return head + tail + cut;
    default:
      return kind satisfies never;
  }
}

/** Right documents, almost right ones, and soup. */
export const anyDocument: fc.Arbitrary<string> = fc.oneof(
  rightDocument,
  {
    weight: 6,
    arbitrary: fc
      .tuple(rightDocument, fc.array(edit, { minLength: 1, maxLength: 3 }))
      .map(([document, edits]) => edits.reduce(edited, document)),
  },
  { weight: 2, arbitrary: fc.array(fragment, { maxLength: 12 }).map((pieces) => pieces.join('')) },
);
