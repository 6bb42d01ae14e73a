import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Session } from '../../engine/session.ts';
import type { ImportReport } from '../../logs/import-report.ts';
import { type CompactSettings, compactSession, KEPT_EVENTS } from '../compact-session.ts';
import { CliFailure, usageFailure } from '../failure.ts';
import { type Form, formOption, wholeNumber, withExamples, withJson } from '../flags.ts';
import { importSession } from '../import-session.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { type Open, withStore } from '../open.ts';
import { pickSession } from '../pick.ts';
import { previewSession } from '../preview-session.ts';
import { renderPrompt, showPrompt } from '../render-prompt.ts';
import { type CompactFacts, failures, failureText } from '../report/compact-facts.ts';
import { compactJson } from '../report/compact-json.ts';
import { compactReport } from '../report/compact-report.ts';
import { nextSteps } from '../report/next-steps.ts';
import { previewJson } from '../report/preview-json.ts';
import { previewReport } from '../report/preview-report.ts';
import { summarizerNamed } from '../summarizer-named.ts';
import { counted } from '../text/numbers.ts';
import { checkWritable, writeWhole } from '../write-file.ts';

interface CompactFlags {
  readonly store?: string;
  readonly session?: string;
  readonly interval?: number;
  readonly overlap?: number;
  readonly keepEvents?: number;
  readonly keepTokens?: number;
  readonly summarizer: string;
  readonly as?: Form;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `palimpsest compact`: the main job. */
export function compactCommand(io: Io): Command {
  const command = new Command('compact')
    .summary('import a log, summarize what is done, verify, report')
    .description(
      'Imports a session log, summarizes what is done, keeps the newest events as they are, verifies, and reports. FILE is a log, or the id of a session in --store.',
    )
    .argument('<file>', 'a session log (Claude Code, Codex, chat messages), or the id of a stored session')
    .option('--store <db>', 'keep the session and its summaries in this SQLite file')
    .option('--session <id>', "what the session is called in the store (default: the log's own id)")
    .option(
      '--interval <n>',
      'summarize in windows of this many turns, instead of one window for all',
      wholeNumber(1, ' (turns)'),
    )
    .option(
      '--overlap <n>',
      'turns before a window that its summarizer reads again; needs --interval',
      wholeNumber(0, ' (turns)'),
    )
    .option(
      '--keep-events <n>',
      `keep at least this many of the newest events as they are (default: ${KEPT_EVENTS})`,
      wholeNumber(1, '; the newest exchange always stays'),
    )
    .option(
      '--keep-tokens <n>',
      'keep at least this many tokens of the newest events as they are',
      wholeNumber(1, '; the newest exchange always stays'),
    )
    .option('--summarizer <name>', 'extractive (no model, no network), or PROVIDER/MODEL', 'extractive')
    .addOption(formOption('print the new prompt, in this form'))
    .option('--out <file>', 'write the new prompt to this file (default form: text)')
    .option('--dry-run', 'say what would be covered, and which exact values would be lost; store nothing')
    .action((file: string, flags: CompactFlags) => compact(io, file, flags));
  withJson(command);
  return withExamples(command, [
    'palimpsest compact session.jsonl',
    'palimpsest compact session.jsonl --as anthropic --out prompt.json',
    'palimpsest compact session.jsonl --store work.db --keep-tokens 8000',
    'palimpsest compact session.jsonl --interval 10 --overlap 1 --json',
    'palimpsest compact session.jsonl --dry-run',
    'palimpsest compact session.jsonl --summarizer openai/gpt-5-mini',
  ]);
}

async function compact(io: Io, file: string, flags: CompactFlags): Promise<void> {
  if (flags.overlap !== undefined && flags.interval === undefined) {
    throw usageFailure('--overlap says how much of the window before is read again; give --interval too');
  }
  if (flags.dryRun === true && (flags.as ?? flags.out) !== undefined) {
    throw usageFailure('--dry-run only reports; leave out --as and --out');
  }
  if (flags.out !== undefined) checkWritable(flags.out);
  const isFile = existsSync(file);
  if (!isFile && (flags.store === undefined || !existsSync(flags.store))) {
    const where =
      flags.store === undefined ? 'and no --store it could be a session of' : `nor a store ${flags.store}`;
    throw new CliFailure(`${file}: there is no such file, ${where}`);
  }
  const summarizer = await summarizerNamed(flags.summarizer);
  if (flags.dryRun === true) {
    // A log is read into memory: not even its events are stored.
    const choice = { path: isFile ? null : (flags.store ?? null), create: false, summarizer };
    return withStore(choice, (open) => preview(io, open, file, isFile, flags));
  }
  const path = flags.store ?? null;
  await withStore({ path, create: isFile, summarizer }, async (open) => {
    const { session, imported } = await openSession(io, open, file, isFile, flags.session);
    const palimpsest = await open();
    const compacted = await compactSession(io, palimpsest, session, settingsOf(flags));
    const facts: CompactFacts = {
      source: file,
      imported,
      interval: flags.interval ?? null,
      store: path,
      ...compacted,
    };
    const failure = failureOf(facts);
    if (failure === null) await deliver(io, facts, flags);
    else {
      if (flags.json === true) writeJson(io.out, compactJson(facts));
      else writeLines(io.err, compactReport(io.err.look, facts));
      throw failure;
    }
  });
}

async function preview(
  io: Io,
  open: Open,
  file: string,
  isFile: boolean,
  flags: CompactFlags,
): Promise<void> {
  const { session, imported } = await openSession(io, open, file, isFile, flags.session);
  const info = await session.info();
  if (info === null) throw new Error('the session is gone');
  const facts = {
    source: file,
    imported,
    info,
    preview: await previewSession(io, session, settingsOf(flags)),
  };
  if (flags.json === true) writeJson(io.out, previewJson(facts));
  else writeLines(io.out, previewReport(io.out.look, facts));
  const [failed] = failures(facts.preview.outcomes);
  if (failed !== undefined && facts.preview.windows.length === 0) {
    throw new CliFailure(`nothing would be compacted: ${failed.kind}, ${failed.reason}`);
  }
}

/** A file that exists is imported; anything else names a session the store holds already. */
async function openSession(
  io: Io,
  open: Open,
  file: string,
  isFile: boolean,
  name: string | undefined,
): Promise<{ session: Session; imported: ImportReport | null }> {
  if (isFile) {
    const { session, report } = await importSession(io, open, file, name);
    return { session, imported: report };
  }
  const palimpsest = await open();
  const key = pickSession(await palimpsest.store.sessions(), file);
  return { session: palimpsest.session(key), imported: null };
}

function settingsOf(flags: CompactFlags): CompactSettings {
  const { interval, overlap, keepEvents, keepTokens } = flags;
  const keep = {
    ...(keepEvents === undefined ? {} : { events: keepEvents }),
    ...(keepTokens === undefined ? {} : { tokens: keepTokens }),
  };
  return {
    ...(Object.keys(keep).length === 0 ? {} : { keep }),
    ...(interval === undefined ? {} : { sliding: { interval, overlap: overlap ?? 0 } }),
  };
}

/** What makes the command fail although it got this far. */
function failureOf({ verified, outcomes, session }: CompactFacts): CliFailure | null {
  if (!verified.ok)
    return new CliFailure(`verification found ${counted(verified.problems.length, 'problem')}`);
  // Another process that does the work is no failure: the report says who it is.
  const failed = failures(outcomes).find(({ kind }) => kind !== 'busy');
  if (failed === undefined || session.info.records > 0) return null;
  return new CliFailure(`nothing was compacted: ${failureText(failed)}`);
}

/** The prompt goes to `--out`, or to standard output with `--as`; the report goes where the prompt does not. */
async function deliver(io: Io, facts: CompactFacts, flags: CompactFlags): Promise<void> {
  const { prompt } = facts.session;
  if (flags.out !== undefined) await writeWhole(flags.out, renderPrompt(prompt, flags.as ?? 'text'));
  if (flags.json === true) return writeJson(io.out, compactJson(facts));
  const promptToOut = flags.as !== undefined && flags.out === undefined;
  const target = promptToOut ? io.err : io.out;
  writeLines(target, compactReport(target.look, facts));
  writeLines(target, nextSteps(io.program, target.look, facts, flags));
  if (promptToOut) showPrompt(io, renderPrompt(prompt, flags.as));
}
