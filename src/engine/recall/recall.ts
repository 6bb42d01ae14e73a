import { ConfigError, NotFoundError } from '../../event/errors.ts';
import type { Reader } from '../../event/lane.ts';
import { recalledText } from '../../prompt/recalled/recalled-text.ts';
import type { Recalled, Recollection } from '../../prompt/recalled/recollection.ts';
import { findNamed } from './find-named.ts';
import { findRecord, findSpan } from './find-spans.ts';
import { findWords } from './find-words.ts';
import type { Recalling } from './recalling.ts';
import { type CheckedRequest, checkRequest } from './request.ts';

/** For whom to recall, and how much. */
export interface RecallOptions {
  /** Missing: the root of the main conversation. */
  readonly reader?: Reader;
  /** The most tokens an answer may take, by the store's counter; 2,000 where it is missing, at least 400. */
  readonly maxTokens?: number;
}

const DEFAULT_TOKENS = 2_000;
/** Room for what every answer says of itself, and some words. */
const LEAST_TOKENS = 400;

/** The most tokens of an answer; throws `ConfigError` for a number that cannot be. */
export function recallTokens({ maxTokens = DEFAULT_TOKENS }: RecallOptions): number {
  if (Number.isSafeInteger(maxTokens) && maxTokens >= LEAST_TOKENS) return maxTokens;
  throw new ConfigError('maxTokens', `must be a whole number of at least ${LEAST_TOKENS} tokens`);
}

/** The one definition of what is read back: `input` is anything, and a request that cannot be answered is told so in a line. */
export async function recallEvents(
  input: unknown,
  maxTokens: number,
  recalling: Recalling,
): Promise<Recalled> {
  const asked = checkRequest(input);
  const { counter } = recalling.store;
  const found = asked.kind === 'problem' ? nothing(asked.problem) : await find(asked, recalling);
  if (found.events.length > 0) return recalledText(found, { counter, maxTokens });
  const text = found
    .notes([])
    .map((note) => `[recall: ${note}]`)
    .join('\n');
  const tokens = counter.count(text);
  return tokens <= maxTokens ? { text, tokens, seqs: [] } : { text: '', tokens: 0, seqs: [] };
}

async function find(asked: CheckedRequest, recalling: Recalling): Promise<Recollection> {
  try {
    return await dispatch(asked, recalling);
  } catch (error) {
    // A session comes into being with its first event.
    if (error instanceof NotFoundError) return nothing('nothing was said yet');
    throw error;
  }
}

function dispatch(asked: CheckedRequest, recalling: Recalling): Promise<Recollection> {
  switch (asked.kind) {
    case 'words':
      return findWords(asked, recalling);
    case 'events':
      return findNamed(asked, recalling);
    case 'span':
      return findSpan(asked, recalling);
    case 'record':
      return findRecord(asked, recalling);
    default:
      return asked satisfies never;
  }
}

function nothing(note: string): Recollection {
  return { events: [], inSeqOrder: false, notes: () => [note] };
}
