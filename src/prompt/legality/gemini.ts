import { GEMINI_NAMING, type GeminiContent, type GeminiRequest } from '../providers/gemini-request.ts';
import { CallNames, checkResults } from './calls.ts';
import { checkJson } from './sound-json.ts';

/** The rules of Gemini's `generateContent` for its contents; empty when they are legal. */
export function checkGemini({ systemInstruction, contents }: GeminiRequest): string[] {
  const problems = [
    ...checkJson(systemInstruction ?? {}, 'systemInstruction'),
    ...checkJson(contents, 'contents'),
  ];
  if (systemInstruction?.parts.length === 0) problems.push('systemInstruction: is empty');
  const names = new CallNames(GEMINI_NAMING);
  if (contents[0] !== undefined && contents[0].role !== 'user')
    problems.push('contents[0]: is not a user turn');
  for (const [index, content] of contents.entries()) {
    const path = `contents[${index}]`;
    const before = contents[index - 1];
    if (before?.role === content.role) problems.push(`${path}: roles do not alternate`);
    if (content.parts.length === 0) problems.push(`${path}: is empty`);
    for (const part of content.parts) {
      if ('text' in part && part.text === '' && part.thoughtSignature === undefined) {
        problems.push(`${path}: text is empty`);
      }
    }
    if (content.role === 'model') {
      for (const part of content.parts) {
        if ('functionCall' in part)
          problems.push(...names.check(path, part.functionCall.id, part.functionCall.name));
      }
    } else {
      problems.push(...checkResponses(path, content, before));
    }
  }
  if (callsOf(contents.at(-1)).length > 0) problems.push('contents: a call has no response');
  return problems;
}

function checkResponses(path: string, content: GeminiContent, before: GeminiContent | undefined): string[] {
  const calls = callsOf(before);
  const responses = content.parts.flatMap((part) =>
    'functionResponse' in part ? [part.functionResponse] : [],
  );
  const problems = checkResults(
    path,
    calls.map(({ id }) => id),
    responses.map(({ id }) => id),
  );
  if (content.parts.slice(0, responses.length).some((part) => !('functionResponse' in part))) {
    problems.push(`${path}: responses are not first`);
  }
  // The API knows calls by their order and names where it does not look at ids.
  if (responses.some(({ name }, at) => name !== calls[at]?.name))
    problems.push(`${path}: responses are out of order`);
  return problems;
}

function callsOf(content: GeminiContent | undefined): { id: string; name: string }[] {
  if (content?.role !== 'model') return [];
  return content.parts.flatMap((part) => ('functionCall' in part ? [part.functionCall] : []));
}
