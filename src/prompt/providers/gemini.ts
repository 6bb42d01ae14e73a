import type { MediaPart, ProviderState } from '../../event/part.ts';
import { EMPTY, OPENING } from '../frame.ts';
import { mediaLabel, sendable } from '../media.ts';
import type { Prompt } from '../prompt.ts';
import { geminiSignature, isJsonObject } from '../provider-state.ts';
import { opaqueLabel } from '../render-part.ts';
import { type ReasoningProvider, replyBlocks } from '../reply-blocks.ts';
import { blockText, resultMedia } from '../result-text.ts';
import { inputObject } from '../tool-input.ts';
import { CallIds, legalToolName } from '../tool-names.ts';
import type { Block, ReplyTurn, Result } from '../turn.ts';
import { turnsOf } from '../turns.ts';
import {
  GEMINI_NAMING,
  type GeminiContent,
  type GeminiFunctionResponse,
  type GeminiMedia,
  type GeminiModelPart,
  type GeminiRequest,
  type GeminiText,
  type GeminiUserPart,
} from './gemini-request.ts';

const OWN: ReadonlySet<ReasoningProvider> = new Set(['gemini']);

/**
 * The prompt as a request to Gemini: `contents`, and `systemInstruction` for its config. Turns alternate and begin with
 * a user's; each function's response is in the turn right after its call; thought signatures stay on their parts. The
 * same prompt gives the same bytes.
 */
export function toGemini(prompt: Prompt): GeminiRequest {
  const ids = new CallIds(GEMINI_NAMING);
  const instructions: { text: string }[] = [];
  const contents: GeminiContent[] = [];
  const user = (parts: readonly GeminiUserPart[]): void => {
    if (parts.length === 0) return;
    const last = contents.at(-1);
    if (last?.role === 'user') last.parts.push(...parts);
    else contents.push({ role: 'user', parts: [...parts] });
  };
  const model = (parts: readonly GeminiModelPart[]): void => {
    if (parts.length === 0) return;
    if (contents.length === 0) user([{ text: OPENING }]);
    const last = contents.at(-1);
    if (last?.role === 'model') last.parts.push(...parts);
    else contents.push({ role: 'model', parts: [...parts] });
  };
  for (const turn of turnsOf(prompt)) {
    switch (turn.kind) {
      case 'system':
        instructions.push(...turn.texts.map((text) => ({ text })));
        break;
      case 'summaries':
        user(turn.texts.map((text) => ({ text })));
        break;
      case 'user':
        user(turn.blocks.flatMap(userPart));
        break;
      case 'reply':
        model(modelParts(turn, ids));
        user(turn.results.map((result) => responsePart(result, ids)));
        user(mediaOf(turn));
        break;
      default:
        turn satisfies never;
    }
  }
  return instructions.length > 0 ? { systemInstruction: { parts: instructions }, contents } : { contents };
}

function modelParts(turn: ReplyTurn, ids: CallIds): GeminiModelPart[] {
  return replyBlocks(turn.blocks, OWN).map((block): GeminiModelPart => {
    switch (block.type) {
      case 'reasoning':
        return { text: block.text.toWellFormed(), thought: true, ...signature(block.providerState) };
      case 'text':
        return { text: block.text, ...signature(block.providerState) };
      case 'refusal':
        return { text: block.text };
      case 'opaque':
        return { text: opaqueLabel(block) };
      case 'call': {
        const name = legalToolName(block.name, GEMINI_NAMING);
        const functionCall = { id: ids.of(block), name, args: inputObject(block.input) };
        return { functionCall, ...signature(block.providerState) };
      }
      default:
        return block satisfies never;
    }
  });
}

function signature(state: ProviderState | undefined): { thoughtSignature?: string } {
  const thoughtSignature = geminiSignature(state);
  return thoughtSignature === null ? {} : { thoughtSignature };
}

function responsePart(result: Result, ids: CallIds): GeminiFunctionResponse {
  const name = legalToolName(result.call.name, GEMINI_NAMING);
  return { functionResponse: { id: ids.of(result.call), name, response: response(result) } };
}

function response({ output, isError }: Result): { [key: string]: unknown } {
  if ('json' in output) {
    if (isError) return { error: output.json };
    return isJsonObject(output.json) ? output.json : { output: output.json };
  }
  const text = output.blocks.map(blockText).join('\n') || EMPTY;
  return isError ? { error: text } : { output: text };
}

/** A function's response is an object; its media come after the responses, in their order. */
function mediaOf({ results }: ReplyTurn): (GeminiText | GeminiMedia)[] {
  const media = results.flatMap(resultMedia).flatMap((block) => {
    const sent = block.type === 'media' ? mediaPart(block.media) : null;
    return sent === null ? [] : [sent];
  });
  return media.length > 0 ? [{ text: '[media of the tool results above]' }, ...media] : [];
}

function userPart(block: Block): (GeminiText | GeminiMedia)[] {
  if (block.type === 'text') return [{ text: block.text }];
  const sent = mediaPart(block.media);
  if (sent !== null) return [sent];
  return block.labelled ? [] : [{ text: mediaLabel(block.media) }];
}

function mediaPart(media: MediaPart): GeminiMedia | null {
  const sent = sendable(media);
  if (sent === null) return null;
  const { source, mimeType } = sent;
  if (source.type === 'data') return { inlineData: { mimeType, data: source.data } };
  return { fileData: { ...(mimeType === '' ? {} : { mimeType }), fileUri: source.url } };
}
