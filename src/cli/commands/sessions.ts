import { Command } from 'commander';
import { firstRequest } from '../first-request.ts';
import { withExamples, withJson } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readStore } from '../open.ts';
import { type ListedSession, sessionsReport } from '../report/sessions-report.ts';

/** `palimpsest sessions`: what a store holds. */
export function sessionsCommand(io: Io): Command {
  const command = new Command('sessions')
    .summary('list the sessions of a store')
    .description('Lists the sessions of a store.')
    .requiredOption('--store <db>', 'the SQLite file')
    .action(async (flags: { readonly store: string; readonly json?: boolean }) => {
      const sessions = await readStore(flags.store, async ({ store }) => {
        const listed: ListedSession[] = [];
        for (const info of await store.sessions()) {
          listed.push({ ...info, firstRequest: await firstRequest(store, info.key) });
        }
        return listed;
      });
      if (flags.json === true) writeJson(io.out, { store: flags.store, sessions });
      else writeLines(io.out, sessionsReport(io.out.look, sessions));
    });
  return withExamples(withJson(command), ['palimpsest sessions --store work.db']);
}
