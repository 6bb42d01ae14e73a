import type * as Ai from 'ai';
import type { LanguageModel } from 'ai';
import { ConfigError } from '../../event/errors.ts';
import type { AiSdkModel } from './ai-sdk-model.ts';
import type { OwnCallSettings } from './call-settings.ts';
import type { Reply } from './read-reply.ts';

/** One call of a model. */
export interface Conversation {
  readonly model: AiSdkModel;
  /** Settings of this call alone. */
  readonly settings: OwnCallSettings;
  readonly instructions: string;
  /** Texts of the one user message. */
  readonly question: readonly string[];
  readonly maxRetries: number;
  readonly stream: boolean;
  readonly signal: AbortSignal;
}

/** Asks a model once, without tools, and gives its whole reply, streamed or not. Rejects with what the AI SDK threw. */
export async function converse(conversation: Conversation): Promise<Reply> {
  const { model, settings, instructions, question, maxRetries, stream, signal } = conversation;
  const ai = await loadAi();
  const [only = '', ...more] = question;
  const content = more.length === 0 ? only : question.map((text) => ({ type: 'text' as const, text }));
  const call = {
    ...settings,
    // Its shape was checked when the summarizer was made; the rest is the AI SDK's to say.
    model: model as LanguageModel,
    system: instructions,
    messages: [{ role: 'user' as const, content }],
    maxRetries,
    abortSignal: signal,
    telemetry: { functionId: 'palimpsest.summarize', recordInputs: false, recordOutputs: false },
  };
  return stream ? assembled(ai, call) : ai.generateText(call);
}

/** A streamed reply, once it has ended: no fragment is ever taken for the whole. */
async function assembled(ai: typeof Ai, call: Parameters<typeof Ai.streamText>[0]): Promise<Reply> {
  let failure: unknown;
  const result = ai.streamText({
    ...call,
    // Else the SDK prints it, and it may carry text of the conversation.
    onError: ({ error }) => {
      failure ??= error;
    },
  });
  try {
    const [content, finishReason, rawFinishReason, usage] = await Promise.all([
      result.content,
      result.finishReason,
      result.rawFinishReason,
      result.usage,
    ]);
    if (failure === undefined) return { content, finishReason, rawFinishReason, usage };
  } catch (error) {
    failure ??= error;
  }
  throw failure;
}

/** The package is an optional peer: loaded when it is first needed, so that everything else works without it. */
async function loadAi(): Promise<typeof Ai> {
  try {
    return await import('ai');
  } catch (cause) {
    throw new ConfigError('ai', 'is needed by llmSummarizer and cannot be loaded: npm install ai', { cause });
  }
}
