import { Command } from 'commander';
import { type SessionFlags, wholeNumber, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readSession } from '../open.ts';
import { attemptsReport } from '../report/attempts-report.ts';

/** `palimpsest attempts`: what was tried, and what became of it. */
export function attemptsCommand(io: Io): Command {
  const command = new Command('attempts')
    .summary('list what was tried, and what became of it')
    .description(
      'Lists the attempts to compact a session: what each set out to cover, how it ended, and why.',
    )
    .option('--newest <n>', 'only the newest this many', wholeNumber(1, ''))
    .action((flags: SessionFlags & { readonly newest?: number }) =>
      readSession(flags, async (session) => {
        const attempts = await session.attempts(flags.newest === undefined ? {} : { newest: flags.newest });
        if (flags.json === true) writeJson(io.out, { session: session.key.session, attempts });
        else writeLines(io.out, attemptsReport(io.out.look, attempts));
      }),
    );
  return withExamples(withSession(command), ['palimpsest attempts --store work.db --newest 10']);
}
