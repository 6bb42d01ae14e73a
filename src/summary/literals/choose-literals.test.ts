import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Literal } from '../../coverage/record.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import { fourths } from '../source.fixture.ts';
import { chooseLiterals } from './choose-literals.ts';
import type { FoundLiteral, LiteralKind } from './literal-kind.ts';
import { literalLines, withLiterals } from './literal-lines.ts';

function literal(text: string, from: Literal['from'] = 'user', kind: LiteralKind = 'id'): FoundLiteral {
  return { text, from, kind };
}

function chosen(found: readonly FoundLiteral[], prose: string, budget: number): string[] {
  return chooseLiterals(found, prose, budget, fourths).map(({ text }) => text);
}

describe('chooseLiterals', () => {
  it('carries the most important that the prose does not keep', () => {
    const found = [literal('ORD-1001'), literal('ORD-1002'), literal('ORD-1003')];
    expect(chooseLiterals(found, 'ORD-1001 is done', 1_000, fourths)).toEqual([
      { text: 'ORD-1002', from: 'user' },
      { text: 'ORD-1003', from: 'user' },
    ]);
    expect(chosen(found, '', 28)).toEqual(['ORD-1001', 'ORD-1002']);
    expect(chosen(found, '', 0)).toEqual([]);
  });

  // Fails when a rule that the prose repeats is left out: the next summary may drop it, and its author is gone then.
  it('carries a user’s rules even where the prose has them, in half the budget at most', () => {
    const rules = Array.from({ length: 9 }, (_, at) =>
      literal(`Never touch the folder number ${at}.`, 'user', 'instruction'),
    );
    const all = chosen([...rules, literal('ORD-1001')], 'Never touch the folder number 0.', 80);
    expect(all).toContain(rules[0]?.text);
    expect(all).toContain('ORD-1001');
    expect(all.filter((text) => text.startsWith('Never')).length).toBeLessThanOrEqual(3);
  });

  it('passes over what is too long for the room that is left, and says nothing twice', () => {
    const long = literal(`/srv/${'a'.repeat(120)}.ts`, 'user', 'path');
    expect(chosen([long, literal('ORD-1001')], '', 30)).toEqual(['ORD-1001']);
    const both = [literal('main.ts', 'user', 'path'), literal('/srv/app/main.ts', 'tool', 'path')];
    expect(chosen(both, '', 100)).toEqual(['/srv/app/main.ts']);
  });

  // Fails when headings are not counted, or a line's newline.
  it('never takes more tokens than its budget as a prompt lists them', () => {
    const value = fc.record({
      text: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
        .map((text) => text.replace(/\s/gu, '_')),
      from: fc.constantFrom<Literal['from']>('user', 'assistant', 'tool'),
      kind: fc.constantFrom<LiteralKind>('instruction', 'path', 'number', 'name', 'code'),
    });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.nat(300), (found, budget) => {
        const literals = chooseLiterals(found, '', budget, estimatingCounter);
        const listed = withLiterals({ text: '', literals });
        expect(estimatingCounter.count(listed)).toBeLessThanOrEqual(budget);
      }),
    );
  });
});

describe('literalLines', () => {
  it('lists values under who said them, none of which passes for a heading', () => {
    const list: Literal[] = [
      { text: 'said by the user:', from: 'tool' },
      { text: 'ORD-1', from: 'user' },
    ];
    expect(literalLines(list)).toEqual([
      'said by the user:',
      '- ORD-1',
      'said by tools:',
      '- said by the user:',
    ]);
    expect(withLiterals({ text: 'prose', literals: [] })).toBe('prose');
    expect(withLiterals({ text: 'prose', literals: [{ text: 'ORD-1', from: 'user' }] })).toBe(
      'prose\n\n[exact values said in these events]\nsaid by the user:\n- ORD-1',
    );
  });
});
