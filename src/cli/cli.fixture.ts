import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Io, Output } from './io.ts';
import { type Environment, lookFor } from './look.ts';
import { Progress } from './progress.ts';
import { run } from './run.ts';

/** The session that ships in the package. */
export const SAMPLE: string = fileURLToPath(new URL('../../samples/coding-session.jsonl', import.meta.url));

/** What a command printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, as between pipes. */
export async function cli(
  args: readonly string[],
  env: Environment = {},
  input: readonly Uint8Array[] = [],
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const output = (to: string[]): Output => ({
    isTerminal: false,
    look: lookFor(env, {}),
    write: (text) => to.push(text),
  });
  const screen = output(err);
  const io: Io = {
    env,
    program: 'palimpsest',
    input: Readable.from(input),
    out: output(out),
    err: screen,
    progress: new Progress({
      isTerminal: false,
      width: 80,
      write: (text) => screen.write(text),
      now: () => 0,
    }),
    signal: new AbortController().signal,
  };
  const code = await run(args, io);
  return { code, out: out.join(''), err: err.join('') };
}

/** A command's JSON, whatever it is. */
export async function cliJson(args: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const { out } = await cli([...args, '--json']);
  return JSON.parse(out);
}

/** A folder that is gone after the tests, and paths in it. */
export class Folder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'));

  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file and returns its path. */
  file(name: string, text: string): string {
    writeFileSync(this.at(name), text);
    return this.at(name);
  }

  /** Writes a chat of so many turns in OpenAI's form. */
  chat(name: string, turns: number): string {
    const messages = Array.from({ length: turns }, (_, at) => [
      { role: 'user', content: `question ${at + 1}: ${'what about this? '.repeat(12)}` },
      { role: 'assistant', content: `answer ${at + 1}: ${'that is so because of this. '.repeat(12)}` },
    ]).flat();
    return this.file(name, JSON.stringify({ messages }));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
