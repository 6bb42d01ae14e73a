import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

const kept = (tokens: readonly number[], share: number): number =>
  tokens.reduce((sum, own) => sum + Math.min(own, share), 0);

it('is the most that fits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(50), { maxLength: 8 }),
      fc.integer({ min: -10, max: 300 }),
      (tokens, room) => {
        const share = fairShare(tokens, room);
        if (share === Number.POSITIVE_INFINITY) {
          expect(tokens.length === 0 || kept(tokens, share) <= room).toBe(true);
          return;
        }
        if (share > 0) expect(kept(tokens, share)).toBeLessThanOrEqual(room);
        expect(kept(tokens, share + 1)).toBeGreaterThan(room);
      },
    ),
    { numRuns: 500 },
  );
});
