import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/event/event.ts';
import { planManual } from '../../src/plan/manual.ts';
import { assemblePrompt } from '../../src/prompt/assemble.ts';
import { toOpenAIChat } from '../../src/prompt/index.ts';
import { EVENT_TOKENS, PART_TOKENS } from '../../src/tokens/count-parts.ts';
import { exactCounter } from '../../src/tokens/exact-counter.ts';
import { carryOut } from '../planning/carry-out.ts';
import { measure } from '../planning/measure.ts';
import { saidCounter, sized } from '../planning/said-counter.ts';
import { Scene } from '../planning/scene.ts';
import { branch, ROOT } from '../world/plain-session.ts';

const AROUND = EVENT_TOKENS + PART_TOKENS;
const untried = { lanes: new Set<string>(), rootView: false };

function said(role: 'user' | 'assistant', tokens: number, more: Partial<EventDraft> = {}): EventDraft {
  return { invocation: 'one', role, author: 'parent', content: sized(tokens - AROUND), ...more };
}

const usage = (inputTokens: number, promptRevision = 1): Pick<EventDraft, 'usage'> => ({
  usage: { inputTokens, promptRevision },
});

describe('a prompt is as large as it is', () => {
  // Brought back by reading the newest usage of whoever said something, wherever.
  it('rows 17, F29: a sub-agent does not take the parent’s 200,000 tokens for its own', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000), said('assistant', 500, usage(90_000)));
    await scene.add(said('user', 100, { lane: branch('child'), author: 'user' }));
    const child = await measure(scene, { agent: 'child', lane: branch('child') });
    expect(child).toMatchObject({ promptTokens: 1_600, from: 'estimate' });
    // Nor does a second agent in the same lane, whose system prompt is another; nor '' in the child's lane.
    expect((await measure(scene, { agent: 'critic' })).promptTokens).toBe(1_600);
    expect((await measure(scene, { agent: '', lane: branch('child') })).promptTokens).toBe(1_600);
    expect((await measure(scene, { agent: 'parent' })).promptTokens).toBe(90_000 + 600);
  });

  // Brought back by looking for usage among records.
  it('row 18: what a summarizer used is not what the next prompt takes', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 3_000), said('assistant', 500), said('user', 100));
    const plan = planManual(
      await scene.store.view(scene.key, ROOT, 'reader'),
      { keep: { events: 1, tokens: 0 }, minimumTokens: 1 },
      untried,
    );
    await carryOut(scene, plan, { kind: 'summary', tokens: 60, ...usage(900_000, 2) });
    for (const agent of ['parent', 'test', '']) {
      expect(await measure(scene, { agent })).toMatchObject({ promptTokens: 160, from: 'estimate' });
    }
  });

  // Brought back by a sum over calls, each of which was sent the whole prompt.
  it('row 36: ten calls of 5,000 tokens are a prompt of 5,000', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 1_000));
    for (let call = 0; call < 10; call += 1) await scene.add(said('assistant', 10, usage(5_000 + 10 * call)));
    expect((await measure(scene, { agent: 'parent' })).promptTokens).toBe(5_000 + 10 * 10);
  });

  // Brought back by usage that says nothing of the prompt it was of.
  it('row 78: right after a compaction, usage from before it counts for nothing', async () => {
    const scene = new Scene(saidCounter);
    await scene.add(said('user', 60_000), said('assistant', 500, usage(80_000)));
    await scene.add(said('user', 400), said('assistant', 100, usage(80_900)));
    expect((await measure(scene, { agent: 'parent' })).promptTokens).toBe(81_000);
    const plan = planManual(
      await scene.store.view(scene.key, ROOT, 'reader'),
      { keep: { events: 2, tokens: 0 }, minimumTokens: 1 },
      untried,
    );
    await carryOut(scene, plan, { kind: 'summary', tokens: 60 });
    const after = await measure(scene, { agent: 'parent', overheadTokens: 20_000 });
    expect(after).toMatchObject({ promptTokens: 560 + 20_000, from: 'estimate' });
    // Nor does one that arrives late, of the prompt from before.
    await scene.add(said('assistant', 40, usage(81_040)));
    expect(await measure(scene, { agent: 'parent' })).toMatchObject({ promptTokens: 600, from: 'estimate' });
  });

  // Brought back by counting texts alone.
  it('row 111: what tools return counts, before and after a report', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'one', role: 'user', content: 'go on' });
    const result = (id: string): EventDraft => ({
      invocation: 'one',
      role: 'tool',
      content: [{ type: 'toolResult', id, output: { json: { log: 'some words of a log '.repeat(20_000) } } }],
    });
    await scene.add({ ...scene.call('one', ['a']), author: 'parent' }, result('a'));
    const first = await measure(scene, { agent: 'parent' });
    expect(first.promptTokens).toBeGreaterThan(80_000);
    await scene.add(
      { ...scene.call('one', ['b']), author: 'parent', ...usage(first.promptTokens) },
      result('b'),
    );
    expect((await measure(scene, { agent: 'parent' })).promptTokens).toBeGreaterThan(
      first.promptTokens + 80_000,
    );
  });

  // Brought back by counting an event as the JSON it is stored as.
  it('row 42: metadata is not sent and does not count', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'one', role: 'user', content: 'hello' });
    const plain = (await measure(scene)).promptTokens;
    const metadata = { trace: 'x'.repeat(100_000) };
    await scene.add({ invocation: 'one', role: 'user', content: 'hello', metadata });
    expect((await measure(scene)).promptTokens).toBe(2 * plain);
  });

  // Brought back by counting texts without what a request puts around them: 200,089 of 200,000.
  it('row 22: a thousand tiny messages count what surrounds them, too', async () => {
    const counter = await exactCounter();
    const scene = new Scene(counter);
    for (let at = 0; at < 1_000; at += 1) {
      const role = at % 2 === 0 ? 'user' : 'assistant';
      await scene.add({ invocation: `t${at}`, role, content: 'ok' });
    }
    const view = await scene.store.view(scene.key, ROOT, 'reader');
    const prompt = assemblePrompt(view, { agent: '', lane: ROOT }, counter);
    const { messages } = toOpenAIChat(prompt);
    expect(messages).toHaveLength(1_000);
    // OpenAI's own formula: 3 tokens a message, its role and its text, and 3 for the reply's beginning.
    const sent = messages.reduce(
      (sum, { role, content }) =>
        sum +
        3 +
        counter.count(role) +
        counter.count(typeof content === 'string' ? content : JSON.stringify(content)),
      3,
    );
    expect(prompt.accounting.promptTokens).toBeGreaterThanOrEqual(sent);
  });
});
