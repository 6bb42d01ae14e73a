import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

const kept = (tokens: readonly number[], share: number): number =>
  tokens.reduce((sum, own) => sum + Math.min(own, share), 0);

it('is the most that fits', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 8 }), fc.nat(300), (tokens, room) => {
      const share = fairShare(tokens, room);
      expect(kept(tokens, share)).toBeLessThanOrEqual(room);
      expect(share === Number.POSITIVE_INFINITY || kept(tokens, share + 1) > room).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('is nothing where there is no room, and all where there is nobody', () => {
  expect(fairShare([3, 4], -10)).toBe(0);
  expect(fairShare([], -10)).toBe(Number.POSITIVE_INFINITY);
});
