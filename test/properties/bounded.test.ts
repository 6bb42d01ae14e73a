// G8 and G9 under the default policy: whatever is said, and however large, each request fits its limit or an error names
// what stands in the way, and only then; calls of the summarizer are few, and so are the rewrites of any fact.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MANY_LANES, ONE_LANE, play, settings, steps } from '../world/bounded-play.ts';
import { BoundedSession } from '../world/bounded-session.ts';
import { runsOf } from './runs.ts';

/** Long enough for a soak of hours. */
const timeout = 86_400_000;

describe('a bounded session', () => {
  it('sends no request over its limit, or says what stands in the way', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(settings, steps, async (made, played) => {
        expect(await play(made, played, ONE_LANE)).toBeInstanceOf(BoundedSession);
      }),
      { numRuns: runsOf(20) },
    );
  });

  it('sends none from any of many lanes', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(settings, steps, async (made, played) => {
        expect(await play(made, played, MANY_LANES)).toBeInstanceOf(BoundedSession);
      }),
      { numRuns: runsOf(20) },
    );
  });
});
