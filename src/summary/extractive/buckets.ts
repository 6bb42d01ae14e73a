import type { Bucket, BucketItem } from './budget.ts';
import { isAcknowledgement } from './cues.ts';
import { deedText, FILE_LABEL, LABEL, listedPath, SAME_AS_GOAL } from './labels.ts';
import type { Noted, Notes } from './notes.ts';
import { commonRoot, isFilePath, relativeTo } from './path-shape.ts';
import { sameness } from './plain-text.ts';
import type { FileEffect } from './shell.ts';
import { stepOf, threadLine } from './talk.ts';

/**
 * What the notes say, in buckets: the most important first, each with its share of the budget. Nothing is said twice.
 */
export function bucketsOf(notes: Notes): Bucket[] {
  const said = unsaid();
  const { first, asked } = notes;
  const sameAsGoal = asked !== '' && asked === first;
  said.take(first);
  if (!sameAsGoal) said.take(asked);
  const last = notes.last;
  said.take(last);
  const constraints = byStrength(notes.constraints.all(), said.strict);
  const questions = numbered(notes.questions.filter(said.loose));
  const decisions = byStrength(notes.decisions.all(), said.loose);
  const then = outsideIn(notes.then.all().filter((text) => !isAcknowledgement(text)).map(threadLine), said.loose);
  const pending = outsideIn(notes.pending.all(), said.loose);
  const done = newestFirst(notes.done.all().map(stepOf), said.loose);
  const steps = newestFirst(notes.steps.all(), said.loose);
  const facts = byStrength(notes.facts.all(), said.loose);
  const other = outsideIn(notes.other.all(), said.loose);
  const work = notes.work;
  const todos = work.todos.filter((todo) => todo.state !== 'done');
  const one = (text: string): BucketItem[] => (text === '' ? [] : [{ text, order: 0 }]);
  return [
    { section: 'open_items', label: `asked last (${notes.askState}): `, items: one(sameAsGoal ? SAME_AS_GOAL : asked), weight: 14, shorten: 'middle' },
    { section: 'goal', label: '', items: one(first), weight: sameAsGoal ? 24 : 14, shorten: 'middle' },
    { section: 'constraints', label: '', items: constraints, weight: 16, shorten: 'end' },
    { section: 'goal', label: LABEL.then, items: then, weight: 8, shorten: 'end' },
    { section: 'state', label: LABEL.last, items: one(last), weight: 12, shorten: 'end' },
    { section: 'open_items', label: LABEL.failed, items: failures(notes), weight: 6, shorten: 'end' },
    { section: 'open_items', label: LABEL.doing, items: numbered(todos.filter((todo) => todo.state === 'doing').map((todo) => todo.text)), weight: 2, shorten: 'end' },
    { section: 'open_items', label: LABEL.todo, items: numbered(todos.filter((todo) => todo.state === 'open').map((todo) => todo.text)), weight: 4, shorten: 'end' },
    { section: 'open_items', label: LABEL.question, items: questions, weight: 3, shorten: 'end' },
    { section: 'open_items', label: '', items: pending, weight: 5, shorten: 'end' },
    { section: 'open_items', label: LABEL.noResult, items: newestFirst(work.unansweredCalls.slice(-10).map((what) => deedText(what, '')), said.loose), weight: 2, shorten: 'never' },
    ...fileBuckets(work.files),
    { section: 'state', label: LABEL.ok, items: deeds(notes), weight: 8, shorten: 'end' },
    { section: 'decisions', label: '', items: decisions, weight: 9, shorten: 'end' },
    { section: 'state', label: LABEL.done, items: done, weight: 7, shorten: 'end' },
    { section: 'state', label: LABEL.user, items: facts, weight: 6, shorten: 'end' },
    { section: 'state', label: '', items: other, weight: 6, shorten: 'end' },
    { section: 'state', label: LABEL.done, items: steps.map((item) => ({ ...item, order: item.order + 1e6 })), weight: 3, shorten: 'end' },
    { section: 'state', label: LABEL.media, items: numbered([...notes.media].slice(-20)), weight: 1, shorten: 'never', inline: true },
  ];
}

interface Unsaid {
  take(text: string): void;
  /** Whether a text is new; then it counts as said. Strict: said means the same words. */
  strict(text: string): boolean;
  /** Whether a text is new: nothing longer that was said holds it. */
  loose(text: string): boolean;
}

function unsaid(): Unsaid {
  const exact = new Set<string>();
  const all: string[] = [];
  function take(text: string): void {
    const key = sameness(text.slice(0, 8000));
    exact.add(key);
    all.push(key);
  }
  return {
    take,
    strict(text): boolean {
      const key = sameness(text);
      if (key === '' || exact.has(key)) return false;
      exact.add(key);
      all.push(key);
      return true;
    },
    loose(text): boolean {
      const key = sameness(text);
      if (key === '' || exact.has(key) || (key.length > 5 && all.some((each) => each.includes(key)))) return false;
      exact.add(key);
      all.push(key);
      return true;
    },
  };
}

function numbered(texts: readonly string[]): BucketItem[] {
  return texts.map((text, order) => ({ text, order }));
}

function newestFirst(texts: readonly string[], isNew: (text: string) => boolean): BucketItem[] {
  return numbered(texts).reverse().filter((item) => isNew(item.text));
}

/** Newest, oldest, second newest … so that a short budget keeps both ends of the thread. */
function outsideIn(texts: readonly string[], isNew: (text: string) => boolean): BucketItem[] {
  const items = numbered(texts).filter((item) => isNew(item.text));
  const out: BucketItem[] = [];
  for (let left = 0, right = items.length - 1; left <= right; left += 1, right -= 1) {
    const newest = items[right];
    const oldest = items[left];
    if (newest !== undefined) out.push(newest);
    if (left < right && oldest !== undefined) out.push(oldest);
  }
  return out;
}

function byStrength(noted: readonly Noted[], isNew: (text: string) => boolean): BucketItem[] {
  const items = noted.map((each, order) => ({ ...each, order })).filter((item) => isNew(item.text));
  const strong = items.filter((item) => item.strength === 2);
  const weak = items.filter((item) => item.strength === 1);
  return [strong, weak].flatMap(bothEnds);
}

/** Oldest, newest, second oldest … */
function bothEnds(items: readonly BucketItem[]): BucketItem[] {
  const out: BucketItem[] = [];
  for (let left = 0, right = items.length - 1; left <= right; left += 1, right -= 1) {
    const oldest = items[left];
    const newest = items[right];
    if (oldest !== undefined) out.push(oldest);
    if (left < right && newest !== undefined) out.push(newest);
  }
  return out;
}

function failures(notes: Notes): BucketItem[] {
  const items = notes.work.errors.map((error, order) => ({ text: deedText(error.what, error.line), order, weight: error.weight }));
  return items.reverse().sort((a, b) => b.weight - a.weight);
}

/** Deeds that succeeded and matter, newest first; of one family the newest stands before the others. */
function deeds(notes: Notes): BucketItem[] {
  const families = new Set<string>();
  const ranked: (BucketItem & { readonly rank: number })[] = [];
  for (const [back, deed] of notes.work.deeds.toReversed().entries()) {
    if (deed.failed || deed.weight === 0) continue;
    const file = !deed.command && notes.work.files.size > 0 && [...notes.work.files.keys()].some((path) => deed.what.includes(path));
    if (file) continue;
    const repeated = families.has(deed.family);
    families.add(deed.family);
    ranked.push({ text: deedText(deed.what, deed.line), order: -back, rank: deed.weight * 2 - (repeated ? 3 : 0) });
  }
  return ranked.sort((a, b) => b.rank - a.rank);
}

/** Files by what was last done to them, under the directory most of them share. */
function fileBuckets(files: ReadonlyMap<string, FileEffect>): Bucket[] {
  const all = [...files.entries()].filter(([path]) => isFilePath(path) || files.get(path) === 'deleted');
  const root = commonRoot(all.map(([path]) => path));
  const of = (effect: FileEffect): BucketItem[] =>
    all
      .filter(([, each]) => each === effect)
      .map(([path]) => listedPath(relativeTo(root, path)))
      .reverse()
      .map((text, order) => ({ text, order }));
  const bucket = (effect: FileEffect, weight: number): Bucket => ({ section: 'state', label: FILE_LABEL[effect], items: of(effect), weight, shorten: 'never', inline: true });
  return [
    { section: 'state', label: LABEL.root, items: root === '' ? [] : [{ text: root, order: 0 }], weight: 2, shorten: 'never' },
    bucket('edited', 7),
    bucket('written', 5),
    bucket('deleted', 2),
    bucket('read', 2),
  ];
}
