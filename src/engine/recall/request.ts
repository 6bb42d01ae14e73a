import type { RecordId, Seq } from '../../event/ids.ts';

/** What to read back; exactly one of these. */
export type RecallRequest =
  | {
      /** Words, in any language; names, paths and error codes as they were said. Nothing in it is syntax. */
      readonly words: string;
      /** How many of the best to leave out: they were shown before. */
      readonly skip?: number;
    }
  | {
      /** Events by seq or by id. */
      readonly events: readonly (Seq | string)[];
      /** With one event: the character of its text to begin at. */
      readonly offset?: number;
    }
  | {
      /** The seqs of a span; missing: as far as there are events. */
      readonly from?: Seq;
      readonly to?: Seq;
    }
  | {
      /** What a record covers, up to the seq `to`. */
      readonly record: string;
      readonly to?: Seq;
    };

/** A request that was checked. */
export type CheckedRequest =
  | { readonly kind: 'words'; readonly words: string; readonly skip: number }
  | { readonly kind: 'events'; readonly events: readonly (Seq | string)[]; readonly offset: number }
  | { readonly kind: 'span'; readonly from: Seq; readonly to: Seq }
  | { readonly kind: 'record'; readonly record: RecordId; readonly to: Seq };

/** A request that cannot be answered, and what is wrong with it: constant words and numbers. */
export interface RequestProblem {
  readonly kind: 'problem';
  readonly problem: string;
}

/** Most events that may be named at once. */
export const MOST_NAMED = 50;
/** Longest id that is looked up: none that is stored is longer. */
const LONGEST_ID = 512;
const NUMBER = /^\s*\d{1,15}\s*$/;

const ASK =
  'give words to look for, events by their numbers, from and to as the numbers of a span, or the id of a record';

/**
 * Checks what a model asked for. Whatever it is: fields that are null or blank are missing, numbers may come as text, and a
 * text alone is JSON or words.
 */
export function checkRequest(input: unknown): CheckedRequest | RequestProblem {
  const fields = fieldsOf(input);
  if (fields === null) return problem(ASK);
  const { words, events, ids, from, to, record, offset, skip } = fields;
  const named = [...listOf(events), ...listOf(ids)];
  const asked = [isGiven(words), named.length > 0, isGiven(record), isGiven(from)].filter(Boolean).length;
  if (asked > 1) return problem(`ask for one thing at a time: ${ASK}`);
  if (isGiven(words)) {
    const left = count(skip, 0);
    return typeof words === 'string' && left !== null
      ? { kind: 'words', words, skip: left }
      : problem('words is a text, and skip a whole number');
  }
  if (named.length > 0) return namedEvents(named, offset);
  const last = count(to, Number.MAX_SAFE_INTEGER);
  if (isGiven(record)) {
    return typeof record === 'string' && record.length <= LONGEST_ID && last !== null
      ? { kind: 'record', record: record as RecordId, to: last }
      : problem('record is the id of a record, and to the number of an event');
  }
  if (!isGiven(from) && !isGiven(to)) return problem(ASK);
  const first = count(from, 1);
  return first !== null && last !== null && first <= last
    ? { kind: 'span', from: first, to: last }
    : problem('from and to are numbers of events, from no larger than to');
}

function namedEvents(named: readonly unknown[], offset: unknown): CheckedRequest | RequestProblem {
  const begin = count(offset, 0);
  if (begin === null) return problem('offset is a whole number of characters');
  if (named.length > MOST_NAMED) return problem(`ask for at most ${MOST_NAMED} events at once`);
  if (begin > 0 && named.length > 1) return problem('offset goes with one event');
  const events: (Seq | string)[] = [];
  for (const name of named) {
    if (typeof name === 'string' && name.length <= LONGEST_ID) events.push(name);
    else {
      const seq = count(name, null);
      if (seq === null) return problem('events are numbers of events, or ids');
      events.push(seq);
    }
  }
  return { kind: 'events', events, offset: begin };
}

/** The seq a text says, or null. */
export function seqIn(name: string): Seq | null {
  return NUMBER.test(name) ? Number(name) : null;
}

function problem(text: string): RequestProblem {
  return { kind: 'problem', problem: text };
}

type Fields = {
  readonly [Name in 'words' | 'events' | 'ids' | 'from' | 'to' | 'record' | 'offset' | 'skip']?: unknown;
};

function fieldsOf(input: unknown): Fields | null {
  if (typeof input === 'string') {
    const parsed = parsedObject(input);
    return parsed ?? { words: input };
  }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : null;
}

function parsedObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.filter(isGiven);
  return isGiven(value) ? [value] : [];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** A whole number from 0 up, also as text; what is missing where it is; null where it is none. */
function count<Missing>(value: unknown, missing: Missing): number | Missing | null {
  if (!isGiven(value)) return missing;
  const number = typeof value === 'string' ? seqIn(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
