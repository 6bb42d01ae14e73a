import { PalimpsestError } from '../event/errors.ts';
import { INTERRUPTED } from './interrupt.ts';
import { visible } from './text/visible.ts';

/** What the process ends with. */
export const EXIT: {
  readonly ok: 0;
  readonly failed: 1;
  readonly usage: 2;
  readonly interrupted: typeof INTERRUPTED;
} = { ok: 0, failed: 1, usage: 2, interrupted: INTERRUPTED };
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command: one line for the person, and the exit code. */
export class CliFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}

/** A failure of how the command was called. */
export function usageFailure(message: string): CliFailure {
  return new CliFailure(message, EXIT.usage);
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be read or written',
  EPERM: 'it may not be read or written',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
};

/** What went wrong in one line, and the exit code. Nothing of a conversation is in it. */
export function describeFailure(error: unknown): { readonly line: string; readonly exitCode: ExitCode } {
  if (error instanceof CliFailure) return { line: visible(error.message), exitCode: error.exitCode };
  if (PalimpsestError.isInstance(error)) {
    return { line: visible(error.message), exitCode: error.code === 'config' ? EXIT.usage : EXIT.failed };
  }
  if (error instanceof Error) {
    const system = systemReason(error);
    return { line: visible(system ?? `unexpected ${error.name}: ${error.message}`), exitCode: EXIT.failed };
  }
  return { line: 'unexpected failure', exitCode: EXIT.failed };
}

function systemReason(error: Error): string | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined;
  const reason = SYSTEM_REASONS[error.code];
  if (reason === undefined) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'a file';
  return `${path}: ${reason}`;
}
