import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What a process is told to open. */
export interface OpeningOrder {
  readonly path: string;
  readonly readOnly: boolean;
  /** Stores to open at once. */
  readonly handles: number;
  /** The statement, from 1, before which it stops until {@link OpeningWorker.goOn}. */
  readonly pauseBefore?: number;
  readonly busyLimitMilliseconds: number;
}

/** What a process says. */
export type OpeningReport =
  | { readonly type: 'paused' }
  | {
      readonly type: 'done';
      /** For each handle `opened`, or the message it was refused with. */
      readonly outcomes: readonly string[];
      /** Statements that ran. */
      readonly statements: number;
    };

/** A process that opens files on orders. */
export class OpeningWorker {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#process = spawn(process.execPath, [fileURLToPath(new URL('opening-worker.ts', import.meta.url))]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Lets it open; resolves when it is done, or paused. */
  async open(order: OpeningOrder): Promise<OpeningReport> {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
    return this.#report();
  }

  /** Lets a paused one go on; resolves when it is done. */
  async goOn(): Promise<OpeningReport> {
    this.#process.stdin.write('\n');
    return this.#report();
  }

  async close(): Promise<void> {
    const over = once(this.#process, 'close');
    this.#process.stdin.end();
    await over;
  }

  async #report(): Promise<OpeningReport> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error('the process ended');
    return JSON.parse(line.value);
  }
}
