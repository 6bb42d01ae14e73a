import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { EventDraft } from '../../src/event/event.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { FixedSummarizer } from '../bounded/fixed-summarizer.ts';
import { mostRewrites } from '../bounded/rewrites.ts';
import { saidSizeCounter, sized } from '../bounded/said-size-counter.ts';
import { seeded } from '../texts.ts';
import { Bill } from './bill.ts';
import type { Candidate } from './policies.ts';
import type { Call, TurnSize } from './turns-of.ts';
import type { Workload } from './workloads.ts';

/** What a session came to. */
export interface Played {
  readonly bill: Bill;
  readonly summarizerCalls: number;
  readonly liveSummaries: number;
  readonly rewrites: number;
}

const READER = { agent: 'agent', lane: ROOT_LANE };

/** Plays a session through the engine and bills every prompt it makes. */
export async function play(
  { settings, compactAfter, cold = { share: 0, told: false } }: Candidate,
  workload: Workload,
  turns: readonly TurnSize[],
): Promise<Played> {
  const bill = new Bill();
  const store = new MemoryStore({ counter: saidSizeCounter });
  const summarizer = new FixedSummarizer(saidSizeCounter, ({ maxSummaryTokens }) =>
    sized(Math.min(workload.summaryTokens, maxSummaryTokens)),
  );
  const palimpsest = new Palimpsest({ ...settings, store, summarizer, literals: false, nonce: () => NONCE });
  const session = palimpsest.session({ app: 'bench', user: 'bench', session: workload.name });
  const random = seeded(turns.length);
  let liveSummaries = 0;
  for (const size of turns) {
    const turn = await session.begin();
    let isCold = random() < cold.share;
    for (const [index, call] of size.entries()) {
      await turn.append(index === 0 ? question(call) : result(call, bill.calls));
      const cacheIsCold = isCold && cold.told;
      const { prompt } = await session.prepare({ reader: READER, cacheIsCold });
      bill.modelCall(workload.systemTokens, prompt.entries, call.output, isCold);
      isCold = false;
      liveSummaries = prompt.accounting.summaries.events;
      const usage = {
        inputTokens: workload.systemTokens + prompt.accounting.promptTokens,
        outputTokens: call.output,
        promptRevision: prompt.revision,
      };
      await turn.append({ ...reply(call, index === size.length - 1 ? null : bill.calls), usage });
    }
    await turn.end();
    await session.idle();
    if (compactAfter !== undefined) await session.compact({ ...compactAfter, reader: READER });
  }
  const { calls, inputTokens, outputTokens } = summarizer.spend;
  bill.summarizer(inputTokens, outputTokens);
  return { bill, summarizerCalls: calls, liveSummaries, rewrites: mostRewrites(await session.records()) };
}

/** Stored tokens beside a text's. */
const AROUND_TEXT = 6;
/** Stored tokens beside those of a text and a call: the call's own. */
const AROUND_CALL = 10;
const NONCE = '0123456789abcdef';

function question({ input }: Call): EventDraft {
  return { role: 'user', content: sized(input - AROUND_TEXT) };
}

function result({ input }: Call, id: number): EventDraft {
  const output = { parts: [{ type: 'text', text: sized(input - AROUND_TEXT) }] } as const;
  return { role: 'tool', content: [{ type: 'toolResult', id: `call-${id}`, name: 'run', output }] };
}

function reply({ output }: Call, id: number | null): EventDraft {
  const common = { role: 'assistant', author: READER.agent } as const;
  if (id === null) return { ...common, content: sized(output - AROUND_TEXT) };
  return {
    ...common,
    content: [
      { type: 'text', text: sized(output - AROUND_CALL) },
      { type: 'toolCall', id: `call-${id}`, name: 'run', input: { json: {} } },
    ],
  };
}
