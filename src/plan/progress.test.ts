import { describe, expect, it } from 'vitest';
import type { AttemptId } from '../event/ids.ts';
import { ROOT_LANE } from '../event/lane.ts';
import type { Attempt, AttemptState } from './attempt.ts';
import {
  backOffYields,
  FRESH,
  mergeProgressIn,
  NOT_SMALLER,
  OVER_ALLOWANCE,
  progressIn,
  progressOf,
} from './progress.ts';

function attempt(state: AttemptState, invocationCount: number, more: Partial<Attempt> = {}): Attempt {
  return {
    id: 'x' as AttemptId,
    lane: ROOT_LANE,
    rootView: false,
    trigger: 'token_threshold',
    window: { spans: [], events: 2, tokens: 100, invocations: 1 },
    state,
    startedAt: '',
    invocationCount,
    ...more,
  };
}

const refused = (tokens: number, invocationCount: number): Attempt =>
  attempt('declined', invocationCount, {
    reason: NOT_SMALLER,
    window: { spans: [], events: 2, tokens, invocations: 1 },
  });

describe('progressOf', () => {
  it('waits 1, 2, 4, 8 invocations after failures in a row', () => {
    const failed = [1, 2, 4, 8].map((count) => attempt('failed', count));
    const waits = failed.map((_, at) => progressOf(failed.slice(0, at + 1), false).waitForInvocation);
    expect(waits).toEqual([2, 4, 8, 16]);
    expect(progressOf([...failed, attempt('committed', 9)], false)).toEqual(FRESH);
    expect(progressOf([...failed, attempt('discarded', 9)], false).waitForInvocation).toBe(16);
  });

  it('asks for twice the newest window refused as not smaller, until one commits', () => {
    expect(progressOf([refused(900, 1), refused(400, 2)], false).leastTokens).toBe(800);
    expect(progressOf([refused(900, 1), attempt('committed', 2)], false).leastTokens).toBe(0);
    expect(progressOf([refused(400, 1)], false).waitForInvocation).toBe(0);
  });

  // Fails when a lane backs off from what was never tried: it would stay raw when the period turns.
  it('passes over what was declined for want of allowance', () => {
    const spent = attempt('declined', 5, { reason: OVER_ALLOWANCE });
    expect(progressOf([spent, spent], false)).toEqual(FRESH);
    expect(progressOf([attempt('failed', 3), spent], false)).toMatchObject({
      waitForInvocation: 4,
      triedAt: 3,
    });
    const merge = { ...spent, trigger: 'roll_up' } as const;
    expect(mergeProgressIn([merge])(ROOT_LANE, false)).toEqual(FRESH);
  });

  it('tells root views and merges from windows', () => {
    const attempts = [
      attempt('failed', 3, { trigger: 'roll_up' }),
      attempt('committed', 4),
      attempt('failed', 5, { rootView: true }),
    ];
    expect(progressOf(attempts, false)).toEqual(FRESH);
    // Fails when windows that succeed make a merge that never does start over.
    expect(mergeProgressIn(attempts)(ROOT_LANE, false).waitForInvocation).toBe(4);
    expect(progressOf(attempts, true).waitForInvocation).toBe(6);
  });

  it('backs off lane by lane', () => {
    const other = { branch: 'b', isolation: '' };
    const progress = progressIn([attempt('failed', 3, { lane: other }), attempt('committed', 4)]);
    expect(progress(other, false).waitForInvocation).toBe(4);
    expect(progress(ROOT_LANE, false)).toEqual(FRESH);
  });
});

describe('backOffYields', () => {
  it('once a turn: until something comes to nothing in it', () => {
    const before = progressOf([attempt('failed', 3)], false);
    expect([backOffYields(before, 3), backOffYields(before, 4)]).toEqual([false, true]);
    const within = progressOf([attempt('failed', 3), attempt('failed', 4)], false);
    expect([backOffYields(within, 4), backOffYields(within, 5)]).toEqual([false, true]);
    expect(backOffYields(progressOf([refused(400, 4)], false), 4)).toBe(false);
    expect(backOffYields(FRESH, 1)).toBe(true);
  });
});
