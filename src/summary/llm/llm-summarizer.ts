import { createHash, randomUUID } from 'node:crypto';
import { ConfigError, InvalidSummaryError, type SummaryReason } from '../../event/errors.ts';
import type { Usage } from '../../event/event.ts';
import type { JsonObject } from '../../event/json.ts';
import { compactionInput } from '../contract/compaction-input.ts';
import { toMessages } from '../contract/to-messages.ts';
import { judgeResult } from '../gate.ts';
import type {
  GivenSummary,
  Summarizer,
  SummarizerCall,
  SummaryRequest,
  SummaryResult,
} from '../summarizer.ts';
import { renderTranscript } from '../transcript.ts';
import { transcriptCaps } from '../transcript-caps.ts';
import { addUsage } from '../usage.ts';
import { trimBlank } from '../white-space.ts';
import { writeRequest } from '../wire/write-request.ts';
import { type CallSettings, callSettings } from './call-settings.ts';
import { converse } from './converse.ts';
import {
  checkEnvelope,
  inputBytes,
  type LlmSummarizerOptions,
  modelIdentity,
  retries,
  transcriptLimit,
} from './options.ts';
import { PaidCallError } from './paid-call-error.ts';
import { readReply } from './read-reply.ts';
import { repairNote } from './repair.ts';
import {
  SUMMARY_INSTRUCTIONS,
  SUMMARY_PROMPT_REVISION,
  summaryQuestion,
  WIRE_INSTRUCTIONS,
  wireNotes,
} from './summary-prompt.ts';

/**
 * Summarizes with a model. Needs the package `ai` and a provider's. One call without tools, in which the transcript is
 * untrusted data and the model is asked for five XML sections. An answer the gate would refuse is asked for once more,
 * with the reason and nothing else; when that is refused too, it declines, `invalid_summary:` and the reason. Usage is
 * that of both. Throws `ConfigError` for options that cannot work; a call rejects with what the AI SDK threw, which may
 * carry text of the conversation, or with `InvalidSummaryError` for a reply that was cut, filtered or refused.
 *
 * ```ts
 * import { openai } from '@ai-sdk/openai';
 * import { llmSummarizer } from 'palimpsest/summary';
 *
 * const summarizer = llmSummarizer({ model: openai('gpt-5-mini') });
 * ```
 */
export function llmSummarizer(options: LlmSummarizerOptions): Summarizer {
  const { model, name = 'llm', nonce = randomUUID, stream = false } = options;
  const envelope = checkEnvelope(options.envelope);
  const defaults = envelope === 'wire' ? WIRE_INSTRUCTIONS : SUMMARY_INSTRUCTIONS;
  const { instructions = defaults } = options;
  const identity = modelIdentity(model);
  const caps = transcriptCaps(options.caps);
  const settings = callSettings(options.settings);
  const maxRetries = retries(options.maxRetries);
  const limit = transcriptLimit(options.maxTranscriptCodePoints);
  const maxBytes = inputBytes(options.maxInputBytes);
  if (instructions.trim() === '') throw new ConfigError('instructions', 'must say how to summarize');

  /** The texts of the question; undefined when it fits no call. */
  function questionFor(request: SummaryRequest): readonly string[] | undefined {
    if (envelope === 'none')
      return [summaryQuestion(renderTranscript(request, { nonce: nonce(), caps }), request)];
    const { maxSummaryTokens } = request;
    const input = compactionInput({
      ...request.identity,
      transcript: toMessages(request, caps),
      maxSummaryTokens,
    });
    const { text, fits } = writeRequest(input, { caps, maxBytes });
    return fits ? [text, ...wireNotes(request)] : undefined;
  }

  /** Asks once: a summary that passes, or why the answer does not. */
  async function ask(
    question: readonly string[],
    request: SummaryRequest,
    { signal }: SummarizerCall,
  ): Promise<GivenSummary | InvalidSummaryError> {
    const reply = await converse({
      model,
      settings: settings(),
      instructions,
      question,
      maxRetries,
      stream,
      signal,
    });
    try {
      const read = readReply(reply);
      const answer = envelope === 'none' ? { ...read, content: trimBlank(read.content) } : read;
      const judged = judgeResult(answer, {
        format: 'sections',
        maxSummaryTokens: request.maxSummaryTokens,
        envelope: envelope === 'wire' ? request.identity : undefined,
      });
      return judged.kind === 'summary'
        ? { ...answer, content: judged.text }
        : new InvalidSummaryError('output_shape');
    } catch (error) {
      if (error instanceof InvalidSummaryError) return error;
      throw error;
    }
  }

  async function summarize(request: SummaryRequest, call: SummarizerCall): Promise<SummaryResult> {
    if (request.events.length === 0 && request.previous.length === 0) {
      return { kind: 'declined', reason: 'nothing_to_summarize' };
    }
    const question = questionFor(request);
    if (question === undefined) return { kind: 'declined', reason: 'too_long' };
    const first = await ask(question, request, call);
    if (!(first instanceof InvalidSummaryError)) return first;
    const note = repairNote(first.reason);
    if (note === undefined) throw first;
    const paid = first.usage;
    const second = await ask([...question, note], request, call).catch((cause: unknown) => {
      throw paid === undefined ? cause : new PaidCallError(paid, cause);
    });
    if (!(second instanceof InvalidSummaryError))
      return { ...second, ...(paid === undefined ? {} : { discarded: paid }) };
    return declined(second.reason, addUsage(paid, second.usage));
  }

  return Object.freeze({
    name,
    format: 'sections',
    model: identity,
    ...(limit === undefined ? {} : { maxTranscriptCodePoints: limit }),
    caps,
    shape: Object.freeze({
      prompt: instructions === defaults ? SUMMARY_PROMPT_REVISION : sha256(instructions),
      envelope,
      ...(envelope === 'wire' ? { maxInputBytes: maxBytes } : {}),
      sampling: samplingOf(settings()),
    }),
    summarize,
  });
}

function declined(reason: SummaryReason, usage: Usage | undefined): SummaryResult {
  return {
    kind: 'declined',
    reason: `invalid_summary:${reason}`,
    ...(usage === undefined ? {} : { usage }),
  };
}

function samplingOf(sampling: CallSettings): JsonObject {
  const { temperature = null, topP = null, topK = null, seed = null } = sampling;
  return Object.freeze({ temperature, topP, topK, seed });
}

function sha256(text: string): string {
  return createHash('sha256').update(text.toWellFormed()).digest('hex');
}
