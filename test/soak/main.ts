import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, runProcesses } from '../support/many-processes.ts';

const USAGE = `npm run -s soak -- [--minutes N] [--workers N] [--kills N] [--seed N]

Rounds of several processes on one SQLite file, some of them killed in the midst of their work, until the time is over.
After each round everything that was acknowledged must be there, every view must show each event once, and no lease may
be stuck. Exits with 1, and keeps the file, when something is wrong.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    workers: { type: 'string', default: '9' },
    kills: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean' },
  },
});

if (values.help === true) console.log(USAGE);
else process.exitCode = await soak();

async function soak(): Promise<number> {
  const until = performance.now() + Number(values.minutes) * 60_000;
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-soak-'));
  for (let round = 0; performance.now() < until; round += 1) {
    const seed = Number(values.seed) + round;
    const path = join(directory, `round-${round}.db`);
    const started = performance.now();
    const acknowledged = await runProcesses({
      path,
      workers: Number(values.workers),
      kills: Number(values.kills),
      events: 2_000,
      seed,
    });
    const faults = await faultsOf(path, acknowledged);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const did = `${acknowledged.events.size} events, ${acknowledged.records.size} records acknowledged`;
    console.log(`seed ${seed}: ${did}, ${values.kills} killed, ${faults.length} faults in ${seconds} s`);
    if (faults.length > 0) {
      for (const fault of faults.slice(0, 20)) console.error(`  ${fault}`);
      console.error(`  the file is ${path}`);
      return 1;
    }
  }
  rmSync(directory, { recursive: true });
  return 0;
}
