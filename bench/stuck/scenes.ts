import { policy } from '../../src/engine/bounded-policy.ts';
import type { Session, Turn } from '../../src/engine/session.ts';
import type { EventDraft } from '../../src/event/event.ts';
import { type Scene, textOfTokens } from './scene.ts';

/** Tokens a prompt may take where a scene does not say otherwise. */
const BUDGET = 16_000;
const bounded = policy.bounded({ contextLimit: BUDGET });
/** Calls of tools in a turn that is a loop of them. */
const ROUNDS = 30;

/** All scenes; those of 10,000 turns are shorter on request. */
export function scenes(short: boolean): readonly Scene[] {
  return [
    {
      name: 'a threshold below what summaries take',
      policy: { tail: { trigger: { tokens: 4_000 }, keep: { events: 2 } }, rollUp: { maxLive: 12 } },
      turns: 100,
      budgetTokens: 4_000,
    },
    {
      name: 'a threshold below what the kept tail takes',
      policy: {
        tail: { trigger: { tokens: 4_000 }, keep: { events: 24 } },
        rollUp: { maxLive: 12 },
        maxSummaryTokens: 150,
      },
      turns: 100,
      budgetTokens: 4_000,
    },
    {
      name: 'a threshold below what a summary and the kept tail take',
      policy: {
        tail: { trigger: { tokens: 500 }, keep: { events: 2 } },
        rollUp: { maxLive: 1 },
        maxSummaryTokens: 200,
      },
      turns: 100,
      budgetTokens: 500,
    },
    {
      name: 'a fixed prefix already over the threshold',
      policy: {
        tail: { trigger: { tokens: 4_000 }, keep: { events: 2 } },
        rollUp: { maxLive: 12 },
        maxSummaryTokens: 150,
        contextLimit: BUDGET,
      },
      unknownOverhead: 5_000,
      turns: 100,
      budgetTokens: BUDGET,
    },
    {
      name: 'instructions over the budget',
      policy: bounded,
      turns: 100,
      budgetTokens: BUDGET,
      before: (session) => session.append([{ role: 'system', content: textOfTokens(BUDGET + 1_000) }]),
    },
    {
      name: `a pinned giant over the threshold, ${ROUNDS} tool calls a turn`,
      policy: {
        tail: { trigger: { tokens: 4_000 }, keep: { events: 2 } },
        rollUp: { maxLive: 12 },
        maxSummaryTokens: 150,
        contextLimit: 64_000,
      },
      turns: 20,
      budgetTokens: 64_000,
      before: pinnedGiant,
      middle: toolLoop,
    },
    {
      name: `a giant question in each turn, ${ROUNDS} tool calls after it`,
      policy: { ...bounded, contextLimit: 64_000 },
      turns: 20,
      budgetTokens: 64_000,
      middle: async (turn, number, prepare) => {
        await turn.append({ role: 'user', content: textOfTokens(70_000) });
        await toolLoop(turn, number, prepare);
      },
    },
    {
      name: 'a summarizer that always fails',
      policy: bounded,
      turns: 100,
      budgetTokens: BUDGET,
      answer: fails(Number.POSITIVE_INFINITY),
    },
    ...[1, 2, 3, 4, 5].map(
      (times): Scene => ({
        name: `a summarizer that fails ${times} ${times === 1 ? 'time' : 'times'}`,
        policy: { sliding: { interval: 100 } },
        turns: 100 + 2 ** (times + 1),
        budgetTokens: null,
        answer: fails(times),
      }),
    ),
    {
      name: '3M tokens at once, a summarizer that takes 200k',
      policy: policy.bounded({ contextLimit: 200_000 }),
      turns: 100,
      budgetTokens: 200_000,
      // At four characters a token.
      maxTranscriptCodePoints: 800_000,
      before: backlog,
    },
    {
      name: 'two fresh branches a turn',
      policy: bounded,
      turns: short ? 300 : 10_000,
      budgetTokens: BUDGET,
      middle: async (turn, number) => {
        for (const name of ['left', 'right']) {
          const lane = { branch: `${name}${number}`, isolation: '' };
          await turn.append({ role: 'assistant', lane, content: textOfTokens(400) });
        }
      },
    },
  ];
}

function fails(times: number): (request: unknown, call: number) => string {
  return (_request, call) => {
    if (call <= times) throw new Error('429');
    return textOfTokens(130);
  };
}

async function pinnedGiant(session: Session): Promise<void> {
  const [event] = await session.append([{ role: 'user', content: textOfTokens(10_000) }]);
  if (event !== undefined) await session.pin(event.seq);
}

async function toolLoop(turn: Turn, number: number, prepare: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    await prepare();
    const id = `call-${number}-${round}`;
    await turn.append(call(id), result(id, 300));
  }
}

/** 3,000 turns that were imported. */
async function backlog(session: Session): Promise<void> {
  const drafts: EventDraft[] = [];
  for (let turn = 1; turn <= 3_000; turn += 1) {
    const invocation = `old-${turn}`;
    drafts.push({ role: 'user', invocation, content: textOfTokens(400) });
    drafts.push({ role: 'assistant', invocation, content: textOfTokens(600) });
  }
  await session.append(drafts);
}

function call(id: string): EventDraft {
  return {
    role: 'assistant',
    author: 'agent',
    content: [{ type: 'toolCall', id, name: 'look', input: { json: {} } }],
  };
}

function result(id: string, tokens: number): EventDraft {
  return {
    role: 'tool',
    content: [{ type: 'toolResult', id, output: { parts: [{ type: 'text', text: textOfTokens(tokens) }] } }],
  };
}
