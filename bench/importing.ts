import { join } from 'node:path';
import { runChild } from './child.ts';
import { writeClaudeCodeLog } from './claude-code-log.ts';
import { type Benchmark, type Row, row } from './harness.ts';

const SINKS = [
  { sink: 'nothing', label: 'nothing kept', bounds: false },
  { sink: 'memory', label: 'memory store', bounds: false },
  { sink: 'sqlite', label: 'SQLite', bounds: true },
] as const;

/** Import of a long session log, each in a process of its own so that its peak memory is its own. */
export const importing: Benchmark = {
  name: 'import',
  async run({ short, directory }) {
    const log = join(directory, 'session.jsonl');
    const small = join(directory, 'small.jsonl');
    await writeClaudeCodeLog(small, 100_000);
    const bytes = await writeClaudeCodeLog(log, short ? 20_000_000 : 200_000_000);
    const rows: Row[] = [];
    for (const { sink, label, bounds } of SINKS) {
      const speeds: number[] = [];
      const cpu: number[] = [];
      const peaks: number[] = [];
      await runChild('import-child.ts', [small, sink, join(directory, `${sink}-small.db`)], directory);
      for (let run = 0; run < (short ? 1 : 3); run += 1) {
        const file = join(directory, `${sink}-${run}.db`);
        const { milliseconds, cpuMilliseconds, peakBytes } = (await runChild(
          'import-child.ts',
          [log, sink, file],
          directory,
        )) as Imported;
        speeds.push(bytes / 1_000 / milliseconds);
        cpu.push(bytes / 1_000 / cpuMilliseconds);
        peaks.push(peakBytes / 1e6);
      }
      const name = `Claude Code log of ${Math.round(bytes / 1e6)} MB, ${label}`;
      rows.push(row(name, 'MB/s', speeds, bounds ? { bound: { atLeast: 60 } } : {}));
      rows.push(row(`${name}, of CPU time`, 'MB/s', cpu));
      rows.push(row(`${name}, peak memory`, 'MB', peaks, bounds ? { bound: { atMost: 160 } } : {}));
    }
    return rows;
  },
};

interface Imported {
  readonly milliseconds: number;
  /** Of the whole process, its start included. */
  readonly cpuMilliseconds: number;
  readonly peakBytes: number;
}
