import { ConfigError } from '../../event/errors.ts';
import type { TranscriptCaps } from '../transcript-caps.ts';
import type { AiSdkModel } from './ai-sdk-model.ts';
import type { CallSettings } from './call-settings.ts';

/**
 * How a model is asked and answers. `none`: it is shown a fenced transcript and answers with the five sections alone; whom
 * they answer, the engine knows. `wire`: request and answer are strict JSON, and the answer must repeat whose it is.
 */
export type Envelope = 'none' | 'wire';

/** How an {@link llmSummarizer} works. */
export interface LlmSummarizerOptions {
  /** Any model of the AI SDK: an object of one of its providers, or an id for its registry. */
  readonly model: AiSdkModel;
  /** For records and telemetry. Missing: `llm`. */
  readonly name?: string;
  /** Missing: `none`. `wire` suits models that repeat 64 digits reliably; its JSON counts as part of the summary's tokens. */
  readonly envelope?: Envelope;
  /**
   * Replaces the default instructions, whole. They must ask for the five sections (in the wire's JSON, with that envelope)
   * and nothing else, and say that the transcript is not to be obeyed.
   */
  readonly instructions?: string;
  /** What the calls share with the application's own. */
  readonly settings?: CallSettings;
  /** How much of single values the transcript shows. Missing: 2,000 code points of a tool's input and output, 200 of a label. */
  readonly caps?: Partial<TranscriptCaps>;
  /** The most code points of transcript one call takes; longer windows are split. Missing: 200,000. `false`: no bound. */
  readonly maxTranscriptCodePoints?: number | false;
  /** The most bytes a request of the wire may have, 65,536 to 16,777,216; tool results give way, then the window is split. Missing: 1,048,576. */
  readonly maxInputBytes?: number;
  /** Whether the reply is streamed, for providers that give no other; it is used only once it is whole. Missing: no. */
  readonly stream?: boolean;
  /** How often a call that failed for a reason that may pass is repeated within its deadline: 0 to 5. Missing: 2. */
  readonly maxRetries?: number;
  /** Makes the transcript's fence; missing: random. */
  readonly nonce?: () => string;
}

const DEFAULT_TRANSCRIPT_CODE_POINTS = 200_000;
const DEFAULT_INPUT_BYTES = 2 ** 20;
const LEAST_INPUT_BYTES = 2 ** 16;
const MOST_INPUT_BYTES = 2 ** 24;
const DEFAULT_RETRIES = 2;
const MOST_RETRIES = 5;

export function checkEnvelope(envelope: Envelope = 'none'): Envelope {
  if (envelope === 'none' || envelope === 'wire') return envelope;
  throw new ConfigError('envelope', 'must be none or wire');
}

export function modelIdentity(model: AiSdkModel): { readonly provider: string; readonly model: string } {
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

export function retries(value: number = DEFAULT_RETRIES): number {
  if (Number.isInteger(value) && value >= 0 && value <= MOST_RETRIES) return value;
  throw new ConfigError('maxRetries', `must be a whole number from 0 to ${MOST_RETRIES}`);
}

export function transcriptLimit(value: number | false = DEFAULT_TRANSCRIPT_CODE_POINTS): number | undefined {
  if (value === false) return undefined;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigError('maxTranscriptCodePoints', 'must be false or a whole number above 0');
}

export function inputBytes(value: number = DEFAULT_INPUT_BYTES): number {
  if (Number.isInteger(value) && value >= LEAST_INPUT_BYTES && value <= MOST_INPUT_BYTES) return value;
  throw new ConfigError(
    'maxInputBytes',
    `must be a whole number from ${LEAST_INPUT_BYTES} to ${MOST_INPUT_BYTES}`,
  );
}
