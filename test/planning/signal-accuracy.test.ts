import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { StoredEvent } from '../../src/event/event.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { importFile } from '../../src/logs/index.ts';
import type { Measured } from '../../src/plan/attempt.ts';
import { planManual } from '../../src/plan/manual.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { countParts } from '../../src/tokens/count-parts.ts';
import { exactCounter } from '../../src/tokens/exact-counter.ts';
import { carryOut } from './carry-out.ts';
import { measure } from './measure.ts';
import { Scene } from './scene.ts';

/** System prompt and tools of a coding agent, in the provider's tokens. */
const OVERHEAD = 18_000;
/** Model calls after which a session has told enough. */
const TOLD = 5;

async function sampleEvents(): Promise<readonly StoredEvent[]> {
  const store = new MemoryStore();
  const key = { app: 'test', user: 'test', session: 'sample' };
  const session = new Palimpsest({ store }).session(key);
  await importFile(join(import.meta.dirname, '../../samples/coding-session.jsonl'), session);
  return (await store.page(key, 0, 10_000)).map(({ event }) => event);
}

function spread(errors: readonly number[]): {
  readonly n: number;
  readonly median: number;
  readonly worst: number;
} {
  const sorted = errors.toSorted((a, b) => a - b);
  return { n: sorted.length, median: sorted[sorted.length >> 1] ?? 1, worst: sorted.at(-1) ?? 1 };
}

// A real coding session, counted by the estimate; the provider counts o200k, or a quarter more as others do.
describe.each([1, 1.25])(
  'the signal of a real session whose provider counts %f tokens for one of o200k',
  (scale) => {
    it('is close: the next request, and the first after a compaction', async () => {
      const exact = await exactCounter();
      const scene = new Scene();
      let sent = OVERHEAD;
      let calls = 0;
      let revision = 1;
      let learned: Measured | null = null;
      let lastReply: string | undefined;
      const next: number[] = [];
      const afterCompaction: number[] = [];
      const error = async (): Promise<number> => {
        const { promptTokens } = await measure(scene, { agent: 'a', learned });
        return Math.abs(promptTokens - sent) / sent;
      };
      for (const { role, content, reply } of await sampleEvents()) {
        const begins = role === 'assistant' && (reply === undefined || reply !== lastReply);
        lastReply = reply;
        if (begins) calls += 1;
        if (begins && calls > TOLD) next.push(await error());
        await scene.add({
          invocation: 'one',
          role,
          author: role === 'assistant' ? 'a' : role,
          content,
          ...(reply === undefined ? {} : { reply }),
          ...(begins ? { usage: { inputTokens: Math.round(sent), promptRevision: revision } } : {}),
        });
        sent += scale * countParts(content, exact);
        if (!begins || calls % 20 !== 0) continue;
        const view = await scene.store.view(scene.key, ROOT_LANE, 'reader');
        const keep = { events: 0, tokens: 8_000 };
        const plan = planManual(view, { keep, minimumTokens: 1 }, { lanes: new Set(), rootView: false });
        if (plan.kind === 'nothing') continue;
        const { from: _from, ...measured } = await measure(scene, { agent: 'a', learned });
        learned = { agent: 'a', ...measured };
        await carryOut(scene, plan, { kind: 'summary', tokens: 1_000 });
        revision += 1;
        const left = await scene.store.view(scene.key, ROOT_LANE, 'reader');
        const shown = [...left.raw, ...left.recovered];
        const shownTokens = shown.reduce((sum, row) => sum + countParts(row.event.content, exact), 0);
        sent = OVERHEAD + scale * (1_000 * left.records.length + shownTokens);
        afterCompaction.push(await error());
      }
      expect(spread(next).n).toBeGreaterThan(100);
      expect(spread(next).median).toBeLessThan(0.005);
      expect(spread(next).worst).toBeLessThan(0.02);
      expect(spread(afterCompaction).n).toBeGreaterThan(4);
      expect(spread(afterCompaction).worst).toBeLessThan(0.02);
    });
  },
);
