import { Command } from 'commander';
import { parseSeq, type SessionFlags, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { changeSession } from '../open.ts';
import { whole } from '../text/numbers.ts';

/** `palimpsest pin`: keeps an exchange as it is. */
export function pinCommand(io: Io): Command {
  const command = new Command('pin')
    .summary('keep an exchange as it is')
    .description(
      'Keeps an event as it is, with all of its exchange (a tool call and its result stay together). Acts at once, also on summaries made before.',
    )
    .argument('<seq>', 'the number of the event', parseSeq)
    .option('--off', 'gives it back to the summary that covered it')
    .action((seq: number, flags: SessionFlags & { readonly off?: boolean }) =>
      changeSession(flags, async (session) => {
        const pinned = flags.off !== true;
        const events = await (pinned ? session.pin(seq) : session.unpin(seq));
        const { promptTokens } = (await session.prompt()).accounting;
        if (flags.json === true) {
          writeJson(io.out, {
            session: session.key.session,
            pinned,
            events,
            tokens: { after: promptTokens },
          });
          return;
        }
        const which = events.length === 1 ? `event ${events[0]} is` : `events ${events.join(', ')} are`;
        writeLines(io.out, [
          `${which} ${pinned ? 'pinned' : 'pinned no more'}`,
          `prompt: ${whole(promptTokens)} tokens`,
        ]);
      }),
    );
  return withExamples(withSession(command), [
    'palimpsest pin 12 --store work.db',
    'palimpsest pin 12 --off --store work.db',
  ]);
}
