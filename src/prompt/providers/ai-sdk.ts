import type { MediaPart, ProviderState, ReasoningPart } from '../../event/part.ts';
import { BETWEEN_REPLIES, OPENING } from '../frame.ts';
import { isCommonImage, isWebAddress, mediaLabel, sendable } from '../media.ts';
import { isBlank } from '../one-line.ts';
import type { Prompt } from '../prompt.ts';
import { anthropicThinking, geminiSignature, openAIItem } from '../provider-state.ts';
import { opaqueLabel } from '../render-part.ts';
import { callsLast, isThinking, type ReasoningProvider, replyBlocks } from '../reply-blocks.ts';
import { resultMedia, resultText } from '../result-text.ts';
import { inputObject } from '../tool-input.ts';
import { CallIds, legalToolName, type ToolNaming } from '../tool-names.ts';
import type { Block, ReplyBlock, ReplyTurn, Result } from '../turn.ts';
import { turnsOf } from '../turns.ts';
import type {
  AiSdkFile,
  AiSdkJson,
  AiSdkMessage,
  AiSdkPrompt,
  AiSdkProviderOptions,
  AiSdkReasoning,
  AiSdkText,
  AiSdkToolCall,
  AiSdkToolResult,
} from './ai-sdk-prompt.ts';
import { GEMINI_NAMING } from './gemini-request.ts';
import { OPENAI_CHAT_NAMING } from './openai-chat-request.ts';

/** What `toAiSdk` may know of the model. */
export interface AiSdkOptions {
  /**
   * The model's provider: its reasoning alone is sent, and media only it takes. Missing: the prompt holds what every
   * provider of the SDK takes, and all reasoning that some provider signed.
   */
  readonly provider?: 'anthropic' | 'openai' | 'google';
}

const REASONING: { readonly [provider in NonNullable<AiSdkOptions['provider']>]: ReasoningProvider } = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gemini',
};

/**
 * The prompt for the AI SDK: spread it into `generateText` or `streamText`. The request it becomes is legal for every
 * provider: it begins with a user message, calls have results, and ids and names are what the strictest provider takes.
 * The same prompt gives the same bytes.
 */
export function toAiSdk(prompt: Prompt, options: AiSdkOptions = {}): AiSdkPrompt {
  const request = new Request(options);
  for (const turn of turnsOf(prompt)) {
    switch (turn.kind) {
      case 'system':
        request.system.push(...turn.texts.map((content) => ({ role: 'system', content }) as const));
        break;
      case 'summaries':
        request.user(turn.texts.map((text) => ({ type: 'text', text })));
        break;
      case 'user':
        request.user(turn.blocks.flatMap((block) => request.userPart(block)));
        break;
      case 'reply':
        request.reply(turn);
        break;
      default:
        turn satisfies never;
    }
  }
  const { system, messages } = request;
  return system.length > 0 ? { system, messages } : { messages };
}

class Request {
  readonly system: { role: 'system'; content: string }[] = [];
  readonly messages: AiSdkMessage[] = [];
  readonly #provider: AiSdkOptions['provider'];
  readonly #reasoning: ReadonlySet<ReasoningProvider>;
  readonly #naming: ToolNaming;
  readonly #ids: CallIds;

  constructor({ provider }: AiSdkOptions) {
    this.#provider = provider;
    this.#reasoning = new Set(provider === undefined ? Object.values(REASONING) : [REASONING[provider]]);
    this.#naming = provider === 'google' ? GEMINI_NAMING : OPENAI_CHAT_NAMING;
    this.#ids = new CallIds(this.#naming);
  }

  user(content: (AiSdkText | AiSdkFile)[]): void {
    if (content.length > 0) this.messages.push({ role: 'user', content });
  }

  userPart(block: Block): (AiSdkText | AiSdkFile)[] {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    const sent = this.#file(block.media);
    if (sent !== null) return [sent];
    return block.labelled ? [] : [{ type: 'text', text: mediaLabel(block.media) }];
  }

  reply({ blocks, results }: ReplyTurn): void {
    const kept = this.#kept(blocks);
    if (kept.length === 0) return;
    const last = this.messages.at(-1);
    if (last === undefined) this.user([{ type: 'text', text: OPENING }]);
    // Anthropic's provider joins replies, and a message that holds thinking begins with it.
    if (last?.role === 'assistant' && isThinking(kept[0]))
      this.user([{ type: 'text', text: BETWEEN_REPLIES }]);
    this.messages.push({ role: 'assistant', content: this.#replyContent(kept) });
    if (results.length === 0) return;
    this.messages.push({ role: 'tool', content: results.map((result) => this.#result(result)) });
    const media = results.flatMap(resultMedia).flatMap((block) => {
      const sent = block.type === 'media' ? this.#file(block.media) : null;
      return sent === null ? [] : [sent];
    });
    if (media.length > 0) this.user([{ type: 'text', text: '[media of the tool results above]' }, ...media]);
  }

  #kept(blocks: readonly ReplyBlock[]): ReplyBlock[] {
    const all = replyBlocks(blocks, this.#reasoning);
    const kept =
      this.#provider === 'google'
        ? all
        : all.filter((block) => block.type !== 'text' || !isBlank(block.text));
    const reasons = kept.some((block) => block.type === 'reasoning' && !isThinking(block));
    return reasons ? kept : callsLast(kept);
  }

  #replyContent(blocks: readonly ReplyBlock[]): (AiSdkText | AiSdkReasoning | AiSdkToolCall)[] {
    const reasoned = new Set<string>();
    return blocks.flatMap((block): (AiSdkText | AiSdkReasoning | AiSdkToolCall)[] => {
      switch (block.type) {
        case 'reasoning': {
          const providerOptions = reasoningOptions(block);
          const key = JSON.stringify(providerOptions);
          // An OpenAI item whose summary has several texts may have become several parts.
          if (providerOptions === null || (!isThinking(block) && reasoned.has(key))) return [];
          reasoned.add(key);
          return [{ type: 'reasoning', text: block.text.toWellFormed(), providerOptions }];
        }
        case 'text':
          return [{ type: 'text', text: block.text, ...partOptions(block.providerState) }];
        case 'refusal':
          return [{ type: 'text', text: block.text }];
        case 'opaque':
          return [{ type: 'text', text: opaqueLabel(block) }];
        case 'call': {
          const toolCallId = this.#ids.of(block);
          const toolName = legalToolName(block.name, this.#naming);
          const input = inputObject(block.input);
          return [{ type: 'tool-call', toolCallId, toolName, input, ...partOptions(block.providerState) }];
        }
        default:
          return block satisfies never;
      }
    });
  }

  #result(result: Result): AiSdkToolResult {
    const { call, output, isError } = result;
    const toolCallId = this.#ids.of(call);
    const toolName = legalToolName(call.name, this.#naming);
    if ('json' in output) {
      const value = output.json as AiSdkJson;
      return {
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type: isError ? 'error-json' : 'json', value },
      };
    }
    const value = resultText({ ...result, isError: false });
    return {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: isError ? 'error-text' : 'text', value },
    };
  }

  #file(media: MediaPart): AiSdkFile | null {
    const sent = sendable(media);
    if (sent === null) return null;
    const { kind, mimeType, name, source } = sent;
    const common = isCommonImage(sent) || (kind === 'document' && mimeType === 'application/pdf');
    if (!common && (this.#provider !== 'google' || mimeType === '')) return null;
    if (source.type === 'url' && !isWebAddress(sent)) return null;
    return {
      type: 'file',
      data: source.type === 'data' ? source.data : source.url,
      mediaType: mimeType === '' ? 'image/*' : mimeType,
      ...(name === '' ? {} : { filename: name }),
    };
  }
}

function reasoningOptions(part: ReasoningPart): AiSdkProviderOptions | null {
  const thinking = anthropicThinking(part);
  if (thinking !== null) {
    return thinking.type === 'thinking'
      ? { anthropic: { signature: thinking.signature } }
      : { anthropic: { redactedData: thinking.data } };
  }
  const item = openAIItem(part.providerState, 'reasoning');
  if (item !== null) {
    const { id, encrypted_content: encrypted } = item;
    // By its content where that came: by its id the SDK would send a reference, and the API may have forgotten the item.
    if (typeof encrypted === 'string') return { openai: { reasoningEncryptedContent: encrypted } };
    return typeof id === 'string' ? { openai: { itemId: id } } : null;
  }
  return partOptions(part.providerState).providerOptions ?? null;
}

function partOptions(state: ProviderState | undefined): { providerOptions?: AiSdkProviderOptions } {
  const thoughtSignature = geminiSignature(state);
  if (thoughtSignature !== null) return { providerOptions: { google: { thoughtSignature } } };
  const phase = openAIItem(state, 'message')?.['phase'];
  return typeof phase === 'string' ? { providerOptions: { openai: { phase } } } : {};
}
