import type { Environment, Look } from './look.ts';
import type { Progress } from './progress.ts';

/** Where text goes. `isTerminal`: a person looks at it as it comes. */
export interface Output {
  readonly isTerminal: boolean;
  readonly look: Look;
  write(text: string): void;
}

/** All a command has of the world but files and stores. */
export interface Io {
  readonly env: Environment;
  /** How this program is called here, for commands that are shown to be copied. */
  readonly program: string;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Results: the report, the prompt, JSON. */
  readonly out: Output;
  /** Everything else: progress, warnings, the line that says what failed. */
  readonly err: Output;
  readonly progress: Progress;
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
}

/** Writes lines, each ended. */
export function writeLines(output: Output, lines: readonly string[]): void {
  if (lines.length > 0) output.write(`${lines.join('\n')}\n`);
}

/**
 * Writes one JSON document. What a terminal would obey is escaped, which changes no value: `JSON.stringify` leaves
 * U+007F to U+009F as they are.
 */
export function writeJson(output: Output, value: unknown): void {
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  output.write(`${text}\n`);
}
