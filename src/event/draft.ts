import { copyItems, copyJson, readFields, requirePlainObject } from './copy-json.ts';
import { copyPart, readString } from './draft-part.ts';
import { InvalidEventError, PalimpsestError } from './errors.ts';
import type { Ask, DraftPart, EventDraft, Finish, Role, Usage } from './event.ts';
import type { JsonObject } from './json.ts';
import { type Lane, ROOT_LANE } from './lane.ts';

/** A draft that was checked and copied: deeply frozen, nothing shared with what was handed in. */
export interface CheckedDraft extends Omit<EventDraft, 'id' | 'invocation' | 'lane' | 'author' | 'content'> {
  readonly id: string | null;
  readonly invocation: string | null;
  readonly lane: Lane;
  readonly author: string;
  readonly content: readonly DraftPart[];
}

const FIELDS: ReadonlySet<string> = new Set([
  'id',
  'invocation',
  'lane',
  'author',
  'role',
  'content',
  'reply',
  'createdAt',
  'usage',
  'finish',
  'longRunning',
  'asks',
  'answers',
  'metadata',
]);
const ROLES: ReadonlySet<unknown> = new Set<Role>(['user', 'assistant', 'system', 'tool']);
const FINISHES: ReadonlySet<unknown> = new Set<Finish>([
  'stop',
  'length',
  'toolCalls',
  'contentFilter',
  'error',
  'aborted',
  'other',
]);
const USAGE_FIELDS = [
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'reasoningTokens',
  'promptRevision',
] as const;
const BRANCH = /^[^.\u0000]+(?:\.[^.\u0000]+)*$/u;

/** Longest id or name a store keeps, in UTF-16 code units. */
export const MAX_NAME_LENGTH = 512;

/** A checked id or name: well-formed text of 1 to {@link MAX_NAME_LENGTH} code units without U+0000. */
export function checkName(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '')
    throw new InvalidEventError(field, 'is not a non-empty string');
  if (value.length > MAX_NAME_LENGTH) throw new InvalidEventError(field, `is longer than ${MAX_NAME_LENGTH}`);
  if (value.includes('\u0000') || !value.isWellFormed())
    throw new InvalidEventError(field, 'is not well-formed text');
  return value;
}

/** A checked copy of a lane: the branch is a dot path of non-empty names or `''`. */
export function checkLane(value: unknown, field = 'lane'): Lane {
  const fields = readFields(value, field);
  const branch = readString(fields, 'branch', field);
  const isolation = readString(fields, 'isolation', field);
  if (branch !== '' && !(BRANCH.test(branch) && checkName(branch, `${field}.branch`))) {
    throw new InvalidEventError(`${field}.branch`, 'is not a dot path of names');
  }
  if (isolation !== '') checkName(isolation, `${field}.isolation`);
  return branch === '' && isolation === '' ? ROOT_LANE : Object.freeze({ branch, isolation });
}

function names(value: unknown, field: string): readonly string[] {
  return copyItems(value, field, checkName);
}

function asks(value: unknown): readonly Ask[] {
  return copyItems(value, 'asks', (item, path): Ask => {
    const fields = readFields(item, path);
    const { kind, call } = fields;
    if (kind !== 'confirmation' && kind !== 'authorization') {
      throw new InvalidEventError(`${path}.kind`, 'is not confirmation or authorization');
    }
    return Object.freeze({
      kind,
      id: checkName(fields['id'], `${path}.id`),
      call: call === undefined ? '' : readString(fields, 'call', path),
    });
  });
}

function usage(value: unknown): Usage {
  const fields = readFields(value, 'usage');
  const copy: { -readonly [key in keyof Usage]: Usage[key] } = {};
  for (const field of USAGE_FIELDS) {
    const count = fields[field];
    if (count === undefined) continue;
    if (typeof count !== 'number' || !Number.isFinite(count) || count < 0) {
      throw new InvalidEventError(`usage.${field}`, 'is not a count of tokens');
    }
    // JSON text has no negative zero: every store hands out the same value.
    copy[field] = count === 0 ? 0 : count;
  }
  return Object.freeze(copy);
}

function content(value: unknown): readonly DraftPart[] {
  if (typeof value === 'string')
    return Object.freeze([Object.freeze({ type: 'text', text: value } as const)]);
  if (!Array.isArray(value)) throw new InvalidEventError('content', 'is not a string or an array of parts');
  return copyItems(value, 'content', (part, path): DraftPart => {
    const copy = copyPart(part, path);
    if (
      (copy.type === 'toolCall' || copy.type === 'toolResult') &&
      (copy.id ?? '').length > MAX_NAME_LENGTH
    ) {
      throw new InvalidEventError(`${path}.id`, `is longer than ${MAX_NAME_LENGTH}`);
    }
    return copy;
  });
}

/**
 * The boundary every event crosses: checks a draft and copies it, field by field, deeply frozen. Unknown fields are
 * refused rather than dropped (`partial` among them: a fragment of a reply is not an event). Throws `InvalidEventError`
 * naming the field; reads each field once, so that an accessor cannot show one value and store another.
 */
export function checkDraft(draft: unknown): CheckedDraft {
  try {
    return copyDraft(readFields(draft, 'draft'));
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) throw cause;
    // An accessor or a proxy of the draft's that throws what it likes.
    throw new InvalidEventError('draft', 'cannot be read', { cause });
  }
}

function copyDraft(fields: { readonly [key: string]: unknown }): CheckedDraft {
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined && !FIELDS.has(key))
      throw new InvalidEventError(key, 'is not a field of an event');
  }
  const role = fields['role'];
  if (!ROLES.has(role)) throw new InvalidEventError('role', 'is not user, assistant, system or tool');
  if (fields['finish'] !== undefined && !FINISHES.has(fields['finish'])) {
    throw new InvalidEventError('finish', 'is not a known way to finish');
  }
  const metadata = fields['metadata'];
  if (metadata !== undefined) requirePlainObject(metadata, 'metadata');
  return Object.freeze({
    id: fields['id'] === undefined ? null : checkName(fields['id'], 'id'),
    invocation: fields['invocation'] === undefined ? null : checkName(fields['invocation'], 'invocation'),
    lane: fields['lane'] === undefined ? ROOT_LANE : checkLane(fields['lane']),
    author: fields['author'] === undefined ? (role as Role) : checkName(fields['author'], 'author'),
    role: role as Role,
    content: content(fields['content']),
    ...(fields['reply'] === undefined ? {} : { reply: checkName(fields['reply'], 'reply') }),
    ...(fields['createdAt'] === undefined ? {} : { createdAt: readString(fields, 'createdAt', 'draft') }),
    ...(fields['usage'] === undefined ? {} : { usage: usage(fields['usage']) }),
    ...(fields['finish'] === undefined ? {} : { finish: fields['finish'] as Finish }),
    ...(fields['longRunning'] === undefined
      ? {}
      : { longRunning: names(fields['longRunning'], 'longRunning') }),
    ...(fields['asks'] === undefined ? {} : { asks: asks(fields['asks']) }),
    ...(fields['answers'] === undefined ? {} : { answers: names(fields['answers'], 'answers') }),
    ...(metadata === undefined ? {} : { metadata: copyJson(metadata, 'metadata') as JsonObject }),
  });
}
