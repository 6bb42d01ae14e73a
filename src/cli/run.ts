import { CommanderError } from 'commander';
import { describeFailure, EXIT, type ExitCode } from './failure.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';
import { createProgram } from './program.ts';
import { visible } from './text/visible.ts';

/** Runs one command in this process and ends it with the command's exit code. */
export async function runCli(args: readonly string[]): Promise<void> {
  const { io, flush } = processIo(EXIT.interrupted);
  let code = await run(args, io);
  const failed = await flush();
  if (failed !== null && code === EXIT.ok) {
    io.err.write(`palimpsest: the result could not be written: ${describeFailure(failed).line}\n`);
    code = EXIT.failed;
  }
  // A model call nobody waits for any more must not keep the process.
  process.exit(code);
}

/** Runs one command; its exit code. Nothing is thrown: what failed is one line on `io.err`. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const program = createProgram(io);
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (io.signal.aborted) {
      io.err.write('palimpsest: interrupted; what was stored before stays, nothing is half-written\n');
      return EXIT.interrupted;
    }
    if (error instanceof CommanderError) return usage(error, args, io);
    const { line, exitCode } = describeFailure(error);
    io.err.write(`palimpsest: ${line}\n`);
    return exitCode;
  }
}

/** Commander ends `--help` and `--version` by throwing too. */
function usage(error: CommanderError, args: readonly string[], io: Io): ExitCode {
  if (error.exitCode === 0) return EXIT.ok;
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  const command = error.code === 'commander.unknownCommand' ? '' : ` ${args[0] ?? ''}`;
  io.err.write(`palimpsest: ${visible(message)}; see palimpsest${visible(command)} --help\n`);
  return EXIT.usage;
}
