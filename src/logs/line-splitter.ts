const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Longest line that is looked at, in bytes. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

/** One line: `bytes[start, end)` without its line break, valid only during the call. */
export interface LineSink {
  /** `ended` is false for a last line without a line break. */
  line(bytes: Buffer, start: number, end: number, ended: boolean): void;
  /** A line over {@link MAX_LINE_BYTES}, which is not kept. */
  tooLong(): void;
}

/**
 * Cuts a stream of byte chunks into lines at U+000A, before any decoding, so that no character is ever split. A carriage
 * return before the break is dropped, and so is a byte order mark at the start of the stream. What follows the last
 * break is a line when it has a byte. Memory is one line.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #limit: number;
  /** The beginning of a line whose end is in a later chunk. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #overlong = false;
  #first = true;

  constructor(sink: LineSink, limit: number = MAX_LINE_BYTES) {
    this.#sink = sink;
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) break;
      if (this.#heldBytes > 0 || this.#overlong) {
        this.#hold(bytes.subarray(start, end));
        this.#release(true);
      } else {
        this.#emit(bytes, start, end, true);
      }
      start = end + 1;
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start));
  }

  /** Says that the stream is over: what is left is the last line. */
  end(): void {
    if (this.#heldBytes > 0 || this.#overlong) this.#release(false);
  }

  #hold(piece: Buffer): void {
    if (this.#overlong || piece.length === 0) return;
    if (this.#heldBytes + piece.length > this.#limit) {
      this.#overlong = true;
      this.#held = [];
      this.#heldBytes = 0;
      return;
    }
    // The source may reuse its chunk, so what outlives this call is copied.
    this.#held.push(Buffer.from(piece));
    this.#heldBytes += piece.length;
  }

  #release(ended: boolean): void {
    const line = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    const overlong = this.#overlong;
    this.#held = [];
    this.#heldBytes = 0;
    this.#overlong = false;
    if (overlong) {
      this.#first = false;
      this.#sink.tooLong();
    } else {
      this.#emit(line, 0, line.length, ended);
    }
  }

  #emit(bytes: Buffer, start: number, end: number, ended: boolean): void {
    let from = start;
    if (this.#first) {
      this.#first = false;
      if (end - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) {
        from += 3;
      }
    }
    const to = ended && end > from && bytes[end - 1] === RETURN ? end - 1 : end;
    this.#sink.line(bytes, from, to, ended);
  }
}
