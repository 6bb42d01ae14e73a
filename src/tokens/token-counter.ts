/** How good a count is: the provider's own, a real tokenizer's, or an estimate. */
export type CounterQuality = 'exact' | 'estimate';

/** Counts tokens. Linear in its input and bounded in time: no text, however unbroken, may block the event loop. */
export interface TokenCounter {
  readonly name: string;
  readonly quality: CounterQuality;
  /** Tokens in a text, a whole number. Deterministic. */
  count(text: string): number;
}
