import type { RecordState } from '../coverage/record.ts';
import type { RecordId, SessionKey } from '../event/ids.ts';
import type { SessionInfo } from '../store/session-store.ts';
import { CliFailure } from './failure.ts';

const SHORTEST_PART = 4;
const SHORT_ID = 8;
const LISTED = 5;

/**
 * The session a person means: by its id, by `app/user/id`, or by the beginning of its id; without a name, the only one
 * there is. `CliFailure` when none or several fit.
 */
export function pickSession(
  sessions: readonly Pick<SessionInfo, 'key'>[],
  name: string | undefined,
): SessionKey {
  const keys = sessions.map((info) => info.key);
  if (keys.length === 0) throw new CliFailure('the store holds no session');
  if (name === undefined) {
    const [only, ...others] = keys;
    if (only !== undefined && others.length === 0) return only;
    throw new CliFailure(
      `the store holds ${keys.length} sessions; say which with --session: ${listOf(keys)}`,
    );
  }
  const tests: readonly ((key: SessionKey) => boolean)[] = [
    (key) => key.session === name,
    (key) => fullName(key) === name,
    (key) => name.length >= SHORTEST_PART && key.session.startsWith(name),
  ];
  for (const test of tests) {
    const found = keys.filter(test);
    const [first, second] = found;
    if (first !== undefined && second === undefined) return first;
    if (second !== undefined) {
      throw new CliFailure(`${found.length} sessions fit ${name}; give one of: ${listOf(found)}`);
    }
  }
  throw new CliFailure(`the store holds no session ${name}; see palimpsest sessions`);
}

/**
 * The record a person means: `last` (the newest that is not undone, for `undo`; the newest undone one, for `redo`), or
 * the beginning or the end of its id. `CliFailure` when none or several fit.
 */
export function pickRecord(states: readonly RecordState[], name: string, undone: boolean): RecordId {
  if (name === 'last') {
    const newest = states.findLast((state) => state.undone === undone);
    if (newest !== undefined) return newest.record.id;
    if (states.length === 0)
      throw new CliFailure('the session has no summary yet; palimpsest compact makes one');
    throw new CliFailure(
      undone
        ? 'there is nothing to redo: no summary of the session is undone'
        : 'there is nothing to undo: every summary of the session is undone already; palimpsest redo last restores one',
    );
  }
  const ids = states.map((state) => state.record.id);
  const exact = ids.find((id) => id === name);
  if (exact !== undefined) return exact;
  if (name.length < SHORTEST_PART) {
    throw new CliFailure(`give at least ${SHORTEST_PART} characters of the record's id, or last`);
  }
  const found = ids.filter((id) => id.startsWith(name) || id.endsWith(name));
  const [first, second] = found;
  if (first === undefined) throw new CliFailure(`the session has no record ${name}; see palimpsest records`);
  if (second !== undefined) throw new CliFailure(`${found.length} records fit ${name}; give more of the id`);
  return first;
}

/**
 * The shortest ending of an id that tells it from the others, of at least eight characters. (Ids begin with the time
 * they were made at, so endings differ sooner than beginnings.)
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const short = new Map<string, string>();
  for (const id of ids) {
    let length = SHORT_ID;
    while (length < id.length && ids.some((other) => other !== id && other.endsWith(id.slice(-length)))) {
      length += 1;
    }
    short.set(id, id.slice(-length));
  }
  return short;
}

function fullName({ app, user, session }: SessionKey): string {
  return `${app}/${user}/${session}`;
}

function listOf(keys: readonly SessionKey[]): string {
  const alike = new Set(keys.map((key) => key.session)).size < keys.length;
  const names = keys.slice(0, LISTED).map((key) => (alike ? fullName(key) : key.session));
  return names.join(', ') + (keys.length > LISTED ? ` and ${keys.length - LISTED} more` : '');
}
