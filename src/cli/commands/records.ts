import { Command } from 'commander';
import { RecordGraph } from '../../coverage/record-graph.ts';
import { type SessionFlags, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readSession } from '../open.ts';
import { recordRows, recordsReport } from '../report/records-report.ts';

/** `palimpsest records`: every summary ever made of a session, and which stand now. */
export function recordsCommand(io: Io): Command {
  const command = new Command('records')
    .summary('list the summaries of a session')
    .description(
      'Lists the records of a session: which events each covers, what it saves, and whether it is live.',
    )
    .action((flags: SessionFlags) =>
      readSession(flags, async (session) => {
        const graph = new RecordGraph(await session.records());
        if (flags.json === true) {
          writeJson(io.out, { session: session.key.session, records: recordRows(graph) });
        } else writeLines(io.out, recordsReport(io.out.look, graph));
      }),
    );
  return withExamples(withSession(command), ['palimpsest records --store work.db']);
}
