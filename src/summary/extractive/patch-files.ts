import type { FileEffect } from './shell.ts';

const PATCH_HEADER = /^\*\*\* (Add|Update|Delete) File: ([^\n]{1,300})$|^\*\*\* Move to: ([^\n]{1,300})$/gm;
const DIFF_HEADER =
  /^--- (?:a\/)?([^\n\t]{1,300}?)(?:\t[^\n]{0,100})?\n\+\+\+ (?:b\/)?([^\n\t]{1,300}?)(?:\t[^\n]{0,100})?$/gm;

/** Files a patch in a text adds, updates or deletes: the envelope form and unified diffs. */
export function patchFiles(text: string): Map<string, FileEffect> {
  const files = new Map<string, FileEffect>();
  if (text.includes('*** ')) {
    for (const match of text.matchAll(PATCH_HEADER)) {
      const path = (match[2] ?? match[3] ?? '').trim();
      files.set(path, match[1] === 'Add' ? 'written' : match[1] === 'Delete' ? 'deleted' : 'edited');
    }
  }
  if (text.includes('\n+++ ')) {
    for (const match of text.matchAll(DIFF_HEADER)) {
      const [before, after] = [match[1] ?? '', match[2] ?? ''];
      if (after === '/dev/null') files.set(before, 'deleted');
      else files.set(after, before === '/dev/null' ? 'written' : 'edited');
    }
  }
  return files;
}
