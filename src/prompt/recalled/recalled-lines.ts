import { createHash } from 'node:crypto';
import { clusterEnd, clusterStart } from '../../tokens/cluster.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { quoteName } from '../one-line.ts';
import { longestWithin } from './longest-within.ts';
import type { RecalledEvent } from './recollection.ts';

/** A line of what is shown: ours, of constant words, names and numbers, or words that somebody said. */
export type Line = { readonly ours: string } | { readonly said: string };

/** What of its share an event's beginning takes, where its end is shown too. */
const HEAD_SHARE = 0.75;

/** An event with what there is to read in it. */
export interface ReadEvent extends RecalledEvent {
  readonly text: string;
}

/** Whose words follow. */
export function headOf({ event: { seq, role, author } }: RecalledEvent): string {
  return `event ${seq}, ${role} ${quoteName(author)}`;
}

/** An event as lines: what of its words fits into a share of tokens, and what is missing. */
export function eventLines(read: ReadEvent, share: number, counter: TokenCounter): readonly Line[] {
  const { text } = read;
  const who = headOf(read);
  if (text === '') return [{ ours: `${who}: nothing to read` }];
  const from = clusterEnd(text, Math.min(read.from, text.length));
  if (from === text.length) return [{ ours: `${who}: its ${text.length} characters end before that offset` }];
  const whole = text.length - from;
  // What is cut off must be worth the line that says so.
  const room = share + markerTokens(read, counter);
  const fits = longestWithin(whole, room, (length) => counter.count(text.slice(from, from + length)));
  if (fits === whole) return [{ ours: who + position(from, text) }, { said: text.slice(from) }];
  if (from === 0 && read.near === null) return headAndTail(read, who, share, counter);
  const start = from > 0 ? from : clusterEnd(text, Math.min(read.near?.() ?? 0, text.length));
  return windowOf(read, who, start, share, counter);
}

/** What it costs to say that something is left out. */
export function markerTokens(read: ReadEvent, counter: TokenCounter): number {
  return counter.count(fenced([missing(read, 0, read.text.length)]));
}

function headAndTail(read: ReadEvent, who: string, share: number, counter: TokenCounter): readonly Line[] {
  const { text } = read;
  const count = (part: string): number => counter.count(part);
  const head = Math.floor(share * HEAD_SHARE);
  const end = clusterEnd(
    text,
    longestWithin(text.length, head, (length) => count(text.slice(0, length))),
  );
  const left = text.length - end;
  const tail = longestWithin(left, share - head, (length) => count(text.slice(text.length - length)));
  const start = clusterStart(text, text.length - tail);
  // Its two parts fit where the whole was just over: texts are not counted the same in one piece.
  if (start <= end) return [{ ours: who }, { said: text }];
  return [
    { ours: `${who}, ${text.length} characters` },
    ...said(text.slice(0, end)),
    missing(read, end, start),
    ...said(text.slice(start)),
  ];
}

function windowOf(
  read: ReadEvent,
  who: string,
  start: number,
  share: number,
  counter: TokenCounter,
): readonly Line[] {
  const { text } = read;
  const rest = text.length - start;
  const length = longestWithin(rest, share, (most) => counter.count(text.slice(start, start + most)));
  const end = start + length === text.length ? text.length : clusterEnd(text, start + length);
  return [
    { ours: who + position(start, text) },
    ...said(text.slice(start, Math.max(start, end))),
    ...(end < text.length ? [missing(read, Math.max(start, end), text.length)] : []),
  ];
}

function position(from: number, text: string): string {
  return from === 0 ? '' : `, from character ${from} of ${text.length}`;
}

function missing({ event }: ReadEvent, from: number, to: number): Line {
  return { ours: `${to - from} characters left out; to read on: events [${event.seq}], offset ${from}` };
}

function said(text: string): readonly Line[] {
  return text === '' ? [] : [{ said: text }];
}

/**
 * Lines as one text. Each of ours carries a fence made of them all, which none of them can contain: so no words, and no
 * name, can end what is quoted or pass for another event.
 */
export function fenced(lines: readonly Line[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update('said' in line ? line.said : line.ours).update('\0');
  const fence = hash.digest('hex').slice(0, 16);
  return lines.map((line) => ('said' in line ? line.said : `[${line.ours}, fence ${fence}]`)).join('\n');
}
