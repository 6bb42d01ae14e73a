import { Command } from 'commander';
import { RecordGraph } from '../../coverage/record-graph.ts';
import { parseSeq, type SessionFlags, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readSession } from '../open.ts';
import { explainReport } from '../report/explain-report.ts';

/** `palimpsest explain`: what became of one event. */
export function explainCommand(io: Io): Command {
  const command = new Command('explain')
    .summary('say where one event went, and why')
    .description(
      'Says where one event went: shown as it is and why, or covered by which summary, through which others.',
    )
    .argument('<seq>', 'the number of the event', parseSeq)
    .action((seq: number, flags: SessionFlags) =>
      readSession(flags, async (session) => {
        const explanation = await session.explain(seq);
        if (flags.json === true) {
          writeJson(io.out, { session: session.key.session, ...explanation });
          return;
        }
        writeLines(io.out, explainReport(io.out.look, explanation, new RecordGraph(await session.records())));
      }),
    );
  return withExamples(withSession(command), ['palimpsest explain 12 --store work.db']);
}
