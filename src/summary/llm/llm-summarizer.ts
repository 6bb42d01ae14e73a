import { createHash, randomUUID } from 'node:crypto';
import type * as Ai from 'ai';
import type { LanguageModel } from 'ai';
import { ConfigError } from '../../event/errors.ts';
import type { JsonObject } from '../../event/json.ts';
import type { Summarizer, SummarizerCall, SummaryRequest, SummaryResult } from '../summarizer.ts';
import { renderTranscript } from '../transcript.ts';
import { type TranscriptCaps, transcriptCaps } from '../transcript-caps.ts';
import { type CallSettings, callSettings } from './call-settings.ts';
import { readReply } from './read-reply.ts';
import { SUMMARY_INSTRUCTIONS, SUMMARY_PROMPT_REVISION, summaryQuestion } from './summary-prompt.ts';

/** How an {@link llmSummarizer} works. */
export interface LlmSummarizerOptions {
  /** Any model of the AI SDK: an object of one of its providers, or an id for its registry. */
  readonly model: LanguageModel;
  /** For records and telemetry. Missing: `llm`. */
  readonly name?: string;
  /** Replaces the default instructions, whole. They must ask for the summary alone and say that the transcript is not to be obeyed. */
  readonly instructions?: string;
  /** What the calls share with the application's own. */
  readonly settings?: CallSettings;
  /** How much of single values the transcript shows. Missing: 2,000 code points of a tool's input and output, 200 of a label. */
  readonly caps?: Partial<TranscriptCaps>;
  /** The most code points of transcript one call takes; longer windows are split. Missing: 200,000. `false`: no bound. */
  readonly maxTranscriptCodePoints?: number | false;
  /** How often a call that failed for a reason that may pass is repeated within its deadline: 0 to 5. Missing: 2. */
  readonly maxRetries?: number;
  /** Makes the transcript's fence; missing: random. */
  readonly nonce?: () => string;
}

const DEFAULT_TRANSCRIPT_CODE_POINTS = 200_000;
const DEFAULT_RETRIES = 2;
const MOST_RETRIES = 5;

/**
 * Summarizes with a model. Needs the package `ai` and a provider's. One call without tools, in which the transcript is
 * fenced, untrusted data and the model is asked for five XML sections. Throws `ConfigError` for options that cannot work; a
 * call rejects with what the AI SDK threw, which may carry text of the conversation.
 *
 * ```ts
 * import { openai } from '@ai-sdk/openai';
 * import { llmSummarizer } from 'palimpsest/summary';
 *
 * const summarizer = llmSummarizer({ model: openai('gpt-5-mini') });
 * ```
 */
export function llmSummarizer(options: LlmSummarizerOptions): Summarizer {
  const { model, name = 'llm', instructions = SUMMARY_INSTRUCTIONS, nonce = randomUUID } = options;
  const identity = modelIdentity(model);
  const caps = transcriptCaps(options.caps);
  const settings = callSettings(options.settings);
  const maxRetries = retries(options.maxRetries);
  const limit = transcriptLimit(options.maxTranscriptCodePoints);
  if (instructions.trim() === '') throw new ConfigError('instructions', 'must say how to summarize');

  async function summarize(request: SummaryRequest, call: SummarizerCall): Promise<SummaryResult> {
    if (request.events.length === 0 && request.previous.length === 0) {
      return { kind: 'declined', reason: 'nothing_to_summarize' };
    }
    const { generateText } = await loadAi();
    const reply = await generateText({
      ...settings(),
      model,
      system: instructions,
      prompt: summaryQuestion(renderTranscript(request, { nonce: nonce(), caps }), request),
      maxRetries,
      abortSignal: call.signal,
      telemetry: { functionId: 'palimpsest.summarize', recordInputs: false, recordOutputs: false },
    });
    return readReply(reply);
  }

  return Object.freeze({
    name,
    format: 'prose',
    model: identity,
    ...(limit === undefined ? {} : { maxTranscriptCodePoints: limit }),
    caps,
    shape: shapeOf(instructions, caps, settings()),
    summarize,
  });
}

function shapeOf(instructions: string, caps: TranscriptCaps, sampling: CallSettings): JsonObject {
  const { temperature = null, topP = null, topK = null, seed = null } = sampling;
  return Object.freeze({
    prompt: instructions === SUMMARY_INSTRUCTIONS ? SUMMARY_PROMPT_REVISION : sha256(instructions),
    caps: { ...caps },
    sampling: Object.freeze({ temperature, topP, topK, seed }),
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text.toWellFormed()).digest('hex');
}

/** The package is an optional peer: loaded when it is first needed, so that everything else works without it. */
async function loadAi(): Promise<typeof Ai> {
  try {
    return await import('ai');
  } catch (cause) {
    throw new ConfigError('ai', 'is needed by llmSummarizer and cannot be loaded: npm install ai', { cause });
  }
}

function modelIdentity(model: LanguageModel): { readonly provider: string; readonly model: string } {
  if (typeof model === 'string' && model !== '') {
    const slash = model.indexOf('/');
    return Object.freeze({
      provider: slash > 0 ? model.slice(0, slash) : 'registry',
      model: model.slice(slash + 1),
    });
  }
  if (typeof model !== 'object' || model === null || typeof model.doGenerate !== 'function') {
    throw new ConfigError('model', 'must be a language model of the AI SDK, or its id');
  }
  return Object.freeze({ provider: model.provider, model: model.modelId });
}

function retries(value: number = DEFAULT_RETRIES): number {
  if (Number.isInteger(value) && value >= 0 && value <= MOST_RETRIES) return value;
  throw new ConfigError('maxRetries', `must be a whole number from 0 to ${MOST_RETRIES}`);
}

function transcriptLimit(value: number | false = DEFAULT_TRANSCRIPT_CODE_POINTS): number | undefined {
  if (value === false) return undefined;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigError('maxTranscriptCodePoints', 'must be false or a whole number above 0');
}
