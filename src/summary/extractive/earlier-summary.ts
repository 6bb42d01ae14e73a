import { checkSections, type SectionName } from '../grammar/check-sections.ts';
import type { PreviousSummary } from '../summarizer.ts';
import { constraintStrength, decisionStrength, isAcknowledgement } from './cues.ts';
import { ASKED, FILE_LABEL, LABEL, parseDeed, parsePaths, SAME_AS_GOAL } from './labels.ts';
import { KEPT_HEAD, KEPT_TAIL } from './messages.ts';
import { type AskState, type Notes, noteProgress, noteRequest } from './notes.ts';
import type { Pacer } from './pacer.ts';
import { isPathLike } from './path-shape.ts';
import { plain, skim } from './plain-text.ts';
import { readProse } from './prose.ts';
import { readReport } from './read-assistant.ts';
import { readQuoted } from './read-user.ts';
import type { FileEffect } from './shell.ts';
import type { Todo } from './todos.ts';
import { itemsOf } from './xml-document.ts';

/**
 * Reads an earlier summary into the notes, so that what it says is said on, merged with the rest and never nested. What
 * one before it called open may be done by then.
 */
export async function readEarlier(notes: Notes, previous: PreviousSummary, pace: Pacer): Promise<void> {
  noteProgress(notes);
  const verdict = checkSections(previous.text);
  if (!verdict.ok) {
    const goal = await readProse(notes, previous.text, pace);
    if (goal !== '') noteGoal(notes, goal);
    return;
  }
  const own: Own = { goal: '' };
  for (const section of verdict.sections) {
    const items: string[] = [];
    for (const item of itemsOf(skim(section.text, READ_HEAD, READ_TAIL))) {
      await pace.spend(item.length + ITEM_UNITS);
      const text = plain(item);
      if (text.trim() !== '') items.push(text);
    }
    READERS[section.name](notes, items, own);
  }
}

/** A section longer than this was not written to any budget; its middle is not read. */
const READ_HEAD = 96 * 1024;
const READ_TAIL = 64 * 1024;

/** What reading an item costs beside its length, in code units. */
const ITEM_UNITS = 256;

/** What of a summary's other sections refers to. */
interface Own {
  goal: string;
}

const READERS: {
  readonly [S in SectionName]: (notes: Notes, items: readonly string[], own: Own) => void;
} = {
  goal: readGoal,
  constraints: (notes, items) => {
    for (const text of items) {
      // What has no word of a rule in it was announced as one when it was first read.
      notes.constraints.add({ text, strength: constraintStrength(text) === 1 ? 1 : 2 });
    }
  },
  decisions: (notes, items) => {
    for (const text of items) notes.decisions.add({ text, strength: decisionStrength(text) === 1 ? 1 : 2 });
  },
  state: readState,
  open_items: readOpenItems,
};

/** Words this summarizer writes where it found nothing. */
export const NOTHING = { goal: 'none stated', state: 'nothing recorded' } as const;

function readGoal(notes: Notes, items: readonly string[], own: Own): void {
  const first: string[] = [];
  const later: string[] = [];
  for (const item of items) {
    if (item.startsWith(LABEL.later)) later.push(item.slice(LABEL.later.length));
    else if (item !== NOTHING.goal) first.push(item);
  }
  const text = skim(first.join('\n'), KEPT_HEAD, KEPT_TAIL);
  if (text !== '') {
    readQuoted(notes, text);
    noteGoal(notes, text);
    own.goal = text;
  }
  for (const item of later) notes.later.add(item);
}

/** The goal of a summary joins the thread, behind what was asked last before it. */
function noteGoal(notes: Notes, goal: string): void {
  if (notes.first === goal) return;
  if (notes.first === '' || isAcknowledgement(notes.first)) {
    notes.first = goal;
    return;
  }
  if (notes.asked !== '' && !isAcknowledgement(notes.asked)) notes.later.add(notes.asked);
  notes.asked = '';
  notes.later.add(goal);
}

function readState(notes: Notes, items: readonly string[]): void {
  let root = '';
  for (const item of items) {
    const [label, rest] = labelled(item);
    switch (label) {
      case LABEL.root:
        root = rest;
        break;
      case LABEL.last:
        if (notes.last !== '') notes.done.add(notes.last);
        notes.last = rest;
        readReport(notes, rest);
        break;
      case LABEL.done:
        notes.done.add(rest);
        break;
      case LABEL.user:
        notes.facts.add({ text: rest, strength: 2 });
        break;
      case LABEL.media:
        for (const name of rest.split(', ')) notes.media.add(name);
        break;
      case LABEL.commit:
        notes.work.commit(rest);
        break;
      case LABEL.ok:
      case LABEL.looked: {
        const deed = parseDeed(rest);
        if (deed !== undefined) notes.work.done(deed.what, deed.line);
        break;
      }
      default:
        if (!readFiles(notes, root, item) && item !== NOTHING.state) notes.other.add(item);
    }
  }
}

function readFiles(notes: Notes, root: string, item: string): boolean {
  const effect = EFFECTS.find((each) => item.startsWith(FILE_LABEL[each]));
  if (effect === undefined) return false;
  for (const path of parsePaths(item.slice(FILE_LABEL[effect].length)).reverse()) {
    if (isPathLike(path, true))
      notes.work.file(root !== '' && !/^(?:[/~]|[A-Za-z]:)/.test(path) ? `${root}/${path}` : path, effect);
  }
  return true;
}

const EFFECTS: readonly FileEffect[] = ['read', 'edited', 'written', 'deleted'];

function readOpenItems(notes: Notes, items: readonly string[], own: Own): void {
  const todos: Todo[] = [];
  const questions: string[] = [];
  for (const item of items) {
    const asked = ASKED.exec(item);
    if (asked !== null) {
      const text = item.slice(asked[0].length);
      const state = ASK_STATES.find((each) => each === asked[1]) ?? 'unanswered';
      if (text !== SAME_AS_GOAL) readQuoted(notes, text);
      noteRequest(notes, text === SAME_AS_GOAL ? own.goal : text, state);
      continue;
    }
    const [label, rest] = labelled(item);
    switch (label) {
      case LABEL.failed: {
        const deed = parseDeed(rest);
        if (deed !== undefined) notes.work.error(deed.what, deed.line);
        break;
      }
      case LABEL.noResult:
        notes.work.noResult(parseDeed(rest)?.what ?? rest);
        break;
      case LABEL.doing:
        todos.push({ text: rest, state: 'doing' });
        break;
      case LABEL.todo:
        todos.push({ text: rest, state: 'open' });
        break;
      case LABEL.question:
        questions.push(rest);
        break;
      case LABEL.wasOpen:
        notes.wasPending.add(rest);
        break;
      default:
        notes.pending.add(rest);
    }
  }
  notes.summarized = true;
  if (todos.length > 0) notes.work.plan(todos);
  notes.questions = questions;
}

const ASK_STATES: readonly AskState[] = ['unanswered', 'in progress', 'answered', 'interrupted'];
const LABELS: readonly string[] = Object.values(LABEL);

function labelled(item: string): [label: string, rest: string] {
  const label = LABELS.find((each) => item.startsWith(each)) ?? '';
  return [label, item.slice(label.length)];
}
