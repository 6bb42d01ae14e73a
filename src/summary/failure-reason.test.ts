import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type LanguageModel } from 'ai';
import { afterEach, expect, it, vi } from 'vitest';
import { failureReason } from './failure-reason.ts';

afterEach(() => vi.unstubAllEnvs());

/** Why a call of this model comes to nothing. */
async function reasonOf(model: LanguageModel): Promise<string> {
  try {
    await generateText({ model, prompt: 'x', maxRetries: 0 });
  } catch (error) {
    return failureReason(error);
  }
  throw new Error('the call was answered');
}

it('says that no key is in the environment', async () => {
  // Without the look at the error's name this is `threw`.
  vi.stubEnv('OPENAI_API_KEY', undefined);
  expect(await reasonOf(createOpenAI()('gpt-4.1'))).toBe('no_api_key');
});

it('says that nothing answers there', async () => {
  // Port 9 is one that fetch never connects to.
  const model = createOpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:9' })('gpt-4.1');
  expect(await reasonOf(model)).toBe('unreachable');
});

it('prefers the status of an answer, and knows nothing of other errors', () => {
  const named = (fields: object): Error => Object.assign(new Error('no'), fields);
  expect(failureReason(named({ name: 'AI_APICallError', statusCode: 429 }))).toBe('http_429');
  expect(failureReason(named({ name: 'AI_RetryError', lastError: { name: 'AI_APICallError' } }))).toBe(
    'unreachable',
  );
  expect(failureReason(named({ name: 'Error' }))).toBe('threw');
});
