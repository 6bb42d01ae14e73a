import { describe, expect, it } from 'vitest';
import { ROOT_LANE } from '../../src/event/lane.ts';
import type { Attempt } from '../../src/plan/attempt.ts';
import { mergeProgressIn, progressIn } from '../../src/plan/progress.ts';

function attempt(trigger: Attempt['trigger'], more: Partial<Attempt>): Attempt {
  const window = { spans: [], events: 0, tokens: 500, invocations: 2 };
  const told = { lane: ROOT_LANE, rootView: false, state: 'failed', invocationCount: 4, startedAt: '' };
  return { ...told, trigger, window, ...more } as Attempt;
}

describe('the ledger', () => {
  // Fails when a summary that nobody can merge keeps windows from being covered, or the other way round.
  it('tells of windows and of merges apart', () => {
    const windowFailed = attempt('sliding_window', {});
    const mergeFailed = attempt('roll_up', { invocationCount: 7 });
    const mergeRefused = attempt('roll_up', { state: 'declined', reason: 'not_smaller' });
    const committed = attempt('token_threshold', { state: 'committed' });
    const ledger = [mergeRefused, windowFailed, committed, windowFailed, mergeFailed];
    expect(progressIn(ledger)(ROOT_LANE, false)).toMatchObject({ waitForInvocation: 5, leastTokens: 0 });
    // The window committed in between is no merge.
    expect(mergeProgressIn(ledger)(ROOT_LANE, false)).toMatchObject({
      waitForInvocation: 8,
      leastTokens: 1_000,
    });
    expect(mergeProgressIn(ledger)(ROOT_LANE, true)).toMatchObject({ waitForInvocation: 0, leastTokens: 0 });
    const left = { branch: 'left', isolation: '' };
    expect(mergeProgressIn(ledger)(left, false)).toMatchObject({ waitForInvocation: 0, leastTokens: 0 });
  });
});
