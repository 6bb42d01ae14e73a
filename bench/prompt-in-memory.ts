import { type Reader, ROOT_LANE } from '../src/event/lane.ts';
import { FRESH } from '../src/plan/progress.ts';
import { planSlidingWindow } from '../src/plan/sliding-window.ts';
import { assemblePrompt } from '../src/prompt/assemble.ts';
import { MemoryStore } from '../src/store/memory/memory-store.ts';
import type { SessionStore } from '../src/store/session-store.ts';
import { type Benchmark, milliseconds, type Row, row } from './harness.ts';
import { peerRows } from './peers.ts';
import { fillSession, LIVE, type SessionShape } from './session-fixture.ts';

const KEY = { app: 'bench', user: 'u', session: 's' };
const READER: Reader = { agent: 'agent', lane: ROOT_LANE };
const POLICY = { interval: 20, overlap: 1, minimumTokens: 500 };

/** Planning and assembling the next prompt from a memory store: the cost must follow the tail, not the history. */
export const promptInMemory: Benchmark = {
  name: 'memory',
  async run({ short }) {
    const sizes = short ? [1_000, 16_000] : [1_000, 16_000, 1_000_000];
    const samples = short ? 51 : 201;
    const rows: Row[] = [];
    const ours = new Map<number, Row>();
    for (const { lanes, holes, atMost } of [
      { lanes: 1, holes: 0, atMost: 0.1 },
      { lanes: 8, holes: 50, atMost: 0.2 },
    ]) {
      let smallest: Row | undefined;
      for (const events of sizes) {
        const shape: SessionShape = { events, lanes, holes };
        const store = new MemoryStore();
        await fillSession(store, KEY, shape);
        const times = await milliseconds(() => nextPrompt(store), { samples });
        const layout = lanes === 1 ? '' : `, ${lanes} lanes, ${holes} holes`;
        const name = `plan + assemble, ${events.toLocaleString('en-US')} events${layout}`;
        const measured = row(name, 'ms', times, {
          bound: { atMost },
          ...(smallest === undefined ? {} : { against: smallest }),
        });
        smallest ??= measured;
        rows.push(measured);
        if (lanes === 1) ours.set(events, measured);
      }
    }
    rows.push(...(await peerRows(short, ours)));
    return rows;
  },
};

/** What happens before a model call: a look at the lane for a window to cover, and the prompt. */
export async function nextPrompt(store: SessionStore): Promise<number> {
  const plan = planSlidingWindow(await store.view(KEY, ROOT_LANE, 'lane'), POLICY, FRESH);
  const prompt = assemblePrompt(await store.view(KEY, ROOT_LANE, 'reader'), READER, store.counter);
  if (prompt.accounting.summaries.events !== LIVE || plan.kind !== 'nothing') {
    throw new Error('the session is not of the shape that is to be measured');
  }
  return prompt.entries.length;
}
