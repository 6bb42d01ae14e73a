import { isAcknowledgement } from './cues.ts';
import { type Ends, ends } from './ends.ts';
import { type WorkLedger, workLedger } from './work-ledger.ts';

/** How what was asked last stands. */
export type AskState = 'unanswered' | 'in progress' | 'answered' | 'interrupted';

/** A sentence worth keeping, with how much it weighs (2 most). */
export interface Noted {
  readonly text: string;
  readonly strength: 1 | 2;
}

/** Everything found so far that a summary may say, from earlier summaries and from events, in order. */
export interface Notes {
  /** The first request. */
  first: string;
  /** Requests after the first and before the last. */
  readonly later: Ends<string>;
  /** The newest request; empty when nothing was asked. */
  asked: string;
  askState: AskState;
  readonly constraints: Ends<Noted>;
  readonly decisions: Ends<Noted>;
  /** What the assistant said last. */
  last: string;
  /** What it said it was about to do, until it does it. */
  intent: string;
  /** What it had said at the end of earlier turns. */
  readonly done: Ends<string>;
  /** First sentences of what it said while working on the newest request. */
  steps: Ends<string>;
  /** What the user told that is neither a request nor a rule. */
  readonly facts: Ends<Noted>;
  /** What an earlier summary says that has no place above. */
  readonly other: Ends<string>;
  /** Open items found in messages or an earlier summary, in their words. */
  pending: Ends<string>;
  /** Open items of an earlier summary after which the assistant reported work; they may be done. */
  readonly wasPending: Ends<string>;
  /** Whether `pending` comes from an earlier summary. */
  summarized: boolean;
  /** What the assistant asked the user, not answered yet. */
  questions: readonly string[];
  /** Whether the assistant listed options last. */
  offered: boolean;
  readonly media: Set<string>;
  readonly work: WorkLedger;
}

/** Empty notes. */
export function emptyNotes(): Notes {
  return {
    first: '',
    later: ends(12, 60),
    asked: '',
    askState: 'unanswered',
    constraints: ends(60, 60),
    decisions: ends(30, 60),
    last: '',
    intent: '',
    done: ends(10, 60),
    steps: ends(0, 30),
    facts: ends(60, 60),
    other: ends(40, 60),
    pending: ends(20, 30),
    wasPending: ends(10, 20),
    summarized: false,
    questions: [],
    offered: false,
    media: new Set(),
    work: workLedger(),
  };
}

/** Notes a request. The one before it joins the thread, and what the assistant asked counts as answered. */
export function noteRequest(notes: Notes, text: string, state: AskState = 'unanswered'): void {
  const before = notes.asked;
  if (notes.first === '' || isAcknowledgement(notes.first)) notes.first = text;
  else if (before !== '' && before !== notes.first && !isAcknowledgement(before)) notes.later.add(before);
  notes.asked = text;
  notes.askState = state;
  notes.questions = [];
  notes.offered = false;
}

/** What the assistant said last becomes a thing done: its turn is over. */
export function noteTurnEnd(notes: Notes): void {
  const last = lastSaid(notes);
  if (last !== '') notes.done.add(last);
  notes.last = '';
  notes.intent = '';
  notes.steps = ends(0, 30);
}

/** Work is reported after an earlier summary: what that called open may be done. */
export function noteProgress(notes: Notes): void {
  if (!notes.summarized) return;
  for (const item of notes.pending.all()) notes.wasPending.add(item);
  notes.pending = ends(20, 30);
  notes.summarized = false;
}

/** What the assistant said last that is more than an announcement of what it then did. */
export function lastSaid(notes: Notes): string {
  return notes.last === '' ? notes.intent : notes.last;
}
