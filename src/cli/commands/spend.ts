import { Command, InvalidArgumentError, Option } from 'commander';
import type { SessionKey } from '../../event/ids.ts';
import type { SessionStore } from '../../store/session-store.ts';
import { hourOf, hourText, momentOf, type SpendRow } from '../../store/spend.ts';
import { withExamples, withJson } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readStore } from '../open.ts';
import { pickSession } from '../pick.ts';
import { spendReport } from '../report/spend-report.ts';
import { groupSpend, SPEND_BY, type SpendBy, totalOf } from '../spend-groups.ts';

interface SpendFlags {
  readonly store: string;
  readonly app?: string;
  readonly user?: string;
  readonly session?: string;
  readonly since?: string;
  readonly by: SpendBy;
  readonly json?: boolean;
}

const HOUR_MILLISECONDS = 3_600_000;
const UNIT_HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };

/** `palimpsest spend`: what summarizers cost. */
export function spendCommand(io: Io): Command {
  const command = new Command('spend')
    .summary('say what summarizers cost')
    .description(
      'Adds up the tokens that summarizers reported, whatever became of the attempt, by session and hour of UTC. What a call cost that reported nothing is not known. Summaries without a model cost nothing.',
    )
    .requiredOption('--store <db>', 'the SQLite file')
    .option('--app <name>', 'only of this application')
    .option('--user <name>', 'only of this user')
    .option('--session <id>', 'only of this session, or the beginning of its id')
    .option(
      '--since <time>',
      'only hours from then on: a time as 2026-07-01T09:00:00Z, a day, or how long ago (12h, 7d, 4w)',
      sinceWhen,
    )
    .addOption(new Option('--by <what>', 'what it is added up by').choices(SPEND_BY).default('day'))
    .action((flags: SpendFlags) => spend(io, flags));
  return withExamples(withJson(command), [
    'palimpsest spend --store work.db --since 7d',
    'palimpsest spend --store work.db --by user --since 2026-07-01',
  ]);
}

async function spend(io: Io, flags: SpendFlags): Promise<void> {
  const { store: path, by, since } = flags;
  const rows = await readStore(path, ({ store }) => readRows(store, flags));
  const total = totalOf(rows);
  const groups = groupSpend(rows, by);
  if (flags.json === true) {
    const flat = groups.map(({ of, ...group }) => ({ ...of, ...group }));
    writeJson(io.out, { store: path, since: since ?? null, by, total, rows: flat });
  } else writeLines(io.out, spendReport(io.out.look, { by, since: since ?? null, total, groups }));
}

async function readRows(
  store: SessionStore,
  { app, user, session, since }: SpendFlags,
): Promise<readonly SpendRow[]> {
  const whose = { ...(app === undefined ? {} : { app }), ...(user === undefined ? {} : { user }) };
  const when = since === undefined ? {} : { since };
  if (session === undefined) return store.spend({ ...whose, ...when });
  // A session may be gone and its spend not, which its whole id finds; or be there and have spent nothing.
  const spent = (await store.spend({ ...whose, session })).map((row) => ({ key: keyOf(row) }));
  const known = new Map(
    [...(await store.sessions(whose)), ...spent].map(({ key }) => [JSON.stringify(keyOf(key)), { key }]),
  );
  return store.spend({ ...pickSession([...known.values()], session), ...when });
}

function keyOf({ app, user, session }: SessionKey): SessionKey {
  return { app, user, session };
}

/** `--since` as the beginning of an hour. */
function sinceWhen(text: string): string {
  const ago = /^(\d{1,4})([hdw])$/.exec(text);
  const hours = Number(ago?.[1]) * (UNIT_HOURS[ago?.[2] ?? ''] ?? Number.NaN);
  const moment = ago === null ? momentOf(text) : Date.now() - hours * HOUR_MILLISECONDS;
  if (moment === null) {
    throw new InvalidArgumentError(
      'Give a time with its offset (2026-07-01T09:00:00Z), a day (2026-07-01), or how long ago: 12h, 7d, 4w.',
    );
  }
  return hourText(hourOf(moment));
}
