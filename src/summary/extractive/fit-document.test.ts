import { describe, expect, it } from 'vitest';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { checkSections } from '../grammar/check-sections.ts';
import type { Bucket } from './bucket.ts';
import { fitDocument } from './fit-document.ts';
import { shareOut } from './share-out.ts';
import { itemsOf, summaryDocument } from './xml-document.ts';

function readDocument(document: string): Record<string, string[]> {
  const verdict = checkSections(document);
  if (!verdict.ok) throw new Error(verdict.reason);
  return Object.fromEntries(verdict.sections.map(({ name, text }) => [name, itemsOf(text)]));
}

const units: TokenCounter = { name: 'units', quality: 'exact', count: (text) => text.length };

describe('sharing out', () => {
  it('gives by weight, and what one does not need to the others', () => {
    expect(shareOut([100, 100], [1, 3], 80)).toEqual([20, 60]);
    expect(shareOut([100, 10], [1, 3], 80)).toEqual([70, 10]);
    expect(shareOut([5, 5, 5], [1, 1, 1], 80)).toEqual([5, 5, 5]);
    expect(shareOut([0, 50], [9, 1], 40)).toEqual([0, 40]);
    expect(shareOut([], [], 10)).toEqual([]);
  });
});

describe('fitting', () => {
  const bucket = (section: Bucket['section'], texts: readonly string[], weight: number): Bucket => ({
    section,
    label: '',
    items: texts.map((text, order) => ({ text, order })),
    weight,
    shorten: 'end',
  });
  const fallback = { goal: 'none', state: 'none' };

  it('wastes nothing on a section that is empty', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `decision number ${n} of many`);
    const document = fitDocument(
      [bucket('goal', ['goal'], 10), bucket('decisions', lines, 1)],
      fallback,
      600,
      units,
    );
    expect(units.count(document)).toBeGreaterThan(570);
    expect(units.count(document)).toBeLessThanOrEqual(600);
  });

  it('shows items in their own order, whatever they rank', () => {
    const items = [
      { text: 'third', order: 3 },
      { text: 'first', order: 1 },
    ];
    const document = fitDocument([{ ...bucket('state', [], 1), items }], fallback, 1_000, units);
    expect(readDocument(document).state).toEqual(['first', 'third']);
  });

  it('leaves out a pick that a quoting bucket shows', () => {
    const quoted: Bucket = { ...bucket('goal', ['Build it. Use tabs everywhere.'], 1), quotes: true };
    const picks: Bucket = {
      ...bucket('constraints', [], 1),
      items: [{ text: 'Use tabs everywhere.', order: 0, unlessSaid: true }],
    };
    expect(readDocument(fitDocument([quoted, picks], fallback, 1_000, units)).constraints).toEqual([]);
    expect(readDocument(fitDocument([picks], fallback, 1_000, units)).constraints).toEqual([
      'Use tabs everywhere.',
    ]);
  });
});

it('reads a document back as it was written', () => {
  const items = {
    goal: ['one\ntwo'],
    constraints: ['<b> & "c" ]]>', '- dashed'],
    decisions: [],
    state: ['a', 'b\n- c\n</b>'],
    open_items: ['x'],
  };
  expect(readDocument(summaryDocument(items))).toEqual(items);
});
