import type { Bucket, BucketItem } from './bucket.ts';
import { deedText, FILE_LABEL, LABEL, listedPath } from './labels.ts';
import type { Notes } from './notes.ts';
import { commonRoot, isFilePath, relativeTo } from './path-shape.ts';
import { numbered } from './rank.ts';
import type { FileEffect } from './shell.ts';

/** Failures nothing has mended: deeds before look-ups, newest first. */
export function failures(notes: Notes): BucketItem[] {
  const items = notes.work.errors.map((error, order) => ({
    text: deedText(error.what, error.line),
    order,
    weight: error.weight,
  }));
  return items.reverse().sort((a, b) => b.weight - a.weight);
}

/** Deeds that succeeded and matter, newest first; of one family the newest stands before the others. */
export function deeds(notes: Notes): BucketItem[] {
  const families = new Set<string>();
  const ranked: (BucketItem & { readonly rank: number })[] = [];
  for (const [back, deed] of notes.work.deeds.toReversed().entries()) {
    if (deed.failed || deed.weight === 0 || deed.kind === 'file') continue;
    const family = deed.families.join(' ');
    const repeated = families.has(family);
    families.add(family);
    ranked.push({
      text: deedText(deed.what, deed.line),
      order: -back,
      rank: deed.weight * 2 - (repeated ? 3 : 0),
    });
  }
  return ranked.sort((a, b) => b.rank - a.rank);
}

/** What was looked up with tools that are neither commands nor about files, newest first. */
export function lookUps(notes: Notes): BucketItem[] {
  const looked = notes.work.deeds.filter(
    (deed) => !deed.failed && deed.kind === 'other' && deed.weight === 0 && !TRIVIAL.test(deed.what),
  );
  return numbered(looked.map((deed) => deedText(deed.what, ''))).reverse();
}

/** Looking through files, thinking, and calls without arguments say nothing to who goes on. */
const TRIVIAL = /^(?:glob|grep|find|ls|list|calculate|think)|\(\)$/i;

/** Files by what was last done to them, under the directory most of them share. */
export function fileBuckets(files: ReadonlyMap<string, FileEffect>): Bucket[] {
  const all = [...files.entries()].filter(([path]) => isFilePath(path) || files.get(path) === 'deleted');
  const root = commonRoot(all.map(([path]) => path));
  const of = (effect: FileEffect): BucketItem[] =>
    all
      .filter(([, each]) => each === effect)
      .map(([path]) => listedPath(relativeTo(root, path)))
      .reverse()
      .map((text, order) => ({ text, order }));
  const bucket = (effect: FileEffect, weight: number): Bucket => ({
    section: 'state',
    label: FILE_LABEL[effect],
    items: of(effect),
    weight,
    shorten: 'never',
    inline: true,
  });
  return [
    {
      section: 'state',
      label: LABEL.root,
      items: root === '' ? [] : [{ text: root, order: 0 }],
      weight: 9,
      shorten: 'never',
    },
    bucket('edited', 7),
    bucket('written', 5),
    bucket('deleted', 2),
    bucket('read', 2),
  ];
}
