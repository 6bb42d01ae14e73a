import { describe, expect, it } from 'vitest';
import { progressIn } from '../../src/plan/progress.ts';
import type { TailPolicy } from '../../src/plan/tail.ts';
import { planTail } from '../../src/plan/tail.ts';
import type { TailThreshold } from '../../src/plan/tail-trigger.ts';
import { saidCounter, sized } from '../planning/said-counter.ts';
import { Scene } from '../planning/scene.ts';
import { type LoopSettings, TailLoop } from '../planning/tail-loop.ts';
import { branch, ROOT } from '../world/plain-session.ts';

const threshold: TailThreshold = { kind: 'size', triggerTokens: 2_000, rearmBelowTokens: 1_500 };
const policy: TailPolicy = { keep: { events: 4, tokens: 0 }, minimumTokens: 200, maxWindowTokens: 64_000 };
const loop = (more: Partial<LoopSettings> = {}): TailLoop => new TailLoop({ threshold, policy, ...more });

/** The most of some numbers. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), 0);
}

describe('compacting before model calls comes to an end', () => {
  // Brought back by acting whenever the request is over the trigger and something can be covered: 29 calls in 30 rounds.
  it('row 11: a tool loop beside a question that is over the trigger asks once for what has gathered', async () => {
    const agent = loop();
    const turn = await agent.begin(5_000);
    for (let round = 0; round < 30; round += 1) await agent.step(turn, 100, 110);
    // 30 rounds of 210 tokens, the newest two kept, in windows of at least trigger - rearmBelow = 500.
    expect(agent.asked.length).toBeLessThanOrEqual(12);
    // The first asks for whatever is worth it.
    expect(Math.min(...agent.asked.slice(1))).toBeGreaterThanOrEqual(500);
    expect(most(agent.sent)).toBeLessThan(5_000 + 12 * 60 + 500 + 4 * 210);
  });

  // Brought back by a gate that opens only when the request is seen under the trigger: 45,056 tokens at 2,000.
  it('row 118: having worked twice, it works again when the turn grows', async () => {
    const agent = loop();
    const turn = await agent.begin(1_900);
    for (let round = 0; round < 200; round += 1) await agent.step(turn, 100, 110);
    const summaries = agent.asked.length * 60;
    expect(agent.asked.length).toBeGreaterThan(2);
    expect(most(agent.sent.map((tokens, at) => tokens - (at / 200) * summaries))).toBeLessThan(4_000);
  });

  // Brought back by ignoring how the last attempt left the request.
  it('row 57: a system prompt over the trigger sets off no compaction a call', async () => {
    const agent = loop({ overhead: 10_000 });
    let stored = 0;
    for (let turns = 0; turns < 20; turns += 1) {
      const turn = await agent.begin(50);
      for (let round = 0; round < 5; round += 1) await agent.step(turn, 60, 60);
      await agent.end(turn);
      stored += 50 + 5 * 120;
    }
    expect(agent.sent).toHaveLength(100);
    expect(agent.asked.length).toBeLessThanOrEqual(Math.ceil(stored / 500));
    expect(agent.asked.length).toBeGreaterThan(10);
  });

  // Brought back by taking an exchange apart, or by asking although there is nothing to ask about.
  it('row 87: a turn that is all one exchange asks nobody', async () => {
    const agent = loop();
    const turn = await agent.begin(100);
    const ids = Array.from({ length: 50 }, (_, at) => `c${at}`);
    await agent.add({ ...agent.call(turn, ids), author: 'a' });
    for (const id of ids) {
      const output = { parts: [{ type: 'text' as const, text: sized(100, id) }] };
      await agent.add({ invocation: turn, role: 'tool', content: [{ type: 'toolResult', id, output }] });
      await agent.prepare();
    }
    expect(most(agent.sent)).toBeGreaterThan(5_000);
    expect(agent.asked).toEqual([]);
  });

  // Brought back by ordering anything by the clock.
  it('row 112: turns that overlap, with clocks that disagree, are covered like any other', async () => {
    const scene = new Scene(saidCounter);
    for (let at = 1; at <= 20; at += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + ((at * 7) % 20) * 1_000).toISOString();
      const role = at <= 2 ? 'user' : 'assistant';
      await scene.add({
        invocation: at % 2 === 0 ? 'even' : 'odd',
        role,
        createdAt,
        content: sized(100, String(at)),
      });
    }
    const plan = planTail(await scene.store.view(scene.key, ROOT, 'reader'), policy, progressIn([]), {
      pressure: false,
    });
    expect(plan).toMatchObject({ window: { spans: [{ first: 1, last: 16 }] } });
  });

  // Brought back by retrying before every call of a turn, or by forgetting a failure when the next turn begins.
  it('rows 61, 62: a summarizer that fails k times is asked k + 1 times', async () => {
    for (const failures of [0, 1, 2, 3]) {
      const agent = loop({
        fate: (call) =>
          call <= failures ? { kind: 'failed', reason: 'threw' } : { kind: 'summary', tokens: 60 },
      });
      let askedToSucceed = 0;
      for (let turns = 1; turns <= 2 ** failures + 1; turns += 1) {
        const turn = await agent.begin(700);
        for (let round = 0; round < 10; round += 1) {
          await agent.step(turn, 200, 100);
          if (askedToSucceed === 0 && agent.asked.length > failures) askedToSucceed = agent.asked.length;
        }
        await agent.end(turn);
      }
      expect(askedToSucceed).toBe(failures + 1);
    }
  });

  it('rows 57, 62: one that always fails is asked 7 times in 100 turns, and every request is sent', async () => {
    const agent = loop({ fate: () => ({ kind: 'failed', reason: 'threw' }) });
    for (let turns = 1; turns <= 100; turns += 1) {
      const turn = await agent.begin(100);
      for (let round = 0; round < 3; round += 1) await agent.step(turn, 100, 100);
      await agent.end(turn);
    }
    expect(agent.asked).toHaveLength(7);
    expect(agent.sent).toHaveLength(300);
  });

  // Brought back by a window of all there is: the summarizer cannot take it, and it fails for ever.
  it('rows 62, 76: a history of 3,000,000 tokens is worked off in windows a summarizer can take', async () => {
    const agent = loop({
      threshold: { kind: 'size', triggerTokens: 100_000, rearmBelowTokens: 75_000 },
      fate: (_call, { tokens }) =>
        tokens > 64_000 ? { kind: 'failed', reason: 'too long' } : { kind: 'summary', tokens: 500 },
      inputLimit: 180_000,
    });
    for (let turns = 0; turns < 750; turns += 1) {
      await agent.add({ invocation: `old-${turns}`, role: 'user', content: sized(2_000, `q${turns}`) });
      await agent.add({ invocation: `old-${turns}`, role: 'assistant', content: sized(2_000, `a${turns}`) });
    }
    const turn = await agent.begin(500);
    await agent.prepare();
    await agent.end(turn);
    expect(most(agent.asked)).toBeLessThanOrEqual(64_000);
    expect(agent.sent.at(-1)).toBeLessThan(100_000);
    // No more than it takes: 3,000,000 in windows of some 62,000, until the rest is under the trigger.
    expect(agent.asked.length).toBeGreaterThanOrEqual(46);
    expect(agent.asked.length).toBeLessThanOrEqual(48);
  });

  // Brought back by counting messages.
  it('row 79: three huge messages are over a trigger of tokens', async () => {
    const agent = loop({ policy: { ...policy, keep: { events: 1, tokens: 0 } } });
    for (const id of ['one', 'two', 'three']) {
      await agent.add({ invocation: id, role: 'user', content: sized(50_000, id) });
    }
    await agent.prepare();
    expect(agent.asked).toEqual([50_006, 50_006]);
  });

  // Brought back by a tail that is kept whatever it takes.
  it('row F40: under pressure one huge result does not keep the tail', async () => {
    const agent = loop({ inputLimit: 3_000, policy: { ...policy, keep: { events: 20, tokens: 0 } } });
    const turn = await agent.begin(100);
    await agent.step(turn, 100, 50_000);
    await agent.step(turn, 100, 100);
    await agent.prepare();
    expect(agent.sent.at(-1)).toBeLessThan(3_000);
  });

  // Brought back by reading a branch's failures from the root's ledger.
  it('row 13: lanes a root reader covers back off each by itself', async () => {
    const agent = loop({
      fate: (_call, { tokens }) =>
        tokens > 5_000 ? { kind: 'failed', reason: 'threw' } : { kind: 'summary', tokens: 60 },
    });
    const bad = branch('bad');
    for (let at = 0; at < 3; at += 1) {
      await agent.add({ invocation: `b${at}`, lane: bad, role: 'user', content: sized(6_000, `b${at}`) });
    }
    for (let turns = 0; turns < 10; turns += 1) {
      const turn = await agent.begin(400);
      for (let round = 0; round < 5; round += 1) await agent.step(turn, 100, 100);
      await agent.end(turn);
    }
    const attempts = await agent.attempts();
    const failed = attempts.filter(({ state }) => state === 'failed');
    expect(failed.map(({ lane }) => lane)).toEqual(failed.map(() => bad));
    expect(failed.map(({ invocationCount }) => invocationCount - 3)).toEqual([1, 2, 4, 8]);
    expect(attempts.filter(({ state }) => state === 'committed').length).toBeGreaterThan(3);
  });
});
