import { ConfigError } from '../event/errors.ts';

/**
 * How much of one value the transcript shows, in code points as rendered: quotes, escapes and the marker for what is
 * missing included. `false` switches a cap off. What a user or an assistant wrote, and a previous summary, has no cap.
 */
export interface TranscriptCaps {
  /** Arguments of a call, and code a provider was asked to run. */
  readonly toolInput: number | false;
  /** Results of calls and of code, and a provider's own items (`opaque`). */
  readonly toolOutput: number | false;
  /** Each of a medium's type, name and URL. */
  readonly mediaLabel: number | false;
}

/** The least a cap may be: room for the marker and something around it. */
export const MIN_CAP = 64;

/** The caps used where none are given. */
export const DEFAULT_CAPS: TranscriptCaps = Object.freeze({
  toolInput: 2_000,
  toolOutput: 2_000,
  mediaLabel: 200,
});

/** Caps from options: what is missing is the default. Throws `ConfigError` for a cap that is no whole number from 64 up. */
export function transcriptCaps(options: Partial<TranscriptCaps> = {}): TranscriptCaps {
  return Object.freeze({
    toolInput: cap('toolInput', options.toolInput),
    toolOutput: cap('toolOutput', options.toolOutput),
    mediaLabel: cap('mediaLabel', options.mediaLabel),
  });
}

function cap(name: keyof TranscriptCaps, value: number | false | undefined): number | false {
  if (value === undefined) return DEFAULT_CAPS[name];
  if (value === false || (Number.isSafeInteger(value) && value >= MIN_CAP)) return value;
  throw new ConfigError(`caps.${name}`, `must be false or a whole number of at least ${MIN_CAP} code points`);
}
