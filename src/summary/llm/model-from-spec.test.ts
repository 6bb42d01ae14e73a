import { describe, expect, it } from 'vitest';
import { modelFromSpec } from './model-from-spec.ts';

describe('modelFromSpec', () => {
  it.each([
    ['openai/gpt-4.1-mini', 'gpt-4.1-mini'],
    ['anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['google/models/with/slashes', 'models/with/slashes'],
  ])('makes the model %s names, with the provider that is installed', async (spec, modelId) => {
    expect(await modelFromSpec(spec)).toMatchObject({ modelId });
  });

  const missing = (name: string): Promise<never> =>
    Promise.reject(new Error(`Cannot find package '${name}'\nimported from /somewhere`));
  it.each<readonly [spec: string, message: RegExp, load: ((name: string) => Promise<unknown>) | undefined]>([
    ['gpt-4.1', /^model must be written provider\/model/u, undefined],
    ['/gpt', /^model must be written/u, undefined],
    ['openai/', /^model must be written/u, undefined],
    ['', /^model must be written/u, undefined],
    ['acme\n/x', /^model names the unknown provider acme\\u000a; known are anthropic, /u, undefined],
    ['../evil/x', /^model names the unknown provider \.\.; known are/u, undefined],
    ['__proto__/x', /^model names the unknown provider __proto__/u, undefined],
    [
      'mistral/large',
      /^model needs the package @ai-sdk\/mistral, which cannot be loaded: npm install ai @ai-sdk\/mistral$/u,
      missing,
    ],
    ['openai/x', /^model cannot be made by @ai-sdk\/openai/u, () => Promise.resolve({})],
    ['openai/x', /^model cannot be made by @ai-sdk\/openai/u, () => Promise.resolve({ openai: () => 'x' })],
  ])('refuses %j in one line', async (spec, message, load) => {
    const error: unknown = await modelFromSpec(spec, load).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'config', message: expect.stringMatching(message) });
    expect(error instanceof Error ? error.message.split('\n') : []).toHaveLength(1);
  });
});
