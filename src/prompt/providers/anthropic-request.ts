import type { AnthropicThinking } from '../provider-state.ts';
import type { ToolNaming } from '../tool-names.ts';

/** Text. Never blank: the API refuses a block without a character to read. */
export interface AnthropicText {
  type: 'text';
  text: string;
}

/** An image of one of the four types the API reads, or its address. */
export interface AnthropicImage {
  type: 'image';
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string };
}

/** A PDF or plain text. */
export interface AnthropicDocument {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string };
  title?: string;
}

/** A call of a tool. */
export interface AnthropicToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: { [key: string]: unknown };
}

/** The result of a call; stands first in the user message right after it. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: (AnthropicText | AnthropicImage | AnthropicDocument)[];
  is_error?: boolean;
}

/** What a user message holds. */
export type AnthropicUserBlock = AnthropicText | AnthropicImage | AnthropicDocument | AnthropicToolResult;
/** What an assistant message holds. */
export type AnthropicAssistantBlock = AnthropicText | AnthropicThinking | AnthropicToolUse;

/** One message; roles alternate, a user's is first. */
export type AnthropicMessage =
  | { role: 'user'; content: AnthropicUserBlock[] }
  | { role: 'assistant'; content: AnthropicAssistantBlock[] };

/** The part of a request to the Messages API that a prompt decides. */
export interface AnthropicRequest {
  /** Missing where there are no instructions. */
  system?: AnthropicText[];
  messages: AnthropicMessage[];
}

/** https://docs.claude.com/en/docs/agents-and-tools/tool-use */
export const ANTHROPIC_NAMING: ToolNaming = {
  name: /^[a-zA-Z0-9_-]{1,128}$/,
  maxNameLength: 128,
  maxIdLength: 64,
};
