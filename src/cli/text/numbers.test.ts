import { expect, it } from 'vitest';
import { counted, percent, whole } from './numbers.ts';

it('writes numbers for people, whatever the locale of the machine', () => {
  expect(whole(1_234_567)).toBe('1,234,567');
  expect(counted(1, 'event')).toBe('1 event');
  expect(counted(0, 'event')).toBe('0 events');
  expect(counted(2, 'summary', 'summaries')).toBe('2 summaries');
});

it('does not round a little to nothing, or almost all to all', () => {
  expect(percent(0, 0)).toBe('0 %');
  expect(percent(0, 10)).toBe('0 %');
  expect(percent(1, 10_000)).toBe('under 0.1 %');
  expect(percent(61, 1_000)).toBe('6.1 %');
  expect(percent(9_999, 10_000)).toBe('over 99.9 %');
  expect(percent(10, 10)).toBe('100 %');
  expect(percent(11, 10)).toBe('110 %');
});
