import { aiSdkUi } from './ai-sdk-ui.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { codex } from './codex/codex.ts';
import type { LogFormatReader } from './format.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

/** Every format, in the order they are tried: the most particular first, for plain messages are part of many forms. */
export const formats: readonly LogFormatReader[] = [
  codex,
  claudeCode,
  aiSdkUi,
  openaiResponses,
  anthropicMessages,
  openaiChat,
];
