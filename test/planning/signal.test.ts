import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/event/event.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { planManual } from '../../src/plan/manual.ts';
import { newestMeasured } from '../../src/plan/signal.ts';
import { runsOf } from '../properties/runs.ts';
import { carryOut } from './carry-out.ts';
import { measure } from './measure.ts';
import { saidCounter, sized } from './said-counter.ts';
import { Scene } from './scene.ts';

/** What every event costs beside its text: see `countParts`. */
const AROUND = 6;
const untried = { lanes: new Set<string>(), rootView: false };

let marks = 0;
function said(role: 'user' | 'assistant', tokens: number, more: Partial<EventDraft> = {}): EventDraft {
  marks += 1;
  const author = role === 'user' ? 'user' : 'a';
  return { invocation: 'one', role, author, content: sized(tokens - AROUND, String(marks)), ...more };
}

/** A reply whose prompt the provider counted. */
function reply(tokens: number, inputTokens: number, more: Partial<EventDraft> = {}): EventDraft {
  return said('assistant', tokens, { usage: { inputTokens, promptRevision: 1 }, ...more });
}

const lane = (branch: string): { branch: string; isolation: string } => ({ branch, isolation: '' });

describe('the signal', () => {
  it('is the newest usage of this prompt and what came after it, the reply itself included', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), reply(200, 3_000), said('user', 50));
    expect(await measure(scene)).toEqual({
      promptTokens: 3_000 + 200 + 50,
      storedTokens: 1_250,
      ratio: 1,
      overhead: 2_000,
      from: 'reported',
    });
  });

  it('counts a reply of several events as after its own usage, wherever in it that stands', async () => {
    const scene = new Scene(saidCounter);
    const parts = { reply: 'r' };
    await scene.add(
      said('user', 1_000),
      said('assistant', 300, parts),
      reply(200, 3_000, parts),
      said('assistant', 100, parts),
    );
    expect((await measure(scene)).promptTokens).toBe(3_000 + 300 + 200 + 100);
  });

  it('is the stored tokens and the overhead where nobody reported', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), said('assistant', 200));
    expect(await measure(scene)).toMatchObject({ promptTokens: 1_200, from: 'estimate' });
    expect(await measure(scene, { overheadTokens: 500 })).toMatchObject({
      promptTokens: 1_700,
      from: 'estimate',
    });
    const learned = { agent: 'a', promptTokens: 9, storedTokens: 9, ratio: 1.5, overhead: 4_000 };
    expect(await measure(scene, { overheadTokens: 500, learned })).toMatchObject({
      promptTokens: 1_800 + 4_000,
      from: 'learned',
    });
  });

  it.each([
    ['says nothing of its prompt', { inputTokens: 3_000 }],
    ['is of an earlier prompt', { inputTokens: 3_000, promptRevision: 0 }],
    ['is of a later one', { inputTokens: 3_000, promptRevision: 2 }],
    ['counts no input', { outputTokens: 3_000, promptRevision: 1 }],
    ['counts none of it', { inputTokens: 0, promptRevision: 1 }],
    ['is too small for what was stored', { inputTokens: 249, promptRevision: 1 }],
    ['is larger than any prompt', { inputTokens: 3e15, promptRevision: 1 }],
    ['is too large for what was stored', { inputTokens: 104_001, promptRevision: 1 }],
  ])('passes over usage that %s', async (_name, usage) => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), said('assistant', 200, { usage }));
    expect(await measure(scene)).toMatchObject({ promptTokens: 1_200, from: 'estimate' });
  });

  it.each([250, 104_000])('takes what is just in bounds: %i', async (inputTokens) => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), reply(200, inputTokens));
    expect(await measure(scene)).toMatchObject({ promptTokens: inputTokens + 200, from: 'reported' });
  });

  it('takes the report before one that cannot be', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), reply(200, 3_000), reply(100, 3e15));
    expect((await measure(scene)).promptTokens).toBe(3_300);
  });

  it("is this agent's own; '' takes anybody's", async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), reply(200, 3_000), reply(100, 9_000, { author: 'b' }));
    expect((await measure(scene)).promptTokens).toBe(3_300);
    expect((await measure(scene, { agent: 'b' })).promptTokens).toBe(9_100);
    expect((await measure(scene, { agent: '' })).promptTokens).toBe(9_100);
    expect((await measure(scene, { agent: 'c' })).from).toBe('estimate');
  });

  it("is not a tool's or a person's usage", async () => {
    const scene = new Scene(saidCounter);
    const usage = { inputTokens: 3_000, promptRevision: 1 };
    await scene.add(said('user', 1_000, { author: 'a', usage }));
    await scene.add(scene.call('one', ['c']));
    await scene.add({ ...scene.result('one', ['c']), author: 'a', usage });
    expect((await measure(scene)).from).toBe('estimate');
  });

  // Fails when only the reader's own lane's revision is asked: a branch's compaction raises the branch's.
  it("drops a report from before another lane's record took events out of the prompt", async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000, { lane: lane('b') }), said('user', 2_000, { lane: lane('b') }));
    await scene.add(reply(200, 5_000));
    await scene.add(said('user', 10));
    expect((await measure(scene)).from).toBe('reported');
    const view = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    const plan = planManual(view, { keep: { events: 1, tokens: 0 }, minimumTokens: 1 }, untried);
    expect(plan).toMatchObject({ window: { lane: lane('b'), tokens: 3_000 } });
    await carryOut(scene, plan, { kind: 'summary', tokens: 100 });
    expect(await measure(scene)).toMatchObject({ promptTokens: 310, from: 'estimate' });
    await scene.add(reply(50, 4_000));
    expect(await measure(scene)).toMatchObject({ promptTokens: 4_050, from: 'reported' });
  });

  // Fails when what an undo in another lane gave back counts as told of by a report from before it.
  it('counts what another lane got back by an undo', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 3_000, { lane: lane('b') }), said('user', 10));
    const view = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    const plan = planManual(view, { keep: { events: 1, tokens: 0 }, minimumTokens: 1 }, untried);
    const made = await carryOut(scene, plan, { kind: 'summary', tokens: 100 });
    await scene.add(reply(50, 400));
    expect((await measure(scene)).promptTokens).toBe(450);
    if ('digest' in made) await scene.store.undo(scene.key, made.id);
    expect((await measure(scene)).promptTokens).toBe(3_450);
  });

  it('counts the rest of an exchange that is shown again since its answer came', async () => {
    const scene = new Scene(saidCounter);
    const call: EventDraft = {
      invocation: 'one',
      role: 'assistant',
      author: 'a',
      content: [
        { type: 'text', text: sized(2_000) },
        { type: 'toolCall', id: 'slow', name: 'run', input: { json: {} } },
      ],
      longRunning: ['slow'],
    };
    await scene.add(said('user', 1_000), call);
    for (let turn = 2; turn <= 10; turn += 1) await scene.add(said('user', 10, { invocation: `t${turn}` }));
    const view = await scene.store.view(scene.key, ROOT_LANE, 'reader');
    const plan = planManual(view, { keep: { events: 1, tokens: 0 }, minimumTokens: 1 }, untried);
    await carryOut(scene, plan, { kind: 'summary', tokens: 100 });
    await scene.add(reply(50, 400, { invocation: 't10', usage: { inputTokens: 400, promptRevision: 2 } }));
    expect((await measure(scene)).promptTokens).toBe(450);
    await scene.add({ ...scene.result('t10', ['slow']), author: 'tool' });
    const after = await measure(scene);
    expect(after.from).toBe('reported');
    expect(after.promptTokens).toBeGreaterThan(450 + 2_000);
  });
});

describe('the ratio', () => {
  /** Turns whose provider counts `ratio` tokens for one of ours, beside an overhead. */
  async function told(
    scene: Scene,
    counts: readonly { readonly tokens: number; readonly inputTokens?: number }[],
    ratio: number,
    overhead: number,
  ): Promise<void> {
    let stored = 0;
    for (const { tokens, inputTokens } of counts) {
      await scene.add(said('user', tokens));
      stored += tokens;
      await scene.add(reply(100, inputTokens ?? Math.round(overhead + ratio * stored)));
      stored += 100;
    }
  }

  it('is learned from differences, so the overhead is not in it, and is kept apart', async () => {
    const scene = new Scene(saidCounter);
    await told(scene, [{ tokens: 300 }, { tokens: 400 }, { tokens: 900 }], 1.4, 18_000);
    const signal = await measure(scene);
    expect(signal.ratio).toBeCloseTo(1.4, 2);
    expect(Math.abs(signal.overhead - 18_000)).toBeLessThan(10);
    expect(signal.promptTokens).toBe(Math.ceil(18_000 + 1.4 * 1_800 + signal.ratio * 100));
  });

  // Fails when the overhead is taken off the newest, largest prompt: what the ratio is wrong by is multiplied by all of it.
  it('leaves the overhead alone where the ratio changes, as with the language', async () => {
    const scene = new Scene(saidCounter);
    let stored = 0;
    let sent = 18_000;
    for (let turn = 0; turn < 15; turn += 1) {
      const ratio = turn < 5 ? 0.8 : 1.4;
      const tokens = turn < 5 ? 200 : 3_000;
      await scene.add(said('user', tokens), reply(100, Math.round(sent + ratio * tokens)));
      stored += tokens + 100;
      sent += ratio * (tokens + 100);
    }
    const signal = await measure(scene);
    expect(signal.storedTokens).toBe(stored);
    expect(signal.ratio).toBeCloseTo(1.4, 1);
    expect(Math.abs(signal.overhead - 18_000)).toBeLessThan(700);
    expect(Math.abs(signal.promptTokens - sent)).toBeLessThan(20);
  });

  it('is not moved by one report that is absurd', async () => {
    for (const inputTokens of [1, 900, 60_000, 3e15]) {
      const scene = new Scene(saidCounter);
      const counts = Array.from({ length: 8 }, (_, at) => ({
        tokens: 300 + 50 * at,
        ...(at === 4 ? { inputTokens } : {}),
      }));
      await told(scene, counts, 1.4, 18_000);
      expect((await measure(scene)).ratio).toBeCloseTo(1.4, 1);
    }
  });

  it('is 1 while there is too little to learn from, then what an earlier attempt learned', async () => {
    const scene = new Scene(saidCounter);
    await told(scene, [{ tokens: 100 }, { tokens: 100 }], 2, 0);
    expect((await measure(scene)).ratio).toBe(1);
    const learned = { agent: 'a', promptTokens: 1, storedTokens: 1, ratio: 1.5, overhead: 0 };
    expect((await measure(scene, { learned })).ratio).toBe(1.5);
    // What a ledger says is checked as well.
    expect((await measure(scene, { learned: { ...learned, ratio: Number.NaN } })).ratio).toBe(1);
  });

  // Fails when what was covered since is missing from one side of the difference.
  it('is not learned across what was covered since', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), reply(100, 1_000));
    await scene.add(said('user', 1_000), said('user', 900, { lane: lane('b') }), reply(100, 3_000));
    await scene.add(said('user', 10));
    const view = await scene.store.view(scene.key, lane('b'), 'lane');
    const plan = planManual(view, { keep: { events: 1, tokens: 0 }, minimumTokens: 1 }, untried);
    expect(plan.kind).toBe('nothing');
    expect((await measure(scene)).ratio).toBe(1);
    await scene.add(said('user', 10, { lane: lane('b') }));
    const later = await scene.store.view(scene.key, lane('b'), 'lane');
    const window = planManual(later, { keep: { events: 1, tokens: 0 }, minimumTokens: 1 }, untried);
    expect(window).toMatchObject({ window: { tokens: 900 } });
    await carryOut(scene, window, { kind: 'summary', tokens: 100 });
    expect((await measure(scene)).ratio).toBe(1);
  });

  it('is learned under one prompt and one agent only', async () => {
    const scene = new Scene(saidCounter);
    const usage = (inputTokens: number, promptRevision: number): Partial<EventDraft> => ({
      usage: { inputTokens, promptRevision },
    });
    await scene.add(said('user', 500), said('assistant', 500, usage(500, 0)));
    await scene.add(said('user', 500), said('assistant', 500, usage(4_500, 1)));
    await scene.add(said('user', 500), said('assistant', 500, { author: 'b', ...usage(9_000, 1) }));
    expect(await measure(scene, { agent: '' })).toMatchObject({ ratio: 1 });
  });
});

describe('newestMeasured', () => {
  it('is of the agent, and of lanes the reader sees', async () => {
    const scene = new Scene(saidCounter);
    for (const [branch, agent, ratio] of [
      ['b', 'a', 1.1],
      ['', 'a', 1.2],
      ['c', 'a', 1.3],
      ['c', 'b', 1.4],
      ['b', undefined, 0],
    ] as const) {
      await scene.add(said('user', 500, { lane: lane(branch) }));
      const lease = await scene.store.takeLease(scene.key, {
        lane: lane(branch),
        rootView: false,
        trigger: 'token_threshold',
        window: { spans: [], events: 0, tokens: 0, invocations: 0 },
        ...(agent === undefined
          ? {}
          : { measured: { agent, promptTokens: 1, storedTokens: 1, ratio, overhead: 0 } }),
        revision: 1,
        holder: 'test',
        milliseconds: 1_000,
      });
      if (lease.taken) {
        await scene.store.endAttempt(scene.key, lease.attempt.id, { state: 'failed', reason: 'threw' });
      }
    }
    const attempts = await scene.store.attempts(scene.key);
    const seenFrom = async (branch: string, agent: string): Promise<number | undefined> =>
      newestMeasured(await scene.store.view(scene.key, lane(branch), 'reader'), agent, attempts)?.ratio;
    expect(await seenFrom('', '')).toBe(1.4);
    expect(await seenFrom('', 'a')).toBe(1.3);
    expect(await seenFrom('b', '')).toBe(1.2);
    expect(await seenFrom('c', '')).toBe(1.4);
    expect(await seenFrom('c', 'z')).toBeUndefined();
  });
});

describe('whatever is reported', () => {
  const reports = fc.array(
    fc.record({
      tokens: fc.integer({ min: 7, max: 5_000 }),
      inputTokens: fc.oneof(
        fc.constantFrom(0, 1, 3e15, Number.MAX_SAFE_INTEGER),
        fc.integer({ min: 0, max: 400_000 }),
      ),
      revision: fc.constantFrom(0, 1, 1, 1, 2),
      author: fc.constantFrom('a', 'a', 'b'),
    }),
    { minLength: 1, maxLength: 20 },
  );

  // So compaction is put off at most until four times the trigger is stored, and never for ever; and a report cannot
  // claim a prompt that what is stored, and a large overhead, do not make.
  it('the signal stays within four times of what is stored, either way', async () => {
    await fc.assert(
      fc.asyncProperty(reports, fc.constantFrom('', 'a', 'b'), async (lies, agent) => {
        const scene = new Scene(saidCounter);
        for (const { tokens, inputTokens, revision, author } of lies) {
          await scene.add(said('user', tokens));
          await scene.add(
            said('assistant', 20, { author, usage: { inputTokens, promptRevision: revision } }),
          );
        }
        const overheadTokens = 1_000;
        const { promptTokens, storedTokens, ratio, overhead } = await measure(scene, {
          agent,
          overheadTokens,
        });
        expect(storedTokens).toBe(lies.reduce((sum, { tokens }) => sum + tokens + 20, 0));
        expect(promptTokens).toBeGreaterThanOrEqual(storedTokens / 4);
        expect(promptTokens).toBeLessThanOrEqual(4 * (storedTokens + overheadTokens) + 100_001);
        expect(ratio >= 0.25 && ratio <= 4).toBe(true);
        expect(overhead).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: runsOf(150) },
    );
  });
});
