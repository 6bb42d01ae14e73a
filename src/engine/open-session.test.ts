import { describe, expect, it } from 'vitest';
import { SummaryTooLargeError } from '../event/errors.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { Palimpsest } from './palimpsest.ts';

const key = { app: 'a', user: 'u', session: 's' };
const short: Summarizer = {
  name: 'short',
  format: 'prose',
  summarize: async ({ events }) => ({
    kind: 'summary',
    content: `events ${events.map((event) => event.seq).join(' ')}`,
  }),
};
const long = (word: string): string => `${word} `.repeat(200);

async function play(palimpsest: Palimpsest, turns: number) {
  const session = palimpsest.session(key);
  for (let turn = 1; turn <= turns; turn += 1) {
    const open = await session.begin();
    await open.append({ role: 'user', content: long(`question${turn}`) });
    await open.append({
      role: 'assistant',
      reply: 'r1',
      content: [{ type: 'toolCall', id: 'call_1', name: 'look', input: { json: { turn } } }],
    });
    await open.append({
      role: 'tool',
      content: [{ type: 'toolResult', id: 'call_1', output: { json: turn } }],
    });
    await open.append({ role: 'assistant', content: long(`answer${turn}`) });
    await open.end();
  }
  return session;
}

describe('OpenSession', () => {
  it('compacts after turns, and every event is raw or covered once', async () => {
    const palimpsest = new Palimpsest({
      store: new MemoryStore(),
      summarizer: short,
      sliding: { interval: 2 },
    });
    const session = await play(palimpsest, 7);
    const outcomes = await session.idle();
    expect(outcomes.filter((outcome) => outcome.kind === 'committed')).toHaveLength(3);
    const prompt = await session.prompt();
    expect(prompt.accounting).toMatchObject({
      total: { events: 28 },
      raw: { events: 4 },
      covered: { events: 24 },
    });
    expect(await session.verify()).toEqual({ ok: true, events: 28, records: 3, problems: [] });
  });

  it('compacts on request, undoes and redoes', async () => {
    const palimpsest = new Palimpsest({ store: new MemoryStore(), summarizer: short });
    const session = await play(palimpsest, 6);
    const before = JSON.stringify(await session.prompt());
    const [outcome] = await session.compact({ keep: { events: 4 } });
    if (outcome?.kind !== 'committed') throw new Error(JSON.stringify(outcome));
    const compacted = JSON.stringify(await session.prompt());
    expect((await session.explain(1)).coveredBy).toEqual([outcome.record.id]);
    await session.undo(outcome.record.id);
    expect(JSON.parse(JSON.stringify(await session.prompt())).entries).toEqual(JSON.parse(before).entries);
    await session.redo(outcome.record.id);
    expect(JSON.parse(JSON.stringify(await session.prompt())).entries).toEqual(JSON.parse(compacted).entries);
    await session.pin(2);
    expect((await session.explain(3)).rawReason).toBe('pinned');
    expect((await session.verify()).problems).toEqual([]);
  });

  // Fails when a summary is committed without measuring the whole prompt with it in place.
  it('does not commit a summary that leaves the prompt over its limit with nothing else to cover', async () => {
    const palimpsest = new Palimpsest({
      store: new MemoryStore(),
      summarizer: short,
      contextLimit: { maxInput: 301, margin: 1 },
    });
    const session = await play(palimpsest, 4);
    const before = JSON.stringify((await session.prompt()).entries);
    const [outcome] = await session.compact({ keep: { events: 1 } });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'summary_too_large' });
    expect(outcome?.kind === 'failed' && outcome.cause).toBeInstanceOf(SummaryTooLargeError);
    const { inputTokens, inputLimit } = (outcome as { cause: SummaryTooLargeError }).cause.measurement;
    expect(inputLimit).toBe(300);
    expect(inputTokens).toBeGreaterThan(300);
    expect(JSON.stringify((await session.prompt()).entries)).toBe(before);
    expect((await session.verify()).ok).toBe(true);
  });

  it('takes the steps that lead under the limit', async () => {
    const store = new MemoryStore();
    const limit = 1_400;
    const session = await play(
      new Palimpsest({ store, summarizer: short, contextLimit: { maxInput: limit + 1, margin: 1 } }),
      8,
    );
    const outcomes = await session.compact({ keep: { events: 4 }, sliding: { interval: 1 } });
    expect(outcomes.map((outcome) => outcome.kind)).not.toContain('failed');
    expect((await session.prompt()).accounting.promptTokens).toBeLessThanOrEqual(limit);
  });
});
