import type { Bucket, BucketItem } from './bucket.ts';
import { isAcknowledgement } from './cues.ts';
import { deedText, LABEL, SAME_AS_GOAL } from './labels.ts';
import { lastSaid, type Notes } from './notes.ts';
import { sameness } from './plain-text.ts';
import { stepOf, threadLine } from './quote.ts';
import { byStrength, newestFirst, numbered, outsideIn, unsaid } from './rank.ts';
import { changedFiles, deeds, failures, lookUps, readFiles } from './work-buckets.ts';

/**
 * What the notes say, in buckets: the most important first, each with its share of the budget of `tokens`. Nothing is
 * said twice.
 */
export function bucketsOf(notes: Notes, tokens: number): Bucket[] {
  const report = Math.min(Math.max(tokens / 4, 240), 1000);
  const said = unsaid();
  const { first, asked } = notes;
  const last = lastSaid(notes);
  const sameAsGoal = asked !== '' && asked === first;
  const constraints = byStrength(notes.constraints.all(), said.strict);
  const questions = numbered(notes.questions.filter(said.loose));
  const decisions = byStrength(notes.decisions.all(), said.loose);
  const quoted = new Set([sameness(first), sameness(asked)]);
  const requests = notes.later
    .all()
    .filter((text) => !isAcknowledgement(text) && !quoted.has(sameness(text)));
  const later = outsideIn(requests.map(threadLine), said.loose);
  const pending = outsideIn(notes.pending.all(), said.loose);
  const wasPending = outsideIn(notes.wasPending.all(), said.loose);
  const done = newestFirst(
    notes.done.all().map((text) => stepOf(text, report)),
    said.loose,
  );
  const steps = newestFirst(notes.steps.all(), said.loose);
  const facts = byStrength(notes.facts.all(), said.loose).map((item) => ({ ...item, unlessSaid: true }));
  const other = outsideIn(notes.other.all(), said.loose);
  const work = notes.work;
  const todos = work.todos.filter((todo) => todo.state !== 'done');
  const one = (text: string): BucketItem[] => (text === '' ? [] : [{ text, order: 0 }]);
  return [
    {
      section: 'goal',
      label: '',
      items: one(first),
      weight: sameAsGoal ? 24 : 14,
      shorten: 'middle',
      quotes: true,
    },
    {
      section: 'open_items',
      label: `asked last (${notes.askState}): `,
      items: one(sameAsGoal ? SAME_AS_GOAL : asked),
      weight: 14,
      shorten: 'middle',
      quotes: true,
    },
    { section: 'constraints', label: '', items: constraints, weight: 16, shorten: 'end' },
    { section: 'goal', label: LABEL.later, items: later, weight: 8, shorten: 'end' },
    { section: 'state', label: LABEL.last, items: one(last), weight: 12, shorten: 'end', quotes: true },
    { section: 'open_items', label: LABEL.failed, items: failures(notes), weight: 6, shorten: 'end' },
    {
      section: 'open_items',
      label: LABEL.doing,
      items: numbered(todos.filter((todo) => todo.state === 'doing').map((todo) => todo.text)),
      weight: 2,
      shorten: 'end',
    },
    {
      section: 'open_items',
      label: LABEL.todo,
      items: numbered(todos.filter((todo) => todo.state === 'open').map((todo) => todo.text)),
      weight: 4,
      shorten: 'end',
    },
    { section: 'open_items', label: LABEL.question, items: questions, weight: 3, shorten: 'end' },
    { section: 'open_items', label: '', items: pending, weight: 5, shorten: 'end' },
    { section: 'open_items', label: LABEL.wasOpen, items: wasPending, weight: 2, shorten: 'end' },
    {
      section: 'open_items',
      label: LABEL.noResult,
      items: newestFirst(
        work.unansweredCalls.slice(-10).map((what) => deedText(what, '')),
        said.loose,
      ),
      weight: 2,
      shorten: 'never',
    },
    ...changedFiles(work.files),
    { section: 'state', label: LABEL.ok, items: deeds(notes), weight: 10, shorten: 'never' },
    readFiles(work.files),
    { section: 'state', label: LABEL.looked, items: lookUps(notes), weight: 2, shorten: 'never' },
    { section: 'decisions', label: '', items: decisions, weight: 9, shorten: 'end' },
    { section: 'state', label: LABEL.done, items: done, weight: 7, shorten: 'end' },
    { section: 'state', label: LABEL.user, items: facts, weight: 6, shorten: 'end' },
    { section: 'state', label: '', items: other, weight: 6, shorten: 'end' },
    {
      section: 'state',
      label: LABEL.done,
      items: steps.map((item) => ({ ...item, order: item.order + 1e6 })),
      weight: 3,
      shorten: 'end',
    },
    {
      section: 'state',
      label: LABEL.media,
      items: numbered([...notes.media].slice(-20)),
      weight: 1,
      shorten: 'never',
      inline: true,
    },
  ];
}
