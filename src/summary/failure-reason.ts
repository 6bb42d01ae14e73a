import { PalimpsestError } from '../event/errors.ts';

/** How often an error's own cause is looked into. */
const DEEPEST_CAUSE = 5;

/**
 * Why a summarizer's error came about, in words that may be stored and shown: the code of an error of this package,
 * `http_429` for one that carries a provider's status, else `threw`. Never a word of the error's message.
 */
export function failureReason(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
    if (PalimpsestError.isInstance(at)) return at.code;
    const status = read(at, 'statusCode');
    if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599)
      return `http_${status}`;
    at = read(at, 'lastError') ?? read(at, 'cause');
  }
  return 'threw';
}

function read(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, field);
  } catch {
    return undefined;
  }
}
