import { describe, expect, it } from 'vitest';
import { timeOrderedIds } from './time-ordered-id.ts';

describe('timeOrderedIds', () => {
  // 10,000 ids are twice the counter's room and twenty of the pool's: reusing the pool's bytes without filling it anew,
  // or not carrying the counter into the next millisecond, fails.
  it('gives ids of UUID version 7 that sort as they were made, also while the clock stands still or goes back', () => {
    let now = 1_800_000_000_000;
    const newId = timeOrderedIds(() => now);
    const ids = Array.from({ length: 10_000 }, (_, at) => {
      if (at === 5_000) now -= 60_000;
      return newId();
    });
    expect(
      ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toEqual([]);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
  });

  it('gives different ids to sources that share a clock', () => {
    const one = timeOrderedIds(() => 1);
    const other = timeOrderedIds(() => 1);
    expect(one()).not.toBe(other());
  });
});
