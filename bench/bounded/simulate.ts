import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Policy } from '../../src/engine/policy.ts';
import type { EventDraft } from '../../src/event/event.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { seeded, textOf } from '../texts.ts';
import { FixedSummarizer, type SummarizerSpend, textOfLength } from './fixed-summarizer.ts';
import { mostRewrites } from './rewrites.ts';

/** What is simulated. */
export interface Simulation {
  readonly policy: Policy;
  readonly turns: number;
  /** Tokens a prompt should take at most; whether the policy knows of it is its own affair. */
  readonly budgetTokens: number;
  /** Called after each turn. */
  readonly onTurn?: (turn: number) => void;
}

/** What came of it. */
export interface Simulated {
  /** Of the last prompt that was prepared, and the largest. */
  readonly promptTokens: number;
  readonly mostPromptTokens: number;
  readonly liveSummaries: number;
  readonly spend: SummarizerSpend;
  readonly maxFactRewrites: number;
  readonly overBudgetTurns: number;
}

/** Characters of each summary: those of the simulation in the Go ADK, for comparison. */
export const SUMMARY_CHARACTERS = 520;
const READER = { agent: 'agent', lane: ROOT_LANE };
const random = seeded(11);
const QUESTIONS = Array.from({ length: 31 }, () => textOf('prose', 300, random));
const ANSWERS = Array.from({ length: 37 }, () => textOf('prose', 1_500, random));

const RESULTS = Array.from({ length: 23 }, () => textOf('prose', 1_900, random));
/** One turn in so many is a loop of so many calls of a tool. */
const LOOP_EVERY = 20;
const ROUNDS = 24;

/**
 * Plays a conversation of questions and answers, and now and then a loop of tool calls, through the engine, on a memory
 * store, with a summarizer that always writes the same.
 */
export async function simulate({ policy, turns, budgetTokens, onTurn }: Simulation): Promise<Simulated> {
  const store = new MemoryStore();
  const summary = textOfLength(SUMMARY_CHARACTERS);
  const summarizer = new FixedSummarizer(store.counter, () => summary);
  const palimpsest = new Palimpsest({ ...policy, literals: false, store, summarizer, nonce: () => NONCE });
  const session = palimpsest.session({ app: 'bench', user: 'bench', session: 'bounded' });
  let promptTokens = 0;
  let mostPromptTokens = 0;
  let overBudgetTurns = 0;
  let liveSummaries = 0;
  const prepare = async (): Promise<void> => {
    const { accounting } = (await session.prepare({ reader: READER, cacheIsCold: false })).prompt;
    promptTokens = accounting.promptTokens;
    liveSummaries = accounting.summaries.events;
  };
  for (let number = 1; number <= turns; number += 1) {
    const turn = await session.begin();
    await turn.append({ role: 'user', content: QUESTIONS[number % QUESTIONS.length] as string });
    let largest = 0;
    const rounds = number % LOOP_EVERY === LOOP_EVERY / 2 ? ROUNDS : 0;
    for (let round = 1; round <= rounds; round += 1) {
      await prepare();
      largest = Math.max(largest, promptTokens);
      await turn.append(...toolCall(`call-${number}-${round}`, round));
    }
    await prepare();
    largest = Math.max(largest, promptTokens);
    mostPromptTokens = Math.max(mostPromptTokens, largest);
    if (largest > budgetTokens) overBudgetTurns += 1;
    await turn.append({
      role: 'assistant',
      author: READER.agent,
      content: ANSWERS[number % ANSWERS.length] as string,
    });
    await turn.end();
    await session.idle();
    onTurn?.(number);
  }
  const maxFactRewrites = mostRewrites(await session.records());
  const { spend } = summarizer;
  return { promptTokens, mostPromptTokens, liveSummaries, spend, maxFactRewrites, overBudgetTurns };
}

/** One for all summaries: the same bytes in each run. */
const NONCE = '0123456789abcdef';

function toolCall(id: string, round: number): readonly EventDraft[] {
  const text = RESULTS[round % RESULTS.length] as string;
  return [
    {
      role: 'assistant',
      author: READER.agent,
      content: [{ type: 'toolCall', id, name: 'look', input: { json: {} } }],
    },
    {
      role: 'tool',
      content: [{ type: 'toolResult', id, name: 'look', output: { parts: [{ type: 'text', text }] } }],
    },
  ];
}
