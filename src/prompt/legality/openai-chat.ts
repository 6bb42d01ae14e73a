import { OPENAI_CHAT_NAMING, type OpenAIChatMessage } from '../providers/openai-chat-request.ts';
import { CallNames, checkResults } from './calls.ts';
import { checkJson } from './sound-json.ts';

/** The rules of OpenAI's Chat Completions API for a list of messages; empty when it is legal. */
export function checkOpenAIChat(messages: readonly OpenAIChatMessage[]): string[] {
  const problems = checkJson(messages, 'messages');
  const names = new CallNames(OPENAI_CHAT_NAMING);
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'user':
        if (message.content.length === 0) problems.push(`${path}: is empty`);
        break;
      case 'assistant': {
        const calls = message.tool_calls;
        if (calls?.length === 0) problems.push(`${path}: tool_calls is empty`);
        if (calls === undefined && message.content === null)
          problems.push(`${path}: has neither content nor calls`);
        if (message.content?.length === 0) problems.push(`${path}: content is empty`);
        for (const { id, function: called } of calls ?? []) {
          problems.push(...names.check(path, id, called.name));
          if (called.arguments === '') problems.push(`${path}: arguments are empty`);
        }
        problems.push(
          ...checkResults(
            path,
            (calls ?? []).map(({ id }) => id),
            resultsAfter(messages, index),
          ),
        );
        break;
      }
      case 'tool': {
        const before = messages[index - 1];
        const follows =
          before?.role === 'tool' || (before?.role === 'assistant' && before.tool_calls !== undefined);
        if (!follows) problems.push(`${path}: does not follow the message that calls`);
        if (message.content === '') problems.push(`${path}: is empty`);
        break;
      }
      default:
        message satisfies never;
    }
  }
  return problems;
}

function resultsAfter(messages: readonly OpenAIChatMessage[], index: number): string[] {
  const results: string[] = [];
  for (let at = index + 1; ; at += 1) {
    const message = messages[at];
    if (message?.role !== 'tool') return results;
    results.push(message.tool_call_id);
  }
}
