// What sessions of many branches cost, and what their readers see of them.
import { describe, expect, it } from 'vitest';
import { branch, Plain, ROOT } from '../world/plain-session.ts';
import { healthy } from '../world/scripted-summarizer.ts';

describe('a session in which every turn has a branch of its own', () => {
  // Fails where the root's own records are merged for the root alone: there they lie under root views, and whoever reads in
  // a branch sees one more a turn, for ever.
  it('shows a reader in a branch no more summaries of the root lane, however long it is', async () => {
    const maxLive = 4;
    const plain = new Plain({ sliding: { interval: 1 }, policy: { rollUp: { maxLive } } });
    plain.summarizer.behaviour = (request, call) => healthy(request, call, 'they talked');
    for (let turn = 1; turn <= 60; turn += 1) {
      await plain.turn(ROOT, async (begun) => {
        await begun.append({ role: 'assistant', lane: branch(`b${turn}`), content: plain.text() });
      });
      const root = await plain.session.prompt();
      expect(root.accounting.summaries.events).toBeLessThanOrEqual(maxLive);
      const other = await plain.session.prompt({ reader: { agent: '', lane: branch('other') } });
      // Those inside one root view and those outside all: they cannot be merged with each other.
      expect(other.accounting.summaries.events).toBeLessThanOrEqual(2 * maxLive);
    }
    expect((await plain.session.verify()).problems).toEqual([]);
  });
});
