import type { FileEffect } from './shell.ts';

/** Labels of items, few and short; an earlier summary's items are told by them when it is read on. */
export const LABEL = {
  later: 'then: ',
  last: 'last: ',
  done: 'done: ',
  user: 'user: ',
  media: 'attached: ',
  root: 'root: ',
  ok: 'ok: ',
  commit: 'commit: ',
  failed: 'error: ',
  noResult: 'no result: ',
  doing: 'doing: ',
  todo: 'todo: ',
  question: 'asked user: ',
  wasOpen: 'was open: ',
  looked: 'looked up: ',
  values: 'values: ',
} as const;

/** Labels of files by what was last done to them. */
export const FILE_LABEL: { readonly [E in FileEffect]: string } = {
  written: 'written: ',
  edited: 'edited: ',
  deleted: 'deleted: ',
  read: 'read: ',
};

/** What was asked last, and whether it is answered. */
export const ASKED: RegExp = /^asked last \((unanswered|in progress|answered|interrupted)\): /;

/** Stands for a request the goal already quotes. */
export const SAME_AS_GOAL = '= goal';

/** A deed and its line: `` `npm test`: 3 failed ``. */
export function deedText(what: string, line: string): string {
  return line === '' ? `\`${what}\`` : `\`${what}\`: ${line}`;
}

/** Reads {@link deedText} back. */
export function parseDeed(text: string): { what: string; line: string } | undefined {
  const match = /^`([^`\n]{1,400})`(?:: (.{1,600}))?/.exec(text);
  return match === null ? undefined : { what: match[1] ?? '', line: match[2] ?? '' };
}

/** A path in a list parted by commas. */
export function listedPath(path: string): string {
  return /[,"]/.test(path) ? JSON.stringify(path) : path;
}

/** Reads a list of {@link listedPath} back. */
export function parsePaths(text: string): string[] {
  return [...text.matchAll(/("(?:[^"\\]|\\.){0,400}")|([^,"\s][^,"\n]{0,400})/g)].map((match) => {
    if (match[1] === undefined) return (match[2] ?? '').trim();
    return match[1].slice(1, -1).replace(/\\(.)/g, (_all, char: string) => char);
  });
}
