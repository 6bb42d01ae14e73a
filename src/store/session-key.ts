import { MAX_NAME_LENGTH } from '../event/draft.ts';
import { InvalidEventError } from '../event/errors.ts';
import type { SessionKey } from '../event/ids.ts';

/** Whether a value can be part of a session's key. */
function isKeyPart(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH && value.isWellFormed();
}

/** Whether a session can have this key. */
export function isKey(key: SessionKey): boolean {
  return isKeyPart(key.app) && isKeyPart(key.user) && isKeyPart(key.session);
}

/** A checked, frozen copy of a session's key; `InvalidEventError` naming the field that is empty, too long or no text. */
export function checkKey(key: SessionKey): SessionKey {
  for (const field of ['app', 'user', 'session'] as const) {
    if (!isKeyPart(key[field])) {
      throw new InvalidEventError(`key.${field}`, `is not a name of 1 to ${MAX_NAME_LENGTH} characters`);
    }
  }
  return Object.freeze({ app: key.app, user: key.user, session: key.session });
}

/** The key as one string, for maps. */
export function keyText(key: SessionKey): string {
  return JSON.stringify([key.app, key.user, key.session]);
}
