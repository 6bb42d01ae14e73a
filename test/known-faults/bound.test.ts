// BOUND: prompts that grow with every window, because summaries are never merged or strategies do not compose.
import { describe, expect, it } from 'vitest';
import { RecordGraph } from '../../src/coverage/record-graph.ts';
import type { Policy } from '../../src/engine/policy.ts';
import type { SlidingWindow } from '../../src/engine/session.ts';
import { Plain, ROOT } from '../world/plain-session.ts';

/** Summaries of 520 characters, as the measurements of others have them. */
const SUMMARY = 'facts '.repeat(87).slice(0, 520);

interface Settings {
  readonly sliding?: SlidingWindow;
  readonly policy: Policy;
}

/** A session after so many turns of two messages; the most tokens its prompt ever had, and the most summaries. */
async function played(
  turns: number,
  settings: Settings,
): Promise<{ readonly plain: Plain; readonly tokens: number; readonly summaries: number }> {
  const policy = { ...settings.policy, maxSummaryTokens: 150 };
  const plain = new Plain({ ...settings, policy, minimumTokens: 300 });
  plain.summarizer.behaviour = () => ({ kind: 'summary', content: SUMMARY, finish: 'stop' });
  let tokens = 0;
  let summaries = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    await plain.turn();
    const { accounting, entries } = await plain.session.prompt();
    tokens = Math.max(tokens, accounting.promptTokens);
    summaries = Math.max(summaries, entries.filter(({ kind }) => kind === 'summary').length);
  }
  expect((await plain.session.verify()).problems).toEqual([]);
  return { plain, tokens, summaries };
}

const tail = { trigger: { tokens: 2_000 }, keep: { events: 10 } } as const;

describe('a prompt does not grow with the session', () => {
  // Brought back by a merge that supersedes nothing, or names what the old one covered as holes: 48 summaries.
  it('rows 108, F24: a rolling summary is one summary, and covers all that the one before it did', async () => {
    const { plain, summaries } = await played(60, { policy: { tail, rollUp: { maxLive: 1 } } });
    expect(summaries).toBe(1);
    const live = [...new RecordGraph(await plain.session.records()).live()];
    const [entry] = (await plain.session.prompt()).entries;
    expect(live).toHaveLength(1);
    expect(entry).toMatchObject({ kind: 'summary', firstSeq: 1 });
    expect(plain.summarizer.requests.slice(1).every(({ request }) => request.previous.length === 1)).toBe(
      true,
    );
  });

  // Brought back by summaries that are never merged; or by one strategy that keeps the other from ever acting.
  it('rows 127, F4, F5: however sliding window and tail retention are set beside each other', async () => {
    const rollUp = { maxLive: 4 };
    const sizes: number[] = [];
    for (const settings of [
      { sliding: { interval: 2 }, policy: { tail, rollUp } },
      { sliding: { interval: 3 }, policy: { tail, rollUp } },
      { sliding: { interval: 10 }, policy: { tail, rollUp } },
      { sliding: { interval: 20 }, policy: { tail: { ...tail, keep: { events: 2 } }, rollUp } },
      { policy: { tail, rollUp } },
      { sliding: { interval: 3 }, policy: { rollUp } },
    ] satisfies Settings[]) {
      const half = await played(80, settings);
      const whole = await played(160, settings);
      expect(whole.summaries).toBeLessThanOrEqual(4);
      // Seqs have more digits.
      expect(whole.tokens).toBeLessThanOrEqual(half.tokens + 10);
      sizes.push(whole.tokens);
    }
    // What sets off, one turn, and four summaries of 130 tokens and their frames.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000 + 136 + 4 * 200);
  });

  // Brought back by rendering a previous summary under the cap for tools: its tail would be lost with every pass.
  it('rows 24, F26: a summary longer than any cap is merged whole', async () => {
    const plain = new Plain({ sliding: { interval: 1 }, policy: { rollUp: { maxLive: 1 } } });
    let written = '';
    plain.summarizer.behaviour = ({ previous }) => {
      for (const { text } of previous) expect(text).toBe(written);
      written = `${'long '.repeat(900)}end ${plain.summarizer.requests.length}`;
      return { kind: 'summary', content: written, finish: 'stop' };
    };
    for (let turn = 1; turn <= 3; turn += 1)
      await plain.turn(ROOT, async (each) => {
        await each.append({ role: 'assistant', content: plain.text(40_000) });
      });
    expect(plain.summarizer.requests.map(({ request }) => request.previous.length)).toEqual([0, 1, 1]);
  });
});
