import type { Prompt } from '../prompt/prompt.ts';
import { toAiSdk } from '../prompt/providers/ai-sdk.ts';
import { toAnthropic } from '../prompt/providers/anthropic.ts';
import { toGemini } from '../prompt/providers/gemini.ts';
import { toOpenAIChat } from '../prompt/providers/openai-chat.ts';
import { toOpenAIResponses } from '../prompt/providers/openai-responses.ts';
import { toText } from '../prompt/providers/text.ts';
import type { Form } from './flags.ts';
import type { Io } from './io.ts';
import { visibleLines } from './text/visible.ts';

/** The prompt as a text, in one of the forms; ended by a line break. */
export function renderPrompt(prompt: Prompt, form: Form): string {
  if (form === 'text') return ended(toText(prompt));
  return ended(JSON.stringify(requestOf(prompt, form), null, 2));
}

/** The prompt as the value a provider's client takes. */
export function requestOf(prompt: Prompt, form: Exclude<Form, 'text'>): unknown {
  switch (form) {
    case 'openai':
      return toOpenAIChat(prompt);
    case 'openai-responses':
      return toOpenAIResponses(prompt);
    case 'anthropic':
      return toAnthropic(prompt);
    case 'gemini':
      return toGemini(prompt);
    case 'ai-sdk':
      return toAiSdk(prompt);
  }
}

/** Prints a prompt: byte for byte to a file or a pipe; on a terminal, what it would obey is shown as an escape. */
export function showPrompt(io: Io, text: string): void {
  io.out.write(io.out.isTerminal ? visibleLines(text) : text);
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
