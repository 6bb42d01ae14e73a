import { Command } from 'commander';
import type { Session } from '../../engine/session.ts';
import type { Lane } from '../../event/lane.ts';
import type { SessionInfo } from '../../store/session-store.ts';
import { CliFailure } from '../failure.ts';
import { type Form, formOption, type SessionFlags, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { readSession } from '../open.ts';
import { renderPrompt, requestOf, showPrompt } from '../render-prompt.ts';
import { laneText } from '../report/spans-text.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { checkWritable, writeWhole } from '../write-file.ts';

interface PromptFlags extends SessionFlags {
  readonly as: Form;
  readonly out?: string;
  readonly isolation: string;
  readonly branch: string;
}

/** `palimpsest prompt`: the next prompt of a stored session. */
export function promptCommand(io: Io): Command {
  const command = new Command('prompt')
    .summary('print the next prompt of a session')
    .description(
      'Prints the next prompt of a stored session: its summaries, and the events that are as they were.',
    )
    .addOption(formOption('the form').default('text'))
    .option('--out <file>', 'write it to this file')
    .option(
      '--isolation <name>',
      'of an abandoned branch or a subagent, as `palimpsest sessions --json` names it',
      '',
    )
    .option('--branch <path>', 'of a branch of the conversation', '')
    .action((flags: PromptFlags) => readSession(flags, (session) => print(io, session, flags)));
  return withExamples(withSession(command), [
    'palimpsest prompt --store work.db',
    'palimpsest prompt --store work.db --session my-session --as anthropic --out prompt.json',
  ]);
}

/** At the root of an isolation every branch of it is seen, whether or not an event stands at the root itself. */
function holdsLane(info: SessionInfo | null, { branch, isolation }: Lane): boolean {
  const lanes = info?.lanes ?? [];
  return lanes.some(({ lane }) => lane.isolation === isolation && (branch === '' || lane.branch === branch));
}

async function print(io: Io, session: Session, flags: PromptFlags): Promise<void> {
  const lane = { branch: flags.branch, isolation: flags.isolation };
  const main = lane.branch === '' && lane.isolation === '';
  if (flags.out !== undefined) checkWritable(flags.out);
  if (!main && !holdsLane(await session.info(), lane)) {
    throw new CliFailure(`the session has no lane ${laneText(lane)}; see palimpsest sessions --json`);
  }
  const prompt = await session.prompt(main ? {} : { reader: { agent: '', lane } });
  if (flags.out !== undefined) await writeWhole(flags.out, renderPrompt(prompt, flags.as));
  if (flags.json === true) {
    const { revision, throughSeq, accounting } = prompt;
    const shown =
      flags.out !== undefined
        ? {}
        : { prompt: flags.as === 'text' ? renderPrompt(prompt, 'text') : requestOf(prompt, flags.as) };
    writeJson(io.out, {
      session: session.key.session,
      as: flags.as,
      revision,
      throughSeq,
      accounting,
      ...shown,
    });
  } else if (flags.out === undefined) showPrompt(io, renderPrompt(prompt, flags.as));
  else {
    const { promptTokens, raw } = prompt.accounting;
    writeLines(io.out, [
      `the prompt is in ${visible(flags.out)} (${flags.as}): ${whole(promptTokens)} tokens, ${counted(raw.events, 'event')} raw`,
    ]);
  }
}
