import type { Bucket, BucketItem } from './bucket.ts';
import { isAcknowledgement } from './cues.ts';
import { deedText, LABEL, listedPath, SAME_AS_GOAL } from './labels.ts';
import { lastSaid, type Notes } from './notes.ts';
import { oneLine, plain, sameness } from './plain-text.ts';
import { quote, stepOf, threadLine, withoutRules } from './quote.ts';
import { byStrength, newestFirst, numbered, outsideIn, type Unsaid, unsaid } from './rank.ts';
import { isQuestion } from './sentences.ts';
import { changedFiles, deeds, failures, lookUps, readFiles } from './work-buckets.ts';

/**
 * What the notes say, in buckets: the most important first, each with its share of the budget of `tokens`. Nothing is
 * said twice.
 */
export function bucketsOf(notes: Notes, tokens: number): Bucket[] {
  const said = unsaid();
  const { asked } = notes;
  const last = lastSaid(notes);
  const sameAsGoal = asked !== '' && asked === notes.first;
  const constraints = byStrength(notes.constraints.all(), said.strict);
  const rules = new Set(
    constraints.filter((item) => item.unlessSaid !== true).map((item) => sameness(item.text)),
  );
  const goal = withoutRules(notes.first, (text) => rules.has(sameness(quote(text))));
  const questions = numbered(notes.questions.filter(said.loose));
  const decisions = byStrength(notes.decisions.all(), said.loose);
  const later = thread(notes, tokens, said);
  const pending = outsideIn(notes.pending.all(), said.loose);
  const wasPending = outsideIn(notes.wasPending.all(), said.loose);
  const report = lineLength(tokens * 0.3, notes.done.size, 140, Math.max(tokens / 4, 240));
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
      items: one(goal),
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
    { section: 'constraints', label: '', items: constraints, weight: 22, shorten: 'end' },
    { section: 'goal', label: LABEL.later, items: later, weight: 11, shorten: 'end' },
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
    {
      section: 'state',
      label: LABEL.commit,
      items: newestFirst(work.commits, said.loose),
      weight: 5,
      shorten: 'never',
    },
    { section: 'state', label: LABEL.ok, items: deeds(notes), weight: 16, shorten: 'never' },
    readFiles(work.files),
    { section: 'state', label: LABEL.looked, items: lookUps(notes), weight: 2, shorten: 'never' },
    { section: 'decisions', label: '', items: decisions, weight: 12, shorten: 'end' },
    { section: 'state', label: LABEL.done, items: done, weight: 13, shorten: 'end' },
    { section: 'state', label: LABEL.user, items: facts, weight: 5, shorten: 'end' },
    { section: 'state', label: '', items: other, weight: 5, shorten: 'end' },
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

/** Requests after the first: those that ask for work before those that only ask, both ends of the thread first. */
function thread(notes: Notes, tokens: number, said: Unsaid): BucketItem[] {
  const quoted = new Set([sameness(notes.first), sameness(notes.asked)]);
  const requests = notes.later
    .all()
    .filter((text) => !isAcknowledgement(text) && !quoted.has(sameness(text)));
  const longest = lineLength(tokens * 0.2, requests.length, 100, 240);
  const items = outsideIn(
    requests.map((text) => threadLine(text, longest)),
    said.loose,
  );
  const asking = (item: BucketItem): boolean => isQuestion(item.text);
  return [...items.filter((item) => !asking(item)), ...items.filter(asking)];
}

/** How long a line may be so that so many of them take about so many tokens. */
function lineLength(tokens: number, lines: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max((tokens * 4) / Math.max(lines, 1), least), most));
}

/** Values the summary was asked to hold, before most that it would say by itself. */
export function valuesBucket(values: readonly string[]): Bucket {
  const items = numbered(values.map((value) => listedPath(oneLine(plain(value)))));
  return { section: 'state', label: LABEL.values, items, weight: 24, shorten: 'never', inline: true };
}
