import { Command } from 'commander';
import { CliFailure, describeFailure, usageFailure } from '../failure.ts';
import { withExamples, withJson } from '../flags.ts';
import { type ImportedLog, importSession } from '../import-session.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { withStore } from '../open.ts';
import { importedLines } from '../report/imported-lines.ts';
import { visible } from '../text/visible.ts';

const INDENT = '  ';

interface ImportFlags {
  readonly store: string;
  readonly session?: string;
  readonly json?: boolean;
}

interface Done extends ImportedLog {
  readonly file: string;
  readonly events: number;
}

/** `palimpsest import`: keeps logs in a store, without compacting. */
export function importCommand(io: Io): Command {
  const command = new Command('import')
    .summary('import logs into a store')
    .description(
      'Imports session logs into a store. A log that grew is imported again: only what is new is stored.',
    )
    .argument('<files...>', 'session logs; the format is recognised by what is in them')
    .requiredOption('--store <db>', 'the SQLite file; made when it is missing')
    .option('--session <id>', "what the session is called (default: the log's own id); for one file")
    .action((files: readonly string[], flags: ImportFlags) => importFiles(io, files, flags));
  return withExamples(withJson(command), [
    'palimpsest import session.jsonl --store work.db',
    'palimpsest import ~/.claude/projects/my-project/*.jsonl --store work.db',
  ]);
}

/** A file that cannot be imported does not keep the others from it; the command fails at the end. */
async function importFiles(io: Io, files: readonly string[], flags: ImportFlags): Promise<void> {
  if (flags.session !== undefined && files.length > 1) {
    throw usageFailure('--session names one session; import one file, or leave it out');
  }
  await withStore({ path: flags.store, create: true }, async (open) => {
    const done: Done[] = [];
    const failed: { readonly file: string; readonly problem: string }[] = [];
    for (const file of files) {
      try {
        const log = await importSession(io, open, file, flags.session);
        done.push({ file, ...log, events: (await log.session.info())?.events ?? 0 });
      } catch (error) {
        if (io.signal.aborted || files.length === 1) throw error;
        failed.push({ file, problem: describeFailure(error).line });
      }
    }
    if (flags.json === true) {
      const imports = done.map(({ file, session, report, events }) => ({
        file,
        session: session.key.session,
        events,
        ...report,
      }));
      writeJson(io.out, { store: flags.store, imports, failed });
    } else {
      writeLines(
        io.out,
        done.flatMap((log) => describe(io, log)),
      );
      for (const { problem } of failed) io.err.write(`palimpsest: ${problem}\n`);
    }
    if (failed.length > 0) {
      throw new CliFailure(`${failed.length} of ${files.length} files could not be imported`);
    }
  });
}

function describe(io: Io, { file, session, report, events }: Done): string[] {
  const { look } = io.out;
  const lines = importedLines(look.width - INDENT.length, report, events).map((line) => INDENT + line);
  return [`${visible(file)} ${look.marks.arrow} session ${visible(session.key.session)}`, ...lines];
}
