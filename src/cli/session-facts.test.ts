import { expect, it } from 'vitest';
import { Palimpsest } from '../engine/palimpsest.ts';
import type { Lane } from '../event/lane.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { fixedSummarizer } from './report/compacted.fixture.ts';
import { sessionFacts } from './session-facts.ts';

const never = new AbortController().signal;
const side: Lane = { branch: '', isolation: 'side' };
const branch: Lane = { branch: 'worker', isolation: '' };

it('accounts for every event of every lane, whoever compacted it', async () => {
  // Counting only the main conversation leaves what is covered in a side lane among the raw.
  const palimpsest = new Palimpsest({ store: new MemoryStore(), summarizer: fixedSummarizer });
  const session = palimpsest.session({ app: 'a', user: 'u', session: 's' });
  for (const lane of [{ branch: '', isolation: '' }, side, branch]) {
    for (let turn = 1; turn <= 15; turn += 1) {
      await session.append([
        {
          lane,
          invocation: `${lane.branch}${lane.isolation}${turn}`,
          role: 'user',
          content: 'why? '.repeat(60),
        },
        {
          lane,
          invocation: `${lane.branch}${lane.isolation}${turn}`,
          role: 'assistant',
          content: 'so. '.repeat(60),
        },
      ]);
    }
  }
  await session.compact({ reader: { agent: '', lane: side }, keep: { events: 4 } });
  const sideOnly = await sessionFacts(palimpsest.store, session, never);
  expect(sideOnly).toMatchObject({ covered: 26, raw: 64, recovered: 0, turns: 30 });
  expect(count(sideOnly.places)).toEqual({ raw: 60, otherLane: 30 });

  await session.compact({ keep: { events: 4 } });
  const all = await sessionFacts(palimpsest.store, session, never);
  expect(all.covered + all.raw).toBe(90);
  expect(count(all.places)).toEqual({ covered: 56, raw: 4, otherLane: 30 });
  expect(all.covered).toBe(26 + 56);
});

it('stops reading when told to', async () => {
  const palimpsest = new Palimpsest({ store: new MemoryStore() });
  const session = palimpsest.session({ app: 'a', user: 'u', session: 's' });
  await session.append([{ role: 'user', content: 'hello' }]);
  await expect(sessionFacts(palimpsest.store, session, AbortSignal.abort())).rejects.toThrow('aborted');
});

function count(places: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}
