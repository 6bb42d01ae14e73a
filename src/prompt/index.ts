export { assemblePrompt } from './assemble.ts';
export { checkAiSdk } from './legality/ai-sdk.ts';
export { checkAnthropic } from './legality/anthropic.ts';
export { checkGemini } from './legality/gemini.ts';
export { checkOpenAIChat } from './legality/openai-chat.ts';
export { checkOpenAIResponses } from './legality/openai-responses.ts';
export type { Accounting, EventEntry, ParkedEntry, Prompt, PromptEntry, SummaryEntry } from './prompt.ts';
export { type AiSdkOptions, toAiSdk } from './providers/ai-sdk.ts';
export type * from './providers/ai-sdk-prompt.ts';
export { toAnthropic } from './providers/anthropic.ts';
export type {
  AnthropicAssistantBlock,
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicRequest,
  AnthropicText,
  AnthropicToolResult,
  AnthropicToolUse,
  AnthropicUserBlock,
} from './providers/anthropic-request.ts';
export { toGemini } from './providers/gemini.ts';
export type {
  GeminiContent,
  GeminiFunctionCall,
  GeminiFunctionResponse,
  GeminiMedia,
  GeminiModelPart,
  GeminiRequest,
  GeminiText,
  GeminiUserPart,
} from './providers/gemini-request.ts';
export { toOpenAIChat } from './providers/openai-chat.ts';
export type {
  OpenAIChatAssistantPart,
  OpenAIChatMessage,
  OpenAIChatRequest,
  OpenAIChatText,
  OpenAIChatToolCall,
  OpenAIChatUserPart,
} from './providers/openai-chat-request.ts';
export { toOpenAIResponses } from './providers/openai-responses.ts';
export type {
  OpenAIAssistantMessage,
  OpenAICompactionItem,
  OpenAICustomToolCall,
  OpenAICustomToolCallOutput,
  OpenAIFunctionCall,
  OpenAIFunctionCallOutput,
  OpenAIInputItem,
  OpenAIInputMessage,
  OpenAIInputPart,
  OpenAIOwnItem,
  OpenAIReasoningItem,
  OpenAIResponsesRequest,
  OpenAIWebSearchCall,
} from './providers/openai-responses-request.ts';
export { toText } from './providers/text.ts';
