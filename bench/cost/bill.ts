import type { PromptEntry } from '../../src/prompt/prompt.ts';

/** What a token costs, in uncached input tokens: the price model of the published measurements. */
export const PRICES = Object.freeze({ cached: 0.1, uncached: 1, output: 5 });
/** Tokens of the instructions each call of a summarizer is given. */
export const INSTRUCTION_TOKENS = 400;

/** A thing in a prompt that is the same bytes as long as it is the same thing. */
interface Piece {
  readonly name: string;
  readonly tokens: number;
}

/**
 * What a session costs, call by call, in input-token equivalents. A provider's cache holds the prompt before: what two
 * prompts begin with alike is read from it, and from the first difference on everything is paid in full.
 */
export class Bill {
  #before: readonly Piece[] = [];
  calls = 0;
  /** Of the calls of the model: input read from the cache, input paid in full, output. */
  cached = 0;
  uncached = 0;
  output = 0;
  summarizerInput = 0;
  summarizerOutput = 0;
  mostPromptTokens = 0;

  /** A call of the model: its system prompt, its prompt, its reply. A cold cache holds nothing. */
  modelCall(
    systemTokens: number,
    entries: readonly PromptEntry[],
    outputTokens: number,
    cacheIsCold: boolean,
  ): void {
    const pieces = [{ name: 'system', tokens: systemTokens }, ...entries.map(pieceOf)];
    let same = 0;
    if (!cacheIsCold) {
      while (same < pieces.length && isSame(pieces[same], this.#before[same])) same += 1;
    }
    const cached = sumOf(pieces.slice(0, same));
    const all = sumOf(pieces);
    this.calls += 1;
    this.cached += cached;
    this.uncached += all - cached;
    this.output += outputTokens;
    this.mostPromptTokens = Math.max(this.mostPromptTokens, all);
    this.#before = pieces;
  }

  /** What the summarizer read, its instructions included, and wrote. */
  summarizer(inputTokens: number, outputTokens: number): void {
    this.summarizerInput += inputTokens;
    this.summarizerOutput += outputTokens;
  }

  /** Input-token equivalents a call of the model, the summarizer's share included. */
  get perCall(): number {
    const { cached, uncached, output } = PRICES;
    const model = this.cached * cached + this.uncached * uncached + this.output * output;
    return model / this.calls + this.summarizerPerCall;
  }

  /** Of it, the summarizer's share. */
  get summarizerPerCall(): number {
    const { uncached, output } = PRICES;
    return (this.summarizerInput * uncached + this.summarizerOutput * output) / this.calls;
  }
}

function pieceOf(entry: PromptEntry): Piece {
  switch (entry.kind) {
    case 'summary':
      return { name: entry.record.id, tokens: entry.tokens };
    case 'event':
      return { name: `event ${entry.event.seq}`, tokens: entry.event.tokens };
    case 'parked':
      return {
        name: `parked ${entry.obligations.map(({ id }) => id).join()} ${entry.more}`,
        tokens: entry.tokens,
      };
    default:
      return entry satisfies never;
  }
}

function isSame(a: Piece | undefined, b: Piece | undefined): boolean {
  return a !== undefined && b !== undefined && a.name === b.name && a.tokens === b.tokens;
}

function sumOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}
