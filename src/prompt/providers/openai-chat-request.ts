import type { ToolNaming } from '../tool-names.ts';

/** Text. */
export interface OpenAIChatText {
  type: 'text';
  text: string;
}

/** What a user message holds. */
export type OpenAIChatUserPart =
  | OpenAIChatText
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { filename: string; file_data: string } };

/** What an assistant message holds. */
export type OpenAIChatAssistantPart = OpenAIChatText | { type: 'refusal'; refusal: string };

/** A call of a tool; `arguments` is JSON text as the model wrote it. */
export interface OpenAIChatToolCall {
  type: 'function';
  id: string;
  function: { name: string; arguments: string };
}

/** One message of a Chat Completions request. */
export type OpenAIChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | OpenAIChatUserPart[] }
  | {
      role: 'assistant';
      content: string | OpenAIChatAssistantPart[] | null;
      tool_calls?: OpenAIChatToolCall[];
    }
  | { role: 'tool'; tool_call_id: string; content: string };

/** The part of a Chat Completions request that a prompt decides. */
export interface OpenAIChatRequest {
  messages: OpenAIChatMessage[];
}

/** The API names both patterns in its errors; ids over 40 characters are refused. */
export const OPENAI_CHAT_NAMING: ToolNaming = {
  name: /^[a-zA-Z0-9_-]{1,64}$/,
  maxNameLength: 64,
  maxIdLength: 40,
};
