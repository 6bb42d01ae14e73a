import { isBlank } from '../one-line.ts';
import {
  ANTHROPIC_NAMING,
  type AnthropicAssistantBlock,
  type AnthropicMessage,
  type AnthropicRequest,
  type AnthropicUserBlock,
} from '../providers/anthropic-request.ts';
import { CallNames, checkResults } from './calls.ts';
import { checkJson } from './sound-json.ts';

/**
 * The rules of Anthropic's Messages API for a list of messages; empty when it is legal. An empty list counts as legal:
 * the caller has still to add the question.
 */
export function checkAnthropic({ system, messages }: AnthropicRequest): string[] {
  const problems = [...checkJson(system ?? [], 'system'), ...checkJson(messages, 'messages')];
  if (system?.length === 0 || system?.some((block) => isBlank(block.text))) problems.push('system: is blank');
  const names = new CallNames(ANTHROPIC_NAMING);
  if (messages[0] !== undefined && messages[0].role !== 'user')
    problems.push('messages[0]: is not a user message');
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    const before = messages[index - 1];
    if (before?.role === message.role) problems.push(`${path}: roles do not alternate`);
    if (message.content.length === 0) problems.push(`${path}: is empty`);
    if (message.role === 'assistant') problems.push(...checkAssistant(path, message.content, names));
    else problems.push(...checkUser(path, message.content, before));
  }
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    if (last.content.some((block) => block.type === 'tool_use'))
      problems.push('messages: a call has no result');
    const end = last.content.at(-1);
    if (end?.type === 'text' && end.text !== end.text.trimEnd())
      problems.push('messages: ends in white space');
  }
  return problems;
}

function checkAssistant(
  path: string,
  content: readonly AnthropicAssistantBlock[],
  names: CallNames,
): string[] {
  const problems: string[] = [];
  const thinks = (block: AnthropicAssistantBlock | undefined): boolean =>
    block?.type === 'thinking' || block?.type === 'redacted_thinking';
  if (content.some(thinks) && !thinks(content[0]))
    problems.push(`${path}: holds thinking and does not begin with it`);
  if (thinks(content.at(-1))) problems.push(`${path}: ends with thinking`);
  const firstCall = content.findIndex((block) => block.type === 'tool_use');
  if (firstCall >= 0 && content.slice(firstCall).some((block) => block.type !== 'tool_use')) {
    problems.push(`${path}: something stands between a call and its result`);
  }
  for (const [at, block] of content.entries()) {
    const where = `${path}.content[${at}]`;
    switch (block.type) {
      case 'text':
        if (isBlank(block.text)) problems.push(`${where}: text is blank`);
        break;
      case 'thinking':
        if (block.signature === '') problems.push(`${where}: thinking is not signed`);
        break;
      case 'redacted_thinking':
        if (block.data === '') problems.push(`${where}: thinking is not signed`);
        break;
      case 'tool_use':
        problems.push(...names.check(where, block.id, block.name));
        if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input)) {
          problems.push(`${where}: input is not an object`);
        }
        break;
      default:
        block satisfies never;
    }
  }
  return problems;
}

function checkUser(
  path: string,
  content: readonly AnthropicUserBlock[],
  before: AnthropicMessage | undefined,
): string[] {
  const problems: string[] = [];
  const calls =
    before?.role === 'assistant'
      ? before.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
      : [];
  const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  problems.push(...checkResults(path, calls, results));
  if (content.slice(0, results.length).some((block) => block.type !== 'tool_result')) {
    problems.push(`${path}: results are not first`);
  }
  const inner = content.flatMap((block) =>
    block.type === 'tool_result' ? [block, ...block.content] : [block],
  );
  for (const block of inner) {
    if (block.type === 'text' && isBlank(block.text)) problems.push(`${path}: text is blank`);
  }
  return problems;
}
