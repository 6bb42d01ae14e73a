import {
  ERROR_CODES,
  type ErrorCode,
  InvalidSummaryError,
  PalimpsestError,
  SUMMARY_REASONS,
} from '../event/errors.ts';

/** How often an error's own cause is looked into. */
const DEEPEST_CAUSE = 5;

/**
 * Why a summarizer's error came about, in words that may be stored and shown: the code of an error of this package,
 * `http_429` for one that carries a provider's status, `no_api_key` and `unreachable` for what the AI SDK calls so, else
 * `threw`. Never a word of the error's message.
 */
export function failureReason(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
    const code = codeOf(at);
    if (code !== undefined) return code;
    const status = read(at, 'statusCode');
    if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599)
      return `http_${status}`;
    const name = read(at, 'name');
    if (name === 'AI_LoadAPIKeyError') return 'no_api_key';
    // A call that got an answer has a status.
    if (name === 'AI_APICallError') return 'unreachable';
    at = read(at, 'lastError') ?? read(at, 'cause');
  }
  return 'threw';
}

/**
 * The refusal a summarizer throws that judges its own answer. Whoever throws chooses the words: only a reason there is
 * counts.
 */
export function thrownRefusal(error: unknown): InvalidSummaryError | undefined {
  try {
    if (!(error instanceof InvalidSummaryError)) return undefined;
    const { reason, usage } = error;
    const known = SUMMARY_REASONS.find((word) => word === reason);
    return known === undefined ? undefined : new InvalidSummaryError(known, { usage, cause: error });
  } catch {
    return undefined;
  }
}

/** The code of an error of this package, if it is one there is. Anything can be thrown, a proxy that throws too. */
function codeOf(error: unknown): ErrorCode | undefined {
  try {
    if (!PalimpsestError.isInstance(error)) return undefined;
    const { code } = error;
    return ERROR_CODES.find((word) => word === code);
  } catch {
    return undefined;
  }
}

function read(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, field);
  } catch {
    return undefined;
  }
}
