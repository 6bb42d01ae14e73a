import type { ToolNaming } from '../tool-names.ts';

/** What a message to the model, or a tool's output, holds. */
export type OpenAIInputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename?: string; file_data?: string; file_url?: string };

/** A message to the model. */
export interface OpenAIInputMessage {
  type: 'message';
  role: 'user' | 'developer';
  content: OpenAIInputPart[];
}

/** A message of the model's, without the id of the item it came from: such an id would demand the reasoning before it. */
export interface OpenAIAssistantMessage {
  type: 'message';
  role: 'assistant';
  content: string;
  phase?: 'commentary' | 'final_answer';
}

/** A reasoning item, whole as the API gave it. An item of the same reply comes right after it. */
export interface OpenAIReasoningItem {
  type: 'reasoning';
  id: string;
  summary: { type: 'summary_text'; text: string }[];
  encrypted_content?: string | null;
}

/** A call of a tool; `arguments` is JSON text as the model wrote it. */
export interface OpenAIFunctionCall {
  type: 'function_call';
  call_id: string;
  name: string;
  arguments: string;
}

/** What a tool gave. */
export interface OpenAIFunctionCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAIInputPart[];
}

/** A call of a tool that takes free text. */
export interface OpenAICustomToolCall {
  type: 'custom_tool_call';
  call_id: string;
  name: string;
  input: string;
}

/** What such a tool gave. */
export interface OpenAICustomToolCallOutput {
  type: 'custom_tool_call_output';
  call_id: string;
  output: string | OpenAIInputPart[];
}

/** The API's own summary of what came before it, passed back as it came. */
export interface OpenAICompactionItem {
  type: 'compaction';
  id?: string | null;
  encrypted_content: string;
}

/** A search the API ran itself, passed back as it came. */
export interface OpenAIWebSearchCall {
  type: 'web_search_call';
  id: string;
  status: 'in_progress' | 'searching' | 'completed' | 'failed' | 'incomplete';
  action:
    | { type: 'search'; query?: string; queries?: string[]; sources?: { type: 'url'; url: string }[] }
    | { type: 'open_page'; url?: string | null }
    | { type: 'find_in_page'; pattern: string; url: string };
}

/** Items of the API's own that stand alone, so that they can be passed back. */
export type OpenAIOwnItem = OpenAICompactionItem | OpenAIWebSearchCall;

/** One item of the input of a Responses request. */
export type OpenAIInputItem =
  | OpenAIInputMessage
  | OpenAIAssistantMessage
  | OpenAIReasoningItem
  | OpenAIFunctionCall
  | OpenAIFunctionCallOutput
  | OpenAICustomToolCall
  | OpenAICustomToolCallOutput
  | OpenAIOwnItem;

/** The part of a Responses request that a prompt decides. */
export interface OpenAIResponsesRequest {
  input: OpenAIInputItem[];
}

/** The API names both patterns in its errors; call ids over 64 characters are refused. */
export const OPENAI_RESPONSES_NAMING: ToolNaming = {
  name: /^[a-zA-Z0-9_-]{1,64}$/,
  maxNameLength: 64,
  maxIdLength: 64,
};
