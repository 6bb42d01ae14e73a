import { costOfNone } from './cost/none.ts';
import { play } from './cost/play.ts';
import { candidates } from './cost/policies.ts';
import { callSizes, drawTurns, type Workload, workloads } from './cost/workloads.ts';
import type { Report } from './harness.ts';
import { columns } from './table.ts';
import { seeded } from './texts.ts';

/** One policy on one workload. Costs are input-token equivalents a call of the model. */
interface CostRow {
  readonly workload: string;
  readonly policy: string;
  readonly kind: 'default' | 'swept' | 'other';
  readonly sessions: number;
  readonly callsOfModel: number;
  readonly cost: number;
  /** The cheapest and the dearest of the sessions. */
  readonly least: number;
  readonly most: number;
  /** Of the mean cost, the part of the summarizer. */
  readonly summarizer: number;
  /** Mean cost over that of the best swept policy, less one. */
  readonly overBest: number;
  readonly mostPromptTokens: number;
  readonly summarizerCalls: number;
  readonly liveSummaries: number;
  readonly rewrites: number;
}

/** The default must cost no more than this over the best swept policy. */
const WITHIN = 0.1;

/** What whole sessions cost under the price model, the default policy against fixed ones. */
export const cost: Report = {
  name: 'cost',
  async run({ short, progress }) {
    const rows: CostRow[] = [];
    const about: string[] = [];
    const [sessions, calls] = short ? [1, 400] : [5, 2_000];
    for (const workload of await workloads()) {
      rows.push(...(await measure(workload, sessions, calls, short, progress)));
      about.push(described(workload));
    }
    return { rows, text: textOf(rows, about, sessions, calls) };
  },
};

interface Sample {
  readonly cost: number;
  readonly summarizer: number;
  readonly mostPromptTokens: number;
  readonly summarizerCalls: number;
  readonly liveSummaries: number;
  readonly rewrites: number;
}

async function measure(
  workload: Workload,
  sessions: number,
  calls: number,
  short: boolean,
  progress: (text: string) => void,
): Promise<readonly CostRow[]> {
  const drawn = Array.from({ length: sessions }, (_, seed) => drawTurns(workload, calls, seeded(100 + seed)));
  const rows: CostRow[] = [];
  const names = { workload: workload.name, callsOfModel: calls };
  for (const candidate of candidates(workload, short)) {
    const { name, kind } = candidate;
    const samples: Sample[] = [];
    for (const turns of drawn) {
      progress(`${workload.name}: ${name}, session ${samples.length + 1} of ${sessions}`);
      const { bill, ...rest } = await play(candidate, workload, turns);
      const { perCall, summarizerPerCall: summarizer, mostPromptTokens } = bill;
      samples.push({ cost: perCall, summarizer, mostPromptTokens, ...rest });
    }
    rows.push(rowOf({ ...names, policy: name, kind }, samples));
  }
  const uncompacted = drawn.map((turns): Sample => {
    const { perCall, mostTokens } = costOfNone(workload.systemTokens, turns);
    const none = { summarizer: 0, summarizerCalls: 0, liveSummaries: 0, rewrites: 0 };
    return { ...none, cost: perCall, mostPromptTokens: mostTokens };
  });
  rows.push(rowOf({ ...names, policy: 'none', kind: 'other' }, uncompacted));
  const best = Math.min(...rows.filter(({ kind }) => kind === 'swept').map((row) => row.cost));
  return rows.map((row) => ({ ...row, overBest: row.cost / best - 1 }));
}

function rowOf(
  names: Pick<CostRow, 'workload' | 'policy' | 'kind' | 'callsOfModel'>,
  samples: readonly Sample[],
): CostRow {
  const costs = samples.map((sample) => sample.cost);
  const most = (of: (sample: Sample) => number): number => Math.max(...samples.map(of));
  return {
    ...names,
    sessions: samples.length,
    cost: mean(costs),
    least: Math.min(...costs),
    most: Math.max(...costs),
    summarizer: mean(samples.map(({ summarizer }) => summarizer)),
    overBest: 0,
    mostPromptTokens: most((sample) => sample.mostPromptTokens),
    summarizerCalls: Math.round(mean(samples.map((sample) => sample.summarizerCalls))),
    liveSummaries: most((sample) => sample.liveSummaries),
    rewrites: most((sample) => sample.rewrites),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function described(workload: Workload): string {
  const { count, mean: tokens, p99 } = callSizes(workload);
  const { name, from, systemTokens, summaryTokens, turns } = workload;
  return `${name}: ${from}; ${turns.length} turns of ${count} calls, ${Math.round(tokens)} tokens a call, p99 ${p99}; system ${systemTokens}, summaries ${summaryTokens}`;
}

const HEAD = [
  '',
  '',
  'cost a call',
  'least – most',
  'summarizer',
  'over best',
  'must',
  'largest',
  'calls',
  'live',
  'rewrites',
];

function textOf(rows: readonly CostRow[], about: readonly string[], sessions: number, calls: number): string {
  const number = (value: number): string => Math.round(value).toLocaleString('en-US');
  const lines = rows.map((row) => [
    row.workload,
    row.policy,
    number(row.cost),
    `${number(row.least)} – ${number(row.most)}`,
    number(row.summarizer),
    `${(100 * row.overBest).toFixed(1)} %`,
    row.kind === 'default' ? `≤ ${100 * WITHIN} % ${row.overBest <= WITHIN ? 'ok' : 'over'}` : '',
    number(row.mostPromptTokens),
    number(row.summarizerCalls),
    number(row.liveSummaries),
    number(row.rewrites),
  ]);
  return [
    `input-token equivalents a call of the model; ${sessions} sessions of ${number(calls)} calls, drawn turn by turn`,
    ...about,
    columns([HEAD, ...lines], (column) => column > 1 && column !== 6),
  ].join('\n');
}
