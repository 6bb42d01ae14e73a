import { Command } from 'commander';
import type { Problem, VerifyReport } from '../../coverage/problem.ts';
import type { SessionKey } from '../../event/ids.ts';
import { CliFailure } from '../failure.ts';
import { type SessionFlags, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readStore } from '../open.ts';
import { pickSession } from '../pick.ts';
import { verifiedLines } from '../report/verify-report.ts';
import { counted } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { verifySession } from '../verify-session.ts';

const INDENT = '  ';

interface Verified {
  readonly key: SessionKey;
  readonly report: VerifyReport;
}

/** `palimpsest verify`: the proof, of one session or of all in the store. */
export function verifyCommand(io: Io): Command {
  const command = new Command('verify')
    .summary('prove that every event is accounted for')
    .description(
      'Recomputes every hash, digest and count of a store, and checks that each event is raw or covered by exactly one summary. Without --session, of every session.',
    )
    .action((flags: SessionFlags) => verify(io, flags));
  return withExamples(withSession(command), [
    'palimpsest verify --store work.db',
    'palimpsest verify --store work.db --json && echo proved',
  ]);
}

async function verify(io: Io, flags: SessionFlags): Promise<void> {
  const all = await readStore(flags.store, async (palimpsest) => {
    const sessions = await palimpsest.store.sessions();
    const keys =
      flags.session === undefined ? sessions.map(({ key }) => key) : [pickSession(sessions, flags.session)];
    const verified: Verified[] = [];
    for (const key of keys) verified.push({ key, report: await verifySession(io, palimpsest.session(key)) });
    return verified;
  });
  const problems = all.flatMap(({ key, report }) =>
    report.problems.map((problem): Problem & { session: string } => ({ session: key.session, ...problem })),
  );
  const ok = all.every(({ report }) => report.ok);
  if (flags.json === true) {
    const sum = (of: (report: VerifyReport) => number): number =>
      all.reduce((total, { report }) => total + of(report), 0);
    writeJson(io.out, {
      ok,
      sessions: all.length,
      events: sum((report) => report.events),
      records: sum((report) => report.records),
      problems,
    });
  } else {
    const { look } = io.out;
    const lines = all.flatMap(({ key, report }) => [
      visible(key.session),
      ...verifiedLines(look, look.width - INDENT.length, report).map((line) => INDENT + line),
    ]);
    writeLines(io.out, all.length === 0 ? ['the store holds no session'] : lines);
  }
  if (!ok) throw new CliFailure(`verification found ${counted(problems.length, 'problem')}`);
}
