import { ENTITIES } from '../grammar/entities.ts';

/** A text as literals are looked for in it. */
export interface Comparable {
  /** Widths, dashes, quotation marks, blanks and digit groups made alike. */
  readonly exact: string;
  /** And in one case. */
  readonly folded: string;
}

/** Makes a summary's text comparable: summaries may be XML, so its entities are what they stand for. */
export function comparable(text: string): Comparable {
  const exact = alike(text.includes('&') ? withoutReferences(text) : text);
  return { exact, folded: exact.toLowerCase() };
}

/** A literal's own text in the same form; it is no XML. */
export function comparableLiteral(text: string): Comparable {
  const exact = alike(text).trim();
  return { exact, folded: exact.toLowerCase() };
}

function alike(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\s+/g, ' ');
}

const REFERENCE = /&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;

/** A text with XML's references resolved; one that has no meaning in XML stays as it is. */
export function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (all, name?: string, decimal?: string, hex?: string) => {
    const code =
      name === undefined
        ? Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10)
        : ENTITIES.get(name);
    return code === undefined || code > 0x10ffff ? all : String.fromCodePoint(code);
  });
}
