import { Command } from 'commander';
import { type SessionFlags, withExamples, withSession } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { changeSession } from '../open.ts';
import { pickRecord } from '../pick.ts';
import { counted, whole } from '../text/numbers.ts';

/** `palimpsest undo`: takes one summary back. */
export function undoCommand(io: Io): Command {
  const command = new Command('undo')
    .summary('take a summary back')
    .description(
      'Takes a summary back: its events are shown as they are again, what it replaced is live again, later turns are not touched.',
    );
  return withExamples(change(io, command, false), [
    'palimpsest undo last --store work.db',
    'palimpsest undo 4f2a9c1d --store work.db --session my-session',
  ]);
}

/** `palimpsest redo`: restores one that was taken back. */
export function redoCommand(io: Io): Command {
  const command = new Command('redo')
    .summary('restore a summary that was undone')
    .description('Restores a summary that was undone, if no other covers its events by now.');
  return withExamples(change(io, command, true), ['palimpsest redo last --store work.db']);
}

function change(io: Io, command: Command, isRedo: boolean): Command {
  command
    .argument('<record>', 'the beginning or the end of its id (4 characters or more), or: last')
    .action((name: string, flags: SessionFlags) =>
      changeSession(flags, async (session) => {
        const record = pickRecord(await session.records(), name, isRedo);
        const before = (await session.prompt()).accounting;
        await (isRedo ? session.redo(record) : session.undo(record));
        const after = (await session.prompt()).accounting;
        const tokens = { before: before.promptTokens, after: after.promptTokens };
        if (flags.json === true) {
          const raw = { before: before.raw.events, after: after.raw.events };
          writeJson(io.out, { session: session.key.session, record, undone: !isRedo, raw, tokens });
          return;
        }
        const { arrow } = io.out.look.marks;
        writeLines(io.out, [
          `record ${record} is ${isRedo ? 'live again' : 'undone'}`,
          `prompt: ${whole(tokens.before)} ${arrow} ${whole(tokens.after)} tokens, ${counted(after.raw.events, 'event')} raw`,
        ]);
      }),
    );
  return withSession(command);
}
