import { OPENAI_RESPONSES_NAMING, type OpenAIInputItem } from '../providers/openai-responses-request.ts';
import { CallNames, checkResults } from './calls.ts';
import { checkJson } from './sound-json.ts';

/** The rules of OpenAI's Responses API for a list of input items; empty when it is legal. */
export function checkOpenAIResponses(input: readonly OpenAIInputItem[]): string[] {
  const problems = checkJson(input, 'input');
  const names = new CallNames(OPENAI_RESPONSES_NAMING);
  let calls: string[] = [];
  let results: string[] = [];
  const close = (path: string): void => {
    problems.push(...checkResults(path, calls, results));
    calls = [];
    results = [];
  };
  for (const [index, item] of input.entries()) {
    const path = `input[${index}]`;
    const isResult = item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
    const asks = item.type === 'message' && item.role !== 'assistant';
    // Each call has its result before anything is said to the model, and a run of results ends where anything follows.
    if (asks || (results.length > 0 && !isResult)) close(path);
    switch (item.type) {
      case 'message':
        if (item.content.length === 0) problems.push(`${path}: is empty`);
        break;
      case 'reasoning':
        if (!leadsTo(input[index + 1])) problems.push(`${path}: reasoning is not followed by what it led to`);
        break;
      case 'function_call':
      case 'custom_tool_call':
        problems.push(...names.check(path, item.call_id, item.name));
        if (item.type === 'function_call' && item.arguments === '')
          problems.push(`${path}: arguments are empty`);
        calls.push(item.call_id);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        if (item.output.length === 0) problems.push(`${path}: is empty`);
        results.push(item.call_id);
        break;
      case 'compaction':
      case 'web_search_call':
        break;
      default:
        item satisfies never;
    }
  }
  close('input');
  return problems;
}

function leadsTo(item: OpenAIInputItem | undefined): boolean {
  switch (item?.type) {
    case undefined:
    case 'function_call_output':
    case 'custom_tool_call_output':
      return false;
    case 'message':
      return item.role === 'assistant';
    default:
      return true;
  }
}
