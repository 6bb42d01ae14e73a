import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSections, findSections } from './check-sections.ts';
import { anyDocument } from './documents.fixture.ts';
import { summaryDocument } from './table.fixture.ts';
import type { Characters } from './tokens.ts';

const MEGABYTE = 2 ** 20;

/** A text that counts how often one of its characters is looked at. */
class Counted implements Characters {
  looks = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get length(): number {
    return this.#text.length;
  }

  charCodeAt(index: number): number {
    this.looks += 1;
    return this.#text.charCodeAt(index);
  }

  slice(start: number, end: number): string {
    this.looks += end - start;
    return this.#text.slice(start, end);
  }
}

/** The most looks at one character, over all documents. */
const LOOKS = 6;

function looksAt(document: string): number {
  const text = new Counted(document);
  findSections(text);
  return text.looks;
}

const many = (fragment: string): string => fragment.repeat(Math.ceil(MEGABYTE / fragment.length));
const goal = (text: string): string => summaryDocument({ goal: text });

const HUGE: readonly (readonly [string, string])[] = [
  ['prose', goal(many('word '))],
  ['one unbroken word', goal(many('a'))],
  ['astral text', goal(many('😀'))],
  ['references', goal(many('&amp;'))],
  ['numeric references', goal(many('&#x1F600;'))],
  ['a reference of a million digits', goal(`&#${many('0')}65;`)],
  ['a reference that never ends', goal(`&#x${many('a')}`)],
  ['an entity whose name never ends', goal(`&${many('a')}`)],
  ['bare ampersands', goal(many('&'))],
  ['opening brackets', many('<')],
  ['closing brackets', goal(many(']'))],
  ['right angles', goal(many('>'))],
  ['deep nesting', many('<goal>')],
  ['deep nesting of the root', many('<conversation_summary>')],
  ['a name that never ends', `<${many('a')}`],
  ['a prefix that never ends', `<${many('a:')}conversation_summary>`],
  ['colons', `<${many(':')}>`],
  ['a closing name that never ends', summaryDocument().replace('</goal>', () => `</${many('b')}>`)],
  ['blanks in a tag', `<conversation_summary${many(' ')}`],
  ['blanks in a closing tag', summaryDocument().replace('</goal>', () => `</goal${many('\n')}>`)],
  ['blanks between children', summaryDocument().replace('<state>', () => `${many('\u3000 ')}<state>`)],
  ['attributes', `<conversation_summary${many(' a="1"')}>`],
  ['an attribute that never ends', `<conversation_summary a="${many('b')}`],
  ['blanks round an equals sign', `<conversation_summary a${many(' ')}=${many(' ')}"1">`],
  ['a comment that never ends', `<!--${many('- ')}`],
  ['dashes', `<!-- ${many('-')}`],
  ['an instruction that never ends', `<?x ${many('?')}`],
  ['a declaration that never ends', `<!X ${many('<')}`],
  ['quotes in a declaration', `<!X ${many('"\'')}>`],
  ['an XML declaration that never ends', `<?xml ${many(' version="1.0"')}`],
  ['an XML declaration of blanks', `<?xml version${many(' ')}="1.0"${many(' ')}?>`],
  ['entities that expand to more', `<!DOCTYPE x [${many('<!ENTITY a "&b;&b;">')}]>`],
];

describe('the cost of a document is its length', () => {
  // Fails when anything looks ahead for an end, or behind for a beginning.
  it.each(HUGE)('for a megabyte of %s', (_name, document) => {
    expect(document.length).toBeGreaterThanOrEqual(MEGABYTE);
    expect(looksAt(document)).toBeLessThanOrEqual(document.length * LOOKS);
    expect(checkSections(document)).toHaveProperty('ok');
  });

  it('for any document, and none throws', () => {
    fc.assert(
      fc.property(fc.oneof(anyDocument, fc.string({ unit: 'binary', maxLength: 200 })), (document) => {
        expect(looksAt(document)).toBeLessThanOrEqual(document.length * LOOKS + LOOKS);
        const verdict = checkSections(document);
        expect(verdict.ok ? 0 : verdict.offset).toBeLessThanOrEqual(document.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
