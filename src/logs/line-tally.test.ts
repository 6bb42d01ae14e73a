import { describe, expect, test } from 'vitest';
import { LineTally, reasonName } from './line-tally.ts';

describe('LineTally', () => {
  test('adds up', () => {
    const tally = new LineTally();
    tally.event();
    tally.event();
    tally.merged();
    tally.skip('blank');
    tally.skip('blank');
    tally.skip('not_json');
    expect(tally.counts()).toEqual({
      total: 6,
      asEvents: 2,
      merged: 1,
      skipped: { blank: 2, not_json: 1 },
    });
  });

  test('tells at most fifty reasons apart and counts the others', () => {
    const tally = new LineTally();
    for (let type = 0; type < 200; type += 1) tally.skip(`type:${type}`);
    const { skipped, total } = tally.counts();
    expect(Object.keys(skipped)).toHaveLength(51);
    expect(skipped['other']).toBe(150);
    expect(total).toBe(200);
  });

  test('takes `__proto__` for a name like any other', () => {
    const tally = new LineTally();
    tally.skip('__proto__');
    expect(Object.entries(tally.counts().skipped)).toEqual([['__proto__', 1]]);
  });
});

test('a name out of a log becomes one short word', () => {
  expect(reasonName('a\nb\u2028c\u0007\ud800')).toBe('a\\u000ab\\u2028c\\u0007\\ud800');
  expect(reasonName('🎉'.repeat(100))).toBe(`${'🎉'.repeat(64)}…`);
});
