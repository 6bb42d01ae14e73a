import { policy } from '../src/engine/bounded-policy.ts';
import type { Policy } from '../src/engine/policy.ts';
import { SUMMARY_CHARACTERS, simulate } from './bounded/simulate.ts';
import type { Report } from './harness.ts';
import { columns } from './table.ts';

/** One policy over so many turns. */
interface BoundedRow {
  readonly policy: 'sliding' | 'rolling' | 'rollup' | 'composed';
  /** The most summaries its roll-up leaves; null: it has none. */
  readonly maxLive: number | null;
  /** Turns a sliding window takes. */
  readonly interval: number;
  readonly turns: number;
  /** The last prompt that was prepared, and the largest. */
  readonly promptTokens: number;
  readonly mostPromptTokens: number;
  readonly budgetTokens: number;
  readonly liveSummaries: number;
  readonly summarizerCalls: number;
  /** What the summarizer read, 400 tokens of instructions a call included, and wrote. */
  readonly summarizerTokens: number;
  /** The most summaries anything said passed through. */
  readonly maxFactRewrites: number;
  readonly overBudgetTurns: number;
}

const BUDGET = 16_000;
const LIMIT = { maxInput: BUDGET + 1_000, margin: 1_000 };
/** Where summaries are rolled up, a window a turn: so many windows as turns, which is what rewrites are bounded by. */
const sliding = { interval: 1 };

type Names = Pick<BoundedRow, 'policy' | 'maxLive' | 'interval'>;

const POLICIES: readonly (Names & { readonly settings: Policy })[] = [
  { policy: 'sliding', maxLive: null, interval: 10, settings: { sliding: { interval: 10 } } },
  { policy: 'rolling', maxLive: 1, interval: 1, settings: { sliding, rollUp: { maxLive: 1 } } },
  { policy: 'rollup', maxLive: 8, interval: 1, settings: { sliding, rollUp: { maxLive: 8 } } },
  { policy: 'rollup', maxLive: 12, interval: 1, settings: { sliding, rollUp: { maxLive: 12 } } },
  {
    policy: 'composed',
    maxLive: 12,
    interval: 1,
    settings: policy.bounded({ contextLimit: LIMIT, sliding }),
  },
];

/** What others are known to come to, for the table. */
const PEERS = `known of others: both strategies on, Go ADK, 520-character summaries: 13,935 characters and growing, against 543 with
one of them alone; over 160 turns 41,000 against 550; a gate that never opened again: 45,056 tokens at a threshold of 2,000`;

/** Whether prompts stay bounded, and what that costs: calls, tokens, and how often the oldest fact is rewritten. */
export const bounded: Report = {
  name: 'bounded',
  async run({ short, progress }) {
    const rows: BoundedRow[] = [];
    for (const turns of short ? [60, 300] : [60, 300, 10_000]) {
      for (const { settings, ...names } of POLICIES) {
        const { spend, ...simulated } = await simulate({
          policy: settings,
          turns,
          budgetTokens: BUDGET,
          onTurn: (turn) => progress(`${names.policy} ${names.maxLive ?? ''}: turn ${turn} of ${turns}`),
        });
        rows.push({
          ...names,
          turns,
          ...simulated,
          budgetTokens: BUDGET,
          summarizerCalls: spend.calls,
          summarizerTokens: spend.inputTokens + spend.outputTokens,
        });
      }
    }
    return { rows, text: textOf(rows) };
  },
};

const HEAD = [
  'policy',
  'interval',
  'turns',
  'last prompt',
  'largest',
  'budget',
  'over',
  'summaries',
  'calls',
  'their tokens',
  'most rewrites',
];

function textOf(rows: readonly BoundedRow[]): string {
  const lines = rows.map((row) => [
    row.maxLive === null ? row.policy : `${row.policy}, K = ${row.maxLive}`,
    ...[
      row.interval,
      row.turns,
      row.promptTokens,
      row.mostPromptTokens,
      row.budgetTokens,
      row.overBudgetTurns,
      row.liveSummaries,
      row.summarizerCalls,
      row.summarizerTokens,
      row.maxFactRewrites,
    ].map((value) => value.toLocaleString('en-US')),
  ]);
  const about = `tokens; summaries of ${SUMMARY_CHARACTERS} characters; "over": turns whose prompt was over the budget`;
  return [about, columns([HEAD, ...lines], (column) => column > 0), PEERS].join('\n');
}
