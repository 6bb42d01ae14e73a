import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { attemptsCommand } from './commands/attempts.ts';
import { compactCommand } from './commands/compact.ts';
import { demoCommand } from './commands/demo.ts';
import { explainCommand } from './commands/explain.ts';
import { importCommand } from './commands/import.ts';
import { pinCommand } from './commands/pin.ts';
import { promptCommand } from './commands/prompt.ts';
import { recordsCommand } from './commands/records.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { spendCommand } from './commands/spend.ts';
import { redoCommand, undoCommand } from './commands/undo.ts';
import { validateSummaryCommand } from './commands/validate-summary.ts';
import { verifyCommand } from './commands/verify.ts';
import type { Io } from './io.ts';

const COMMANDS = [
  compactCommand,
  importCommand,
  promptCommand,
  explainCommand,
  recordsCommand,
  attemptsCommand,
  verifyCommand,
  undoCommand,
  redoCommand,
  pinCommand,
  sessionsCommand,
  spendCommand,
  validateSummaryCommand,
  demoCommand,
];

const EPILOGUE = `
Exit codes:
  0    done
  1    it failed: a file that cannot be read or is no log, a check that found a
       problem, a summarizer that failed; one line on standard error says which
  2    called in a way that cannot work
  130  interrupted; what was stored before stays

Start here:
  $ palimpsest demo
  $ palimpsest compact ~/.claude/projects/PROJECT/SESSION.jsonl
  $ palimpsest compact SESSION.jsonl --as text --out smaller-prompt.txt`;

/** The whole command line, bound to where it reads and writes. Errors are thrown. */
export function createProgram(io: Io): Command {
  const program = new Command('palimpsest')
    .description(
      'Makes the prompt of an agent session smaller without losing a turn: summaries stand in for exactly the events they were made from, and every event is accounted for.',
    )
    .version(version())
    .addHelpText('after', EPILOGUE)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      // The one line that says what failed is written by whoever catches what is thrown.
      writeErr: () => undefined,
      getOutHelpWidth: () => io.out.look.width,
      getOutHasColors: () => false,
    });
  for (const create of COMMANDS) program.addCommand(create(io).copyInheritedSettings(program));
  return program;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
