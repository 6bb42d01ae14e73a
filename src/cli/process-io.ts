import type { Io, Output } from './io.ts';
import { type Environment, lookFor, type Screen } from './look.ts';
import { Progress } from './progress.ts';

/** `isTTY` is missing where the stream is no terminal, whatever its type says. */
type Stream = Pick<NodeJS.WriteStream, 'on' | 'write' | 'writable'> & Screen;

/** The process as a command sees it, and how to leave it. */
export interface ProcessIo {
  readonly io: Io;
  /** Resolves when all that was written has left the process, to what went wrong with that. */
  readonly flush: () => Promise<Error | null>;
}

/**
 * Binds a command to this process. A reader of a pipe who has seen enough (`| head`) is no failure: what is written
 * after is dropped.
 */
export function processIo(interrupted: AbortSignal): ProcessIo {
  const env: Environment = process.env;
  let failed: Error | null = null;
  const onFailure = (error: Error): void => {
    failed ??= error;
  };
  const screen = output(process.stderr, env, onFailure);
  const progress = new Progress({
    isTerminal: screen.isTerminal,
    width: screen.look.width,
    write: (text) => screen.write(text),
    now: () => performance.now(),
  });
  // The line of progress goes before anything else is written.
  const clearing = (target: Output): Output => ({
    ...target,
    write: (text) => {
      progress.clear();
      target.write(text);
    },
  });
  return {
    io: {
      env,
      program: programName(env),
      // Opened by who reads it only.
      get input() {
        return process.stdin;
      },
      out: clearing(output(process.stdout, env, onFailure)),
      err: clearing(screen),
      progress,
      signal: interrupted,
    },
    flush: async () => {
      await Promise.all([drained(process.stdout), drained(process.stderr)]);
      return failed;
    },
  };
}

function output(stream: Stream, env: Environment, onFailure: (error: Error) => void): Output {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    if (error.code !== 'EPIPE') onFailure(error);
  });
  return {
    isTerminal: stream.isTTY === true,
    look: lookFor(env, stream),
    write: (text) => {
      if (!closed && stream.writable) stream.write(text);
    },
  };
}

function drained(stream: Stream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else stream.write('', () => resolve());
  });
}

/** In a checkout, what npm runs; installed, the command. */
function programName(env: Environment): string {
  const isCheckout = import.meta.url.endsWith('.ts') && env['npm_lifecycle_event'] !== undefined;
  return isCheckout ? 'npm run -s palimpsest --' : 'palimpsest';
}
