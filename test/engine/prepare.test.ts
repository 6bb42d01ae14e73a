// `session.prepare`: what it does before a model call, when, and what it says when nothing helps. The policies' parts are
// tested where they are; this is how they are put together.
import { describe, expect, it } from 'vitest';
import { policy } from '../../src/engine/bounded-policy.ts';
import type { Policy } from '../../src/engine/policy.ts';
import { ContextLimitError } from '../../src/event/errors.ts';
import { branch, Plain, ROOT } from '../world/plain-session.ts';
import { healthy } from '../world/scripted-summarizer.ts';

/** Keeps 200 tokens, and covers the rest once the request takes 1,000. */
const AT_THOUSAND: Policy = {
  maxSummaryTokens: 160,
  tail: { trigger: { tokens: 1_000 }, keep: { tokens: 200 } },
};

function opened(policy: Policy): Plain {
  return new Plain({ policy, minimumTokens: 1 });
}

/** What a message of one part costs beside its text. */
const AROUND_TEXT = 6;

/** A text that makes an event of exactly so many tokens of the quarter counter, with a mark nobody else says. */
function exactly(plain: Plain, tokens: number): string {
  const mark = plain.text(0).trim();
  return `${mark} ${'x'.repeat((tokens - AROUND_TEXT) * 4 - mark.length - 1)}`;
}

async function said(plain: Plain, ...sizes: readonly number[]): Promise<void> {
  for (const size of sizes) await plain.session.append([{ role: 'user', content: exactly(plain, size) }]);
}

describe('prepare', () => {
  it('is an empty prompt before the first event', async () => {
    const prepared = await opened(AT_THOUSAND).session.prepare();
    expect(prepared.prompt.entries).toEqual([]);
    expect(prepared).toMatchObject({ outcomes: [], size: { promptTokens: 0 } });
  });

  it('does nothing a token under the trigger, and acts at it', async () => {
    const plain = opened(AT_THOUSAND);
    await said(plain, 200, 200, 200, 200, 199);
    const under = await plain.session.prepare();
    expect(under.size.promptTokens).toBe(999);
    expect(under.outcomes).toEqual([]);
    const met = opened(AT_THOUSAND);
    await said(met, 200, 200, 200, 200, 200);
    const at = await met.session.prepare();
    expect(at.outcomes.map(({ kind }) => kind)).toEqual(['committed']);
    expect(at.prompt.accounting.raw).toEqual({ events: 1, tokens: 200 });
    expect((await met.session.verify()).problems).toEqual([]);
  });

  // Fails where a threshold the summaries alone are over sets off a call of the summarizer a model call (11, 57).
  it('does not compact with every call where the prompt stays over its trigger', async () => {
    const plain = opened({
      maxSummaryTokens: 160,
      tail: { trigger: { tokens: 1_000 }, rearmBelow: 600, keep: { tokens: 100 } },
      overheadTokens: 850,
    });
    for (let call = 0; call < 100; call += 1) {
      await said(plain, 20);
      await plain.session.prepare();
    }
    // 2,000 tokens came; each time as many as lie between rearmBelow and the trigger have to gather.
    expect(plain.summarizer.requests.length).toBeLessThanOrEqual(Math.ceil(2_000 / 400) + 1);
    expect(plain.summarizer.requests.length).toBeGreaterThan(2);
  });

  it('holds back the question being answered, in whatever lane it was asked', async () => {
    const plain = opened(AT_THOUSAND);
    const turn = await plain.session.begin();
    const [question] = await turn.append({ role: 'user', content: exactly(plain, 300) });
    for (let step = 0; step < 6; step += 1)
      await turn.append({ role: 'assistant', lane: branch('sub'), content: exactly(plain, 200) });
    const reader = { agent: '', lane: branch('sub') };
    const { prompt, outcomes } = await plain.session.prepare({ reader });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed']);
    const shown = prompt.entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event.seq] : []));
    expect(shown).toContain(question?.seq);
  });

  it('says what stands in the way where nothing can be covered, and loses nothing', async () => {
    const plain = opened({ contextLimit: { maxInput: 1_010, margin: 10 } });
    const turn = await plain.session.begin();
    const [question] = await turn.append({
      role: 'assistant',
      content: [{ type: 'reasoning', text: exactly(plain, 1_500) }],
    });
    const refused = await plain.session.prepare().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ContextLimitError);
    const { measurement, uncoverable, message } = refused as ContextLimitError;
    expect(measurement).toMatchObject({ inputLimit: 1_000, quality: 'estimate' });
    expect(measurement.inputTokens).toBeGreaterThanOrEqual(1_500);
    expect(uncoverable[0]).toMatchObject({ seq: question?.seq, why: 'newest' });
    expect(message).not.toContain('k1k');
    expect(plain.summarizer.requests).toEqual([]);
    expect((await plain.session.info())?.events).toBe(1);
  });

  it('goes on after a failure while the request fits, and tries once a turn where it does not', async () => {
    const plain = opened({ ...AT_THOUSAND, contextLimit: { maxInput: 2_010, margin: 10 } });
    plain.summarizer.behaviour = () => {
      throw new Error('429');
    };
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: exactly(plain, 100) });
    await said(plain, 400, 400, 400);
    const { outcomes, size } = await plain.session.prepare();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed']);
    expect(size.promptTokens).toBe(1_300);
    for (let call = 0; call < 10; call += 1) await plain.session.prepare();
    expect(plain.summarizer.requests).toHaveLength(1);
    await turn.append({ role: 'assistant', content: [{ type: 'reasoning', text: exactly(plain, 1_500) }] });
    for (let call = 0; call < 10; call += 1)
      await expect(plain.session.prepare()).rejects.toThrow(ContextLimitError);
    expect(plain.summarizer.requests.length).toBeLessThanOrEqual(2);
    plain.summarizer.behaviour = healthy;
    await plain.turn();
    expect((await plain.session.prepare()).size.promptTokens).toBeLessThanOrEqual(2_000);
  });

  it('shows a giant by head and tail while it is in the tail, and asks no summarizer for that', async () => {
    const plain = opened({
      ...AT_THOUSAND,
      contextLimit: { maxInput: 3_010, margin: 10 },
      tail: { trigger: { growth: 1_000 }, keep: { tokens: 300 } },
    });
    await said(plain, 300, 300);
    await plain.session.append([
      {
        role: 'tool',
        content: [{ type: 'toolResult', id: 'c', name: 'read', output: { json: exactly(plain, 50_000) } }],
      },
    ]);
    const { prompt, size, outcomes } = await plain.session.prepare();
    expect(outcomes).toEqual([]);
    expect(prompt.accounting.cut.events).toBe(1);
    expect(size.promptTokens).toBeLessThanOrEqual(3_000);
    // Once it has left the kept tail it is summarized like anything else.
    await said(plain, 300, 300);
    const later = await plain.session.prepare();
    expect(later.outcomes.map(({ kind }) => kind)).toEqual(['committed']);
    expect(later.prompt.accounting).toMatchObject({ cut: { events: 0 }, raw: { events: 1 } });
  });

  // Fails where usage alone may refuse a request: then no better report ever comes.
  it('is not stopped for ever by one report that was too high', async () => {
    const plain = opened({ contextLimit: { maxInput: 3_010, margin: 10 } });
    for (let step = 1; step <= 20; step += 1) {
      await said(plain, 60);
      const { prompt } = await plain.session.prepare();
      const honest = prompt.accounting.promptTokens + 100;
      const usage = { inputTokens: step === 1 ? 2_900 : honest, promptRevision: prompt.revision };
      await plain.session.append([{ role: 'assistant', content: exactly(plain, 40), usage }]);
    }
    expect((await plain.session.prepare()).size.promptTokens).toBeLessThanOrEqual(3_000);
  });

  it('leaves a turn that was compacted mid-way to tail retention alone', async () => {
    const plain = opened({ ...AT_THOUSAND, sliding: { interval: 1 } });
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: exactly(plain, 50) });
    await turn.append(
      ...[1, 2, 3, 4, 5].map(() => ({ role: 'assistant' as const, content: exactly(plain, 240) })),
    );
    await plain.session.prepare();
    await turn.append({ role: 'assistant', content: exactly(plain, 50) });
    await turn.end();
    await plain.session.idle();
    const triggers = (await plain.session.records()).map(({ record }) => record.strategy);
    expect(triggers).toEqual(['token_threshold']);
    await plain.turn();
    expect((await plain.session.records()).at(-1)?.record.strategy).toBe('sliding_window');
  });

  it('covers a fifth of the growth at once when the cache has gone cold', async () => {
    const policy: Policy = { tail: { trigger: { growth: 1_000 }, keep: { tokens: 100 } } };
    for (const [milliseconds, committed] of [
      [299_999, 0],
      [300_001, 1],
    ] as const) {
      const plain = opened(policy);
      await said(plain, 300, 100);
      await plain.session.prepare();
      plain.now += milliseconds;
      await plain.session.prepare();
      expect(plain.summarizer.requests).toHaveLength(committed);
    }
    const told = opened(policy);
    await said(told, 300, 100);
    await told.session.prepare({ cacheIsCold: true });
    expect(told.summarizer.requests).toHaveLength(1);
  });

  it('goes by the usage an agent reported, and remembers the overhead after a compaction', async () => {
    const plain = opened({ tail: { trigger: { tokens: 6_000 }, keep: { tokens: 300 } } });
    const reader = { agent: 'agent', lane: ROOT };
    for (let step = 1; step <= 12; step += 1) {
      await said(plain, 100);
      const { prompt } = await plain.session.prepare({ reader });
      // A system prompt of 5,000 tokens, and the provider counts as the store does.
      const usage = { inputTokens: prompt.accounting.promptTokens + 5_000, promptRevision: prompt.revision };
      await plain.session.append([
        { role: 'assistant', author: 'agent', content: exactly(plain, 20), usage },
      ]);
    }
    expect(plain.summarizer.requests.length).toBeGreaterThan(0);
    const [record] = await plain.session.records();
    const [attempt] = await plain.session.attempts();
    expect(attempt?.measured).toMatchObject({ agent: 'agent', overhead: 5_000, ratio: 1 });
    expect(record?.record.strategy).toBe('token_threshold');
    // Right after the commit there is no usage of the new prompt yet.
    const { size } = await plain.session.prepare({ reader });
    expect(size.overhead).toBe(5_000);
  });

  // Fails where the usage of a prompt that was shown cut counts as the size of the next one, shown whole.
  it('does not take the usage of a cut prompt for the size of a whole one', async () => {
    const plain = opened({ contextLimit: { maxInput: 4_001, margin: 1 } });
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: exactly(plain, 8_000) });
    for (let call = 0; call < 6; call += 1) {
      const { prompt } = await plain.session.prepare({ reader: { agent: 'agent', lane: ROOT } });
      expect(prompt.accounting.promptTokens).toBeLessThanOrEqual(4_000);
      const usage = { inputTokens: prompt.accounting.promptTokens, promptRevision: prompt.revision };
      await turn.append({ role: 'assistant', author: 'agent', content: exactly(plain, 100), usage });
    }
  });

  // Fails where the room for growth is measured with a giant whole that is shown cut: none is left, and each turn compacts.
  it('lets the tail grow beside a giant that is shown cut', async () => {
    const plain = opened(policy.bounded({ contextLimit: { maxInput: 13_001, margin: 1 } }));
    plain.summarizer.behaviour = (request, call) => healthy(request, call, 'they talked');
    await plain.session.append([{ role: 'system', content: exactly(plain, 17_000) }]);
    for (let turn = 0; turn < 40; turn += 1) {
      await said(plain, 200, 200);
      const { prompt } = await plain.session.prepare({ reader: { agent: 'agent', lane: ROOT } });
      expect(prompt.accounting.promptTokens).toBeLessThanOrEqual(13_000);
    }
    expect(plain.summarizer.requests.length).toBeLessThanOrEqual(15);
  });
});
