import { ROOT_LANE } from '../../event/lane.ts';
import { parseWithSources } from '../exact-numbers.ts';
import type { LogFormatReader, LogHead } from '../format.ts';
import type { ImportRun } from '../import-run.ts';
import {
  type JsonLine,
  type LineReader,
  parseLine,
  parseText,
  type RawLine,
  readLines,
} from '../read-lines.ts';
import { RolledBack } from './rolled-back.ts';
import { isRolloutLine, Rollout, type RolloutTarget } from './rollout.ts';

const ROLLED_BACK = Buffer.from('"thread_rolled_back"');
/** Items whose arguments are JSON values; all others carry them as text. */
const VALUE_ARGUMENTS = /"(?:local_shell|tool_search)_call"/;

/** Codex's rollouts: one JSON object a line. Read twice only where turns were taken back; see docs/importing.md. */
export const codex: LogFormatReader = {
  format: 'codex',
  sniff: ({ lines }: LogHead): boolean => lines.some(isRolloutLine),
  async read(run: ImportRun): Promise<void> {
    run.passes = 2;
    let found = false;
    const size = await readLines(run, {
      line: ({ bytes, start, end }) => {
        found ||= bytes.subarray(start, end).includes(ROLLED_BACK);
      },
      tooLong: () => undefined,
    });
    const rolledBack = found ? await findRolledBack(run, size) : null;
    const target: RolloutTarget = {
      event: (said, line, id, bytes) => {
        run.event(said, { line, id, lane: rolledBack?.laneOf(line) ?? ROOT_LANE, bytes });
      },
      merged: () => run.tally.merged(),
      skip: (_line, reason) => run.tally.skip(reason),
      rollBack: () => run.note('times turns were taken back, each a lane of its own'),
    };
    const rollout = new Rollout(target);
    await readLines(
      run,
      {
        line: (raw) => {
          const parsed = parseLine(raw, run);
          if (parsed === null) return;
          read(rollout, parsed, raw);
          run.named(rollout.session);
        },
        tooLong: () => run.tally.skip('line_too_long'),
      },
      size,
    );
    rollout.end();
  },
};

async function findRolledBack(run: ImportRun, size: number): Promise<RolledBack> {
  run.passes = 3;
  const rolledBack = new RolledBack();
  const rollout = new Rollout(rolledBack);
  const reader: LineReader = {
    line: (raw) => {
      const text = raw.bytes.toString('utf8', raw.start, raw.end);
      const value = parseText(text);
      if (value !== undefined) read(rollout, { value, text }, raw);
    },
    tooLong: () => undefined,
  };
  await readLines(run, reader, size);
  rollout.end();
  return rolledBack;
}

function read(rollout: Rollout, parsed: JsonLine, raw: RawLine): void {
  const exact = VALUE_ARGUMENTS.test(parsed.text) ? parseWithSources(parsed.text) : null;
  rollout.line(exact?.revived ?? parsed.value, exact?.numbers ?? null, raw.number, raw.end - raw.start);
}
