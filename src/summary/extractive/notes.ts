import { type Ends, ends } from './ends.ts';
import { isAcknowledgement } from './cues.ts';
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
  readonly then: Ends<string>;
  /** The newest request; empty when nothing was asked. */
  asked: string;
  askState: AskState;
  readonly constraints: Ends<Noted>;
  readonly decisions: Ends<Noted>;
  /** What the assistant said last. */
  last: string;
  /** What it had said at the end of earlier turns. */
  readonly done: Ends<string>;
  /** First sentences of what it said while working on the newest request. */
  steps: Ends<string>;
  /** What the user told that is neither a request nor a rule. */
  readonly facts: Ends<Noted>;
  /** What an earlier summary says that has no place above. */
  readonly other: Ends<string>;
  /** Open items of an earlier summary, in its words. */
  readonly pending: Ends<string>;
  /** What the assistant asked the user, not answered yet. */
  questions: readonly string[];
  readonly media: Set<string>;
  readonly work: WorkLedger;
}

/** Empty notes. */
export function emptyNotes(): Notes {
  return {
    first: '',
    then: ends(12, 60),
    asked: '',
    askState: 'unanswered',
    constraints: ends(60, 60),
    decisions: ends(30, 60),
    last: '',
    done: ends(10, 60),
    steps: ends(0, 30),
    facts: ends(60, 60),
    other: ends(40, 60),
    pending: ends(20, 30),
    questions: [],
    media: new Set(),
    work: workLedger(),
  };
}

/** Notes a request. The one before it joins the thread, and what the assistant asked counts as answered. */
export function noteRequest(notes: Notes, text: string, state: AskState = 'unanswered'): void {
  const before = notes.asked;
  if (notes.first === '' || isAcknowledgement(notes.first)) notes.first = text;
  else if (before !== '' && before !== notes.first && !isAcknowledgement(before)) notes.then.add(before);
  notes.asked = text;
  notes.askState = state;
  notes.questions = [];
}

/** What the assistant said last becomes a thing done: its turn is over. */
export function noteTurnEnd(notes: Notes): void {
  if (notes.last !== '') notes.done.add(notes.last);
  notes.last = '';
  notes.steps = ends(0, 30);
}
