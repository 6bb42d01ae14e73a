import { ROOT_LANE, sees } from '../../event/lane.ts';
import type { NothingReason } from '../../plan/plan.ts';
import type { HeldBack } from '../../plan/unit.ts';
import type { SummaryEntry } from '../../prompt/prompt.ts';
import type { Look } from '../look.ts';
import type { HeldGroup, SessionFacts } from '../session-facts.ts';
import { wrap } from '../text/fit.ts';
import { counted, whole } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { type CompactFacts, failures, failureText } from './compact-facts.ts';
import { eventStrip } from './event-strip.ts';
import { importedLines } from './imported-lines.ts';
import { section, sectionWidth } from './section.ts';
import { seqsText } from './spans-text.ts';
import { summaryLines } from './summary-lines.ts';
import { tokenBars } from './token-bars.ts';
import { verifiedLines } from './verify-report.ts';

const TOOLS_SHOWN = 5;

/** What `compact` did, for a person: what was read, how much smaller the prompt is, where every event went. */
export function compactReport(look: Look, facts: CompactFacts): string[] {
  const width = sectionWidth(look);
  const { session } = facts;
  const { accounting, entries } = session.prompt;
  const change = { before: accounting.total.tokens, after: accounting.promptTokens };
  const summaries = entries.filter((entry): entry is SummaryEntry => entry.kind === 'summary');
  return [
    ...section(look, 'Read', readLines(width, facts)),
    ...section(look, 'Prompt', tokenBars(look, width, change)),
    ...section(look, 'Events', [...eventStrip(look, width, session.places), ...leftOver(look, width, facts)]),
    ...section(look, 'Summary', summaryLines(look, width, summaries)),
    ...section(look, 'Held back', heldLines(width, session.held)),
    ...section(look, 'Attempts', attemptLines(look, width, facts)),
    ...section(look, 'Proof', verifiedLines(look, width, facts.verified)),
  ].slice(0, -1);
}

function readLines(width: number, { source, imported, session }: CompactFacts): string[] {
  const lines = [visible(source)];
  if (imported === null) lines.push(`${counted(session.info.events, 'event')}, in the store already`);
  else lines.push(...importedLines(width, imported, session.info.events));
  lines.push(`${counted(session.turns, 'turn')}, ${toolsUsed(session)}`);
  const side = session.info.lanes.filter(({ lane }) => !sees(ROOT_LANE, lane));
  if (side.length > 0) {
    const events = side.reduce((sum, lane) => sum + lane.events, 0);
    lines.push(
      `${counted(side.length, 'side lane')} with ${counted(events, 'event')} (abandoned branches, subagents): kept, not part of this prompt`,
    );
  }
  return lines.flatMap((line) => wrap(line, width));
}

function toolsUsed({ tools, toolErrors }: SessionFacts): string {
  const calls = tools.reduce((sum, [, count]) => sum + count, 0);
  if (calls === 0) return 'no tool calls';
  const named = tools.slice(0, TOOLS_SHOWN).map(([name, count]) => `${visible(name)} ${whole(count)}`);
  const rest = tools.length - named.length;
  if (rest > 0) named.push(counted(rest, 'other'));
  const errors = toolErrors === 0 ? '' : `, ${counted(toolErrors, 'tool error')}`;
  return `${counted(calls, 'tool call')} (${named.join(', ')})${errors}`;
}

/** Only what a window waits for: the tail that is kept is raw for another reason, as is all where an attempt failed. */
function leftOver(look: Look, width: number, { interval, waiting, outcomes }: CompactFacts): string[] {
  if (interval === null || waiting === 0 || failures(outcomes).length > 0) return [];
  const text = `${counted(waiting, 'raw event')} older than the kept tail: too little to fill a window of ${counted(interval, 'turn')}`;
  return wrap(text, width).map(look.paint.faint);
}

function heldLines(width: number, held: readonly HeldGroup[]): string[] {
  return held.flatMap(({ reason, seqs }) =>
    wrap(`${counted(seqs.length, 'event')} (${seqsText(seqs)}): ${WHY_HELD[reason]}`, width),
  );
}

const WHY_HELD: Readonly<Record<HeldBack, string>> = {
  pinned: 'pinned by you (unpin: palimpsest pin SEQ --off)',
  question: 'the question of a turn that is running',
  open: 'a tool call or a question in it still waits for its answer',
  system: 'instructions of the application: never summarized',
};

function attemptLines(look: Look, width: number, facts: CompactFacts): string[] {
  const failed = failures(facts.outcomes).flatMap((failure) =>
    wrap(
      `${visible(failureText(failure))}; ${failure.kind === 'busy' ? 'this run left it to that one' : 'its events stay as they are'}`,
      width,
    ).map(look.paint.warn),
  );
  if (failed.length > 0 || facts.session.info.records > 0) return failed;
  const reason = facts.outcomes.find((outcome) => outcome.kind === 'nothing')?.reason ?? 'nothing_new';
  const hint =
    reason === 'not_enough'
      ? `; a smaller ${facts.interval === null ? '' : '--interval or '}--keep-events covers more`
      : '';
  return wrap(`nothing was compacted: ${WHY_NOTHING[reason]}${hint}`, width);
}

const WHY_NOTHING: Readonly<Record<NothingReason, string>> = {
  nothing_new:
    'all its events are in the tail that is kept; a smaller --keep-events or --keep-tokens covers more',
  not_enough: 'there is not enough new material yet to be worth a summary',
  blocked: 'all there is to cover is held back',
  backing_off: 'an earlier attempt failed; it is tried again after later turns',
  undone: 'it was undone; redo it, or compact without --interval',
  record_lost:
    'what was summarized before is raw again though nobody undid it: the store does not keep records',
  below_trigger: 'the prompt is under what sets compaction off',
  off: 'compaction is off',
};
