import { Command } from 'commander';
import { withExamples, withJson } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { withExistingStore } from '../open.ts';
import { sessionsReport } from '../report/sessions-report.ts';

/** `palimpsest sessions`: what a store holds. */
export function sessionsCommand(io: Io): Command {
  const command = new Command('sessions')
    .summary('list the sessions of a store')
    .description('Lists the sessions of a store.')
    .requiredOption('--store <db>', 'the SQLite file')
    .action(async (flags: { readonly store: string; readonly json?: boolean }) => {
      const sessions = await withExistingStore(flags.store, ({ store }) => store.sessions());
      if (flags.json === true) writeJson(io.out, { store: flags.store, sessions });
      else writeLines(io.out, sessionsReport(io.out.look, sessions));
    });
  return withExamples(withJson(command), ['palimpsest sessions --store work.db']);
}
