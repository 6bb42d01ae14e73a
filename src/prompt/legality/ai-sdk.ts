import { isBlank } from '../one-line.ts';
import type { AiSdkPrompt } from '../providers/ai-sdk-prompt.ts';
import { GEMINI_NAMING } from '../providers/gemini-request.ts';
import type { ToolNaming } from '../tool-names.ts';
import { CallNames, checkResults } from './calls.ts';
import { checkJson } from './sound-json.ts';

/** Names the SDK hands on as they are, to whatever provider: the loosest is Gemini's, the shortest ids OpenAI's. */
const NAMING: ToolNaming = {
  name: new RegExp(`${GEMINI_NAMING.name.source}|^[a-zA-Z0-9_-]{1,64}$`),
  maxNameLength: 64,
  maxIdLength: 64,
};

/** The rules of the AI SDK for its messages, and of the providers behind it for their order; empty when legal. */
export function checkAiSdk({ system, messages }: AiSdkPrompt): string[] {
  const problems = [...checkJson(system ?? [], 'system'), ...checkJson(messages, 'messages')];
  const names = new CallNames(NAMING);
  if (messages[0] !== undefined && messages[0].role !== 'user')
    problems.push('messages[0]: is not a user message');
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.content.length === 0) problems.push(`${path}: is empty`);
    switch (message.role) {
      case 'user':
        for (const part of message.content) {
          if (part.type === 'text' && isBlank(part.text)) problems.push(`${path}: text is blank`);
        }
        break;
      case 'assistant': {
        const calls = message.content.filter((part) => part.type === 'tool-call');
        for (const { toolCallId, toolName } of calls)
          problems.push(...names.check(path, toolCallId, toolName));
        if (message.content.at(-1)?.type === 'reasoning') problems.push(`${path}: ends with reasoning`);
        const thinks = message.content.map(
          (part) => part.type === 'reasoning' && 'anthropic' in part.providerOptions,
        );
        if (thinks.includes(true) && message.content[0]?.type !== 'reasoning') {
          problems.push(`${path}: holds thinking and does not begin with reasoning`);
        }
        if (thinks[0] === true && messages[index - 1]?.role === 'assistant') {
          problems.push(`${path}: thinking would be joined to the reply before it`);
        }
        const after = messages[index + 1];
        const results = after?.role === 'tool' ? after.content.map(({ toolCallId }) => toolCallId) : [];
        const ids = calls.map(({ toolCallId }) => toolCallId);
        problems.push(...checkResults(path, ids, results));
        break;
      }
      case 'tool':
        if (messages[index - 1]?.role !== 'assistant')
          problems.push(`${path}: does not follow the message that calls`);
        break;
      default:
        message satisfies never;
    }
  }
  return problems;
}
