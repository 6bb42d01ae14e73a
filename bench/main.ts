import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark, Row } from './harness.ts';
import { hashing } from './hashing.ts';
import { history } from './history.ts';
import { importing } from './importing.ts';
import { manyWriters } from './many-writers.ts';
import { memoryAnswers } from './memory-answers.ts';
import { promptInMemory } from './prompt-in-memory.ts';
import { recall } from './recall.ts';
import { sqlite } from './sqlite.ts';
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

const USAGE = `npm run -s bench -- [--short] [--json] [NAME…]

Measures, and shows what DESIGN §13 asks beside each figure. Says "over" where it is missed; never fails for it.

  --short   smaller inputs and fewer samples, for CI
  --json    one JSON array of rows instead of tables
  NAME      any of: ${BENCHMARKS.map(({ name }) => name).join(', ')}`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { short: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    console.error(`no benchmark ${unknown.join(', ')}\n\n${USAGE}`);
    return 1;
  }
  const chosen = BENCHMARKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const json = values.json === true;
  if (!json) console.log(`${machine()}\n`);
  const all: Row[] = [];
  for (const benchmark of chosen) {
    const rows = await runOne(benchmark, values.short === true);
    all.push(...rows);
    if (!json) console.log(`${benchmark.name}\n${table(rows)}\n`);
  }
  if (json) console.log(JSON.stringify(all, null, 1));
  return 0;
}

function machine(): string {
  const cores = cpus();
  const [load = 0] = loadavg();
  const busy = load > cores.length / 2 ? ": busy, so figures are worse than the machine's" : '';
  return `Node ${process.version}, ${cores.length} × ${cores[0]?.model ?? 'unknown'}, load ${load.toFixed(1)}${busy}`;
}

async function runOne(benchmark: Benchmark, short: boolean): Promise<readonly Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'));
  try {
    return await benchmark.run({ short, directory });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

process.exitCode = await main();
