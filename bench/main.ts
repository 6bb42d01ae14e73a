import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bounded } from './bounded.ts';
import { cost } from './cost.ts';
import type { Benchmark, Report, Reported } from './harness.ts';
import { hashing } from './hashing.ts';
import { history } from './history.ts';
import { importing } from './importing.ts';
import { manyWriters } from './many-writers.ts';
import { memoryAnswers } from './memory-answers.ts';
import { promptInMemory } from './prompt-in-memory.ts';
import { recall } from './recall.ts';
import { sqlite } from './sqlite.ts';
import { stuck } from './stuck.ts';
import { summarizing } from './summarizing.ts';
import { table } from './table.ts';
import { tokenCounting } from './token-counting.ts';

const BENCHMARKS: readonly Benchmark[] = [
  tokenCounting,
  hashing,
  promptInMemory,
  sqlite,
  history,
  recall,
  manyWriters,
  importing,
  summarizing,
  memoryAnswers,
];

const REPORTS: readonly Report[] = [...BENCHMARKS.map(reportOf), bounded, stuck, cost];

const USAGE = `npm run -s bench -- [--short] [--json] [NAME…]

Measures, and shows what DESIGN §13 asks beside each figure. Says "over" where it is missed; never fails for it.
How far a long run is goes to stderr.

  --short   smaller inputs and fewer samples, for CI
  --json    one JSON array of rows instead of tables
  NAME      any of: ${REPORTS.map(({ name }) => name).join(', ')}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { short: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.filter((name) => !REPORTS.some((report) => report.name === name));
  if (unknown.length > 0) {
    console.error(`no benchmark ${unknown.join(', ')}\n\n${USAGE}`);
    return 1;
  }
  const chosen = REPORTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const json = values.json === true;
  if (!json) console.log(`${machine()}\n`);
  const all: object[] = [];
  for (const report of chosen) {
    const { rows, text } = await runOne(report, values.short === true);
    all.push(...rows);
    if (!json) console.log(`${report.name}\n${text}\n`);
  }
  if (json) console.log(JSON.stringify(all, null, 1));
  return 0;
}

function reportOf(benchmark: Benchmark): Report {
  return {
    name: benchmark.name,
    run: async (context) => {
      const rows = await benchmark.run(context);
      return { rows, text: table(rows) };
    },
  };
}

function machine(): string {
  const cores = cpus();
  const [load = 0] = loadavg();
  const busy = load > cores.length / 2 ? ": busy, so figures are worse than the machine's" : '';
  return `Node ${process.version}, ${cores.length} × ${cores[0]?.model ?? 'unknown'}, load ${load.toFixed(1)}${busy}`;
}

async function runOne(report: Report, short: boolean): Promise<Reported> {
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'));
  try {
    return await report.run({ short, directory, progress: progressOf(report.name) });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Milliseconds between two lines about progress. */
const BETWEEN_LINES = 2_000;

/** Says how far a run is, on stderr, now and then. */
function progressOf(name: string): (text: string) => void {
  let said = performance.now();
  return (text) => {
    const now = performance.now();
    if (now - said < BETWEEN_LINES) return;
    said = now;
    console.error(`${name}: ${text}`);
  };
}

process.exitCode = await main();
