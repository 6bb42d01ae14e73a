import { displayWidth } from './text/display-width.ts';
import { cut, padEnd } from './text/fit.ts';
import { percent } from './text/numbers.ts';

/** Where progress is shown, and the time it is shown by. */
export interface ProgressScreen {
  readonly isTerminal: boolean;
  /** Cells in a line. */
  readonly width: number;
  write(text: string): void;
  /** Milliseconds. */
  now(): number;
}

const REDRAW_MS = 80;
/** Where nobody can redraw a line, work that takes long says so now and then. */
const PLAIN_MS = 5_000;

/**
 * One line that says how far long work is. On a terminal it is redrawn in place, without escapes, and gone at the end;
 * elsewhere it is a plain line every five seconds, none for work that is over sooner.
 */
export class Progress {
  readonly #screen: ProgressScreen;
  readonly #every: number;
  #shownAt: number;
  /** Cells of the line that stands on the terminal. */
  #drawn = 0;

  constructor(screen: ProgressScreen) {
    this.#screen = screen;
    this.#every = screen.isTerminal ? REDRAW_MS : PLAIN_MS;
    this.#shownAt = screen.now();
  }

  /** Says at once what is under way, where that can be drawn over later. */
  begin(what: string): void {
    this.#shownAt = this.#screen.now();
    if (this.#screen.isTerminal) this.#draw(what);
  }

  /** Says how far `what` is, as a share where the total is known. Cheap to call often. */
  report(what: string, done: number, total: number | null): void {
    const now = this.#screen.now();
    if (now - this.#shownAt < this.#every) return;
    this.#shownAt = now;
    const text = `${what}: ${total === null ? done : percent(Math.min(done, total), total)}`;
    if (this.#screen.isTerminal) this.#draw(text);
    else this.#screen.write(`palimpsest: ${text}\n`);
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (this.#drawn > 0) this.#screen.write(`\r${' '.repeat(this.#drawn)}\r`);
    this.#drawn = 0;
  }

  #draw(text: string): void {
    const shown = cut(text, this.#screen.width - 1);
    this.#screen.write(`\r${padEnd(shown, this.#drawn)}`);
    this.#drawn = displayWidth(shown);
  }
}
