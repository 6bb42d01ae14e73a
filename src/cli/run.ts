import { setImmediate } from 'node:timers/promises';
import { type Command, CommanderError } from 'commander';
import { describeFailure, EXIT, type ExitCode } from './failure.ts';
import type { Io } from './io.ts';
import { processIo } from './process-io.ts';
import { createProgram } from './program.ts';
import { visible } from './text/visible.ts';

/** Runs one command in this process and ends it with the command's exit code. */
export async function runCli(args: readonly string[], interrupted: AbortSignal): Promise<void> {
  const { io, flush } = processIo(interrupted);
  // A signal that came while all this was loaded is heard in the event loop's next turn.
  await setImmediate();
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
    io.signal.throwIfAborted();
    const program = createProgram(io);
    if (args.length === 0) program.outputHelp();
    else await parse(program, args);
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

/** Commander asks for the option that is missing before it notices the mistyped one that was meant: that is told first. */
async function parse(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code !== 'commander.missingMandatoryOptionValue')
      throw error;
    const command = program.commands.find((each) => each.name() === args[0]);
    if (command === undefined || command.parseOptions(args.slice(1)).unknown.length === 0) throw error;
    // Without the demand, the same arguments end with the option that is unknown.
    for (const option of command.options) option.mandatory = false;
    await program.parseAsync(args, { from: 'user' });
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
