import type {
  Summarizer,
  SummarizerCall,
  SummaryRequest,
  SummaryResult,
} from '../../src/summary/summarizer.ts';
import type { AnsweredCall } from '../model/check-records.ts';
import { marksIn, sayingOfParts } from '../model/marks.ts';

/** What a scripted summarizer does when it is called. Whatever it returns goes to the engine as it is. */
export type Behaviour = (
  request: SummaryRequest,
  call: SummarizerCall,
  written: string,
) => SummaryResult | Promise<SummaryResult>;

/** Answers with what it was asked to write. */
export const healthy: Behaviour = (_request, _call, written) => ({
  kind: 'summary',
  content: written,
  usage: { inputTokens: 100, outputTokens: 10 },
  finish: 'stop',
});

/**
 * A summarizer that says back every mark it was shown, under the number of its call, and keeps all it was asked. Between
 * being asked and answering it waits for `whileThinking`, in which anything may happen to the session.
 */
export class ScriptedSummarizer implements Summarizer {
  readonly name = 'scripted';
  readonly format = 'prose';
  readonly maxTranscriptCodePoints?: number;
  readonly requests: AnsweredCall[] = [];
  behaviour: Behaviour = healthy;
  whileThinking: (request: SummaryRequest) => Promise<void> = async () => undefined;
  /** How many calls are under way, and the most that ever were for one event. */
  readonly #inFlight = new Map<number, number>();
  mostAtOnce = 0;

  constructor(options: { readonly maxTranscriptCodePoints?: number } = {}) {
    if (options.maxTranscriptCodePoints !== undefined)
      this.maxTranscriptCodePoints = options.maxTranscriptCodePoints;
  }

  async summarize(request: SummaryRequest, call: SummarizerCall): Promise<SummaryResult> {
    const number = this.requests.length + 1;
    this.requests.push({ number, request });
    for (const { seq } of request.events) {
      const now = (this.#inFlight.get(seq) ?? 0) + 1;
      this.#inFlight.set(seq, now);
      this.mostAtOnce = Math.max(this.mostAtOnce, now);
    }
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      for (const { seq } of request.events) this.#inFlight.set(seq, (this.#inFlight.get(seq) ?? 1) - 1);
    };
    // A call that was told to stop no longer counts, whether it does or not.
    call.signal.addEventListener('abort', end, { once: true });
    try {
      await this.whileThinking(request);
      return await this.behaviour(request, call, `#${number} ${marksOf(request).join(' ')}`);
    } finally {
      end();
    }
  }
}

/** Every mark a request shows. */
export function marksOf(request: SummaryRequest): readonly string[] {
  const said = [...request.context, ...request.events].map(({ parts }) => sayingOfParts(parts));
  return marksIn([...request.previous.map(({ text }) => text), ...said].join('\n'));
}
