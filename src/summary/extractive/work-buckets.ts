import type { Bucket, BucketItem } from './bucket.ts';
import { deedText, FILE_LABEL, LABEL, listedPath } from './labels.ts';
import type { Notes } from './notes.ts';
import { commonRoot, isFilePath, relativeTo } from './path-shape.ts';
import { numbered } from './rank.ts';
import type { FileEffect } from './shell.ts';
import { isCommit } from './tool-output.ts';

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
    if (deed.failed || deed.weight === 0 || deed.kind === 'file' || isCommit(deed.line)) continue;
    const family = deed.families.join(' ');
    const repeated = families.has(family);
    families.add(family);
    ranked.push({
      text: deedText(deed.what, deed.line),
      order: -back,
      rank: deed.weight * 2 + (deed.line === '' ? 0 : 1) - (repeated ? 3 : 0),
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

/** The directory most files share, and the files changed, by what was last done to them. */
export function changedFiles(files: ReadonlyMap<string, FileEffect>): Bucket[] {
  const root = rootOf(files);
  const place: Bucket = {
    section: 'state',
    label: LABEL.root,
    items: root === '' ? [] : [{ text: root, order: 0 }],
    weight: 9,
    shorten: 'never',
  };
  return [place, listed(files, 'edited', 7), listed(files, 'written', 5), listed(files, 'deleted', 2)];
}

/** Files only read. */
export function readFiles(files: ReadonlyMap<string, FileEffect>): Bucket {
  return listed(files, 'read', 1);
}

/** Files of one kind behind one label, newest first, as seen from the directory most share. */
function listed(files: ReadonlyMap<string, FileEffect>, effect: FileEffect, weight: number): Bucket {
  const root = rootOf(files);
  const paths = shownFiles(files).filter((path) => files.get(path) === effect);
  const items = paths.reverse().map((path, order) => ({ text: listedPath(relativeTo(root, path)), order }));
  return { section: 'state', label: FILE_LABEL[effect], items, weight, shorten: 'never', inline: true };
}

/** Directories were listed, not worked on; a deleted one is gone. */
function shownFiles(files: ReadonlyMap<string, FileEffect>): string[] {
  return [...files.keys()].filter((path) => isFilePath(path) || files.get(path) === 'deleted');
}

function rootOf(files: ReadonlyMap<string, FileEffect>): string {
  return commonRoot(shownFiles(files));
}
