import {
  checkAiSdk,
  checkAnthropic,
  checkGemini,
  checkOpenAIChat,
  checkOpenAIResponses,
  toAiSdk,
  toAnthropic,
  toGemini,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../src/prompt/index.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';

/** What each provider would refuse of the request a prompt makes. */
export function requestFaults(prompt: Prompt): readonly string[] {
  return [
    ...named('anthropic', checkAnthropic(toAnthropic(prompt))),
    ...named('gemini', checkGemini(toGemini(prompt))),
    ...named('openai chat', checkOpenAIChat(toOpenAIChat(prompt).messages)),
    ...named('openai responses', checkOpenAIResponses(toOpenAIResponses(prompt).input)),
    ...named('ai sdk', checkAiSdk(toAiSdk(prompt))),
  ];
}

function named(provider: string, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${provider}: ${problem}`);
}
