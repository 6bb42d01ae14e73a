// The requests go through the providers' own SDKs, over HTTP to a server on loopback: their types take them, their code
// does not stumble over them, and what arrives is what was made.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText, type ModelMessage } from 'ai';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../../event/part.ts';
import { countParts } from '../../tokens/count-parts.ts';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import {
  type AnthropicMessage,
  checkAnthropic,
  checkGemini,
  checkOpenAIChat,
  checkOpenAIResponses,
  type GeminiContent,
  type OpenAIChatMessage,
  type OpenAIInputItem,
  type Prompt,
  toAiSdk,
  toAnthropic,
  toGemini,
  toOpenAIChat,
  toOpenAIResponses,
} from '../index.ts';
import type { PromptEntry } from '../prompt.ts';
import { agents, entries, giantEntries } from '../prompt-arbitrary.fixture.ts';
import { assistant, call, cutTo, entry, event, prompt, result, summary, user } from '../turns.fixture.ts';
import { Loopback } from './loopback.fixture.ts';

let server: Loopback;
beforeAll(async () => {
  server = await Loopback.start();
});
afterAll(() => server.stop());

const apiKey = 'none';

/** Any entries, of which some are shown cut. */
const cutEntries = fc
  .tuple(giantEntries, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([list, share]) => cutTo(list, share));

/** A bit of everything a provider can be asked to take. */
const story: Prompt = prompt([
  entry(event(1, { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] })),
  summary(2, 9, 'The user wants a release.'),
  summary(10, 19, 'Tests pass.'),
  user(20, 'Go on.'),
  assistant(21, [
    { type: 'reasoning', text: 'hm', providerState: { provider: 'anthropic', json: { signature: 'c2ln' } } },
    { type: 'text', text: 'Looking.' },
    { ...call('call_1', 'look'), providerState: { provider: 'gemini', json: { thoughtSignature: 'Z2Vt' } } },
    call('call_1', 'look'),
  ]),
  result(22, 'call_1', { json: { found: true } }),
  assistant(23, [
    {
      type: 'reasoning',
      text: '',
      providerState: {
        provider: 'openai',
        json: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' },
      },
    },
    call('call_3', 'draw'),
  ]),
  result(24, 'call_3', {
    parts: [
      { type: 'text', text: 'an image' },
      { type: 'media', kind: 'image', mimeType: 'image/png', data: 'aGk=' },
    ],
  }),
  entry(
    event(25, {
      content: [
        { type: 'media', kind: 'document', mimeType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
        { type: 'text', text: 'And this?' },
      ],
    }),
  ),
]);

/** The same, with parts that are far larger than what may be shown. */
const cutStory: Prompt = prompt(cutTo(story.entries.map(withGiants), 0.02));

function withGiants(item: PromptEntry): PromptEntry {
  if (item.kind !== 'event') return item;
  const content = item.event.content.map((part): Part => {
    switch (part.type) {
      case 'text':
        return { ...part, text: 'A long tale 👩‍👩‍👧‍👦. '.repeat(3_000) };
      case 'media':
        return { ...part, data: 'aGkh'.repeat(200_000) };
      case 'toolCall':
        return { ...part, input: { json: { path: 'a.ts', content: 'let "x";\n'.repeat(3_000) } } };
      case 'toolResult':
        return { ...part, output: { json: { found: 'x '.repeat(30_000) } } };
      default:
        return part;
    }
  });
  return { ...item, event: { ...item.event, content, tokens: countParts(content, estimatingCounter) } };
}

/** The newest body the server saw. */
function arrived(): Record<string, unknown> {
  return server.bodies.at(-1) as Record<string, unknown>;
}

function overHttp(made: unknown): unknown {
  return JSON.parse(JSON.stringify(made));
}

it('is cut, and holds what a provider wants back', () => {
  const shown = cutStory.entries.filter((item) => item.kind === 'event');
  expect(shown.filter(({ cut }) => cut !== null).map(({ event: { seq } }) => seq)).toEqual([
    1, 20, 21, 22, 23, 24, 25,
  ]);
  const request = JSON.stringify([toAnthropic(cutStory), toGemini(cutStory), toOpenAIResponses(cutStory)]);
  for (const state of ['c2ln', 'Z2Vt', 'ZW5j']) expect(request).toContain(state);
});

describe.each([
  ['as it is', story],
  ['shown cut', cutStory],
])('the SDKs of the providers, %s', (_name, told) => {
  it('@anthropic-ai/sdk sends it as it is', async () => {
    const request = toAnthropic(told);
    const params: Anthropic.MessageCreateParamsNonStreaming = { model: 'm', max_tokens: 9, ...request };
    const client = new Anthropic({ baseURL: server.url, apiKey });
    const reply = await client.messages.create(params);
    expect(reply.content[0]).toMatchObject({ text: 'done' });
    expect(arrived()).toMatchObject(overHttp(request) as object);
    expect(arrived()['messages']).toEqual(overHttp(request.messages));
  });

  it('openai sends the chat as it is', async () => {
    const request = toOpenAIChat(told);
    const params: OpenAI.ChatCompletionCreateParamsNonStreaming = { model: 'm', ...request };
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey });
    const reply = await client.chat.completions.create(params);
    expect(reply.choices[0]?.message.content).toBe('done');
    expect(arrived()['messages']).toEqual(overHttp(request.messages));
  });

  it('openai sends the input of a response as it is', async () => {
    const request = toOpenAIResponses(told);
    const params: OpenAI.Responses.ResponseCreateParamsNonStreaming = { model: 'm', ...request };
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey });
    const reply = await client.responses.create(params);
    expect(reply.output_text).toBe('done');
    expect(arrived()['input']).toEqual(overHttp(request.input));
  });

  it('@google/genai sends it as it is', async () => {
    const { contents, systemInstruction } = toGemini(told);
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
    const config = systemInstruction === undefined ? {} : { systemInstruction };
    const reply = await client.models.generateContent({ model: 'm', contents, config });
    expect(reply.text).toBe('done');
    expect(arrived()['contents']).toEqual(overHttp(contents));
    expect((arrived()['systemInstruction'] as typeof systemInstruction)?.parts).toEqual(
      systemInstruction?.parts,
    );
  });
});

describe('the AI SDK', () => {
  const models = [
    {
      name: 'anthropic',
      provider: 'anthropic',
      model: () => createAnthropic({ baseURL: server.url, apiKey })('claude-sonnet-4-5'),
      problems: (body: Record<string, unknown>) =>
        checkAnthropic({ messages: body['messages'] as AnthropicMessage[] }),
    },
    {
      name: 'openai chat',
      provider: 'openai',
      model: () => createOpenAI({ baseURL: server.url, apiKey }).chat('gpt-4o'),
      problems: (body: Record<string, unknown>) => checkOpenAIChat(body['messages'] as OpenAIChatMessage[]),
    },
    {
      name: 'openai responses',
      provider: 'openai',
      model: () => createOpenAI({ baseURL: server.url, apiKey }).responses('gpt-5'),
      problems: (body: Record<string, unknown>) =>
        checkOpenAIResponses((body['input'] as OpenAIInputItem[]).map(withType)),
    },
    {
      name: 'openai-compatible',
      provider: undefined,
      model: () => createOpenAICompatible({ name: 'x', baseURL: server.url, apiKey })('m'),
      problems: (body: Record<string, unknown>) => checkOpenAIChat(body['messages'] as OpenAIChatMessage[]),
    },
    {
      name: 'google',
      provider: 'google',
      model: () => createGoogleGenerativeAI({ baseURL: server.url, apiKey })('gemini-2.5-flash'),
      problems: (body: Record<string, unknown>) => geminiProblems(body['contents'] as GeminiContent[]),
    },
  ] as const;

  /** The SDK leaves out `type` where the API does not need it. */
  function withType(item: OpenAIInputItem): OpenAIInputItem {
    return 'role' in item ? { ...item, type: 'message' } : item;
  }

  /** The SDK does not join turns of one role, which the API itself takes. */
  function geminiProblems(contents: GeminiContent[]): string[] {
    return checkGemini({ contents }).filter((problem) => !problem.endsWith('roles do not alternate'));
  }

  /** Addresses would be fetched by the SDK for models that do not take them. */
  function withoutAddresses(list: readonly PromptEntry[]): PromptEntry[] {
    return JSON.parse(
      JSON.stringify(list).replaceAll('https://', 'nowhere://').replaceAll('gs://', 'nowhere://'),
    ) as PromptEntry[];
  }

  it.each(models)(
    'takes what is made for $name, and what it sends is legal',
    async ({ provider, model, problems }) => {
      for (const told of [story, cutStory]) {
        const made = toAiSdk(told, provider === undefined ? {} : { provider });
        const messages: ModelMessage[] = made.messages;
        const reply = await generateText({ model: model(), ...made, messages, maxRetries: 0 });
        expect(reply.text).toBe('done');
        expect(problems(arrived())).toEqual([]);
      }
    },
  );

  it.each(models)(
    'takes any prompt for $name',
    { timeout: 60_000 },
    async ({ provider, model, problems }) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(entries, cutEntries), agents, async (list, agent) => {
          const value = prompt([user(0, 'Begin.'), ...withoutAddresses(list)], agent);
          await generateText({
            model: model(),
            ...toAiSdk(value, provider === undefined ? {} : { provider }),
            maxRetries: 0,
          });
          expect(problems(arrived())).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );
});
