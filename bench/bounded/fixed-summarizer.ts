import type { Summarizer, SummaryRequest, SummaryResult } from '../../src/summary/summarizer.ts';
import { countParts } from '../../src/tokens/count-parts.ts';
import type { TokenCounter } from '../../src/tokens/token-counter.ts';
import { INSTRUCTION_TOKENS } from '../cost/bill.ts';

/** What the calls of a summarizer took, in tokens. */
export interface SummarizerSpend {
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

/** What a call does: writes its text, or fails. `call` counts from 1. */
export type Answer = (request: SummaryRequest, call: number) => string;

/** A summarizer without a model, that counts what it is given and what it gives. */
export class FixedSummarizer implements Summarizer {
  readonly name = 'fixed';
  readonly format = 'prose';
  readonly spend: SummarizerSpend = { calls: 0, inputTokens: 0, outputTokens: 0 };
  readonly maxTranscriptCodePoints?: number;
  readonly #counter: TokenCounter;
  readonly #answer: Answer;

  constructor(counter: TokenCounter, answer: Answer, maxTranscriptCodePoints?: number) {
    this.#counter = counter;
    this.#answer = answer;
    if (maxTranscriptCodePoints !== undefined) this.maxTranscriptCodePoints = maxTranscriptCodePoints;
  }

  async summarize(request: SummaryRequest): Promise<SummaryResult> {
    const { spend } = this;
    spend.calls += 1;
    const inputTokens = this.#tokensShown(request);
    spend.inputTokens += inputTokens;
    const content = this.#answer(request, spend.calls);
    const outputTokens = this.#counter.count(content);
    spend.outputTokens += outputTokens;
    return { kind: 'summary', content, finish: 'stop', usage: { inputTokens, outputTokens } };
  }

  #tokensShown({ previous, context, events }: SummaryRequest): number {
    let tokens = INSTRUCTION_TOKENS;
    for (const { text } of previous) tokens += this.#counter.count(text);
    for (const { parts } of context) tokens += countParts(parts, this.#counter);
    for (const { parts } of events) tokens += countParts(parts, this.#counter);
    return tokens;
  }
}

/** A text of exactly so many characters. */
export function textOfLength(characters: number): string {
  return SENTENCE.repeat(Math.ceil(characters / SENTENCE.length))
    .slice(0, characters - 1)
    .concat('.');
}

const SENTENCE = 'they talked the plan through, and agreed on what to do next and on what to leave alone; ';
