// A model of the AI SDK, over loopback, reads back what its prompt no longer shows.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { type RecallTool, recallTool } from '../../src/engine/recall/recall-tool.ts';
import { toAiSdk } from '../../src/prompt/index.ts';
import { completion, json, modelServer, type Respond } from '../../src/summary/llm/loopback.fixture.ts';
import { Plain } from '../world/plain-session.ts';

/** A model that calls `recall` with that text for arguments. */
function asks(input: string): Respond {
  const call = { id: 'call-1', type: 'function', function: { name: 'recall', arguments: input } };
  return json(completion({ content: null, tool_calls: [call] }, 'tool_calls'));
}

const answersAtLast: Respond = json(completion({ content: 'On Friday.' }));

interface Sent {
  readonly role: string;
  readonly content?: unknown;
}

async function run(tool: RecallTool, prompt: ReturnType<typeof toAiSdk>, input: string) {
  const { url, received } = await modelServer(asks(input), answersAtLast);
  const model = createOpenAICompatible({ name: 'local', baseURL: url, apiKey: 'k' })('llama');
  // As it is, without a wrapper and without a cast.
  const tools: ToolSet = { recall: tool };
  const { text } = await generateText({
    model,
    tools,
    messages: [...prompt.messages],
    stopWhen: isStepCount(3),
    maxRetries: 0,
  });
  const [first, second] = received.map(({ body }) => body);
  const messages = (second?.['messages'] ?? []) as readonly Sent[];
  return { text, offered: first?.['tools'], messages, told: String(messages.at(-1)?.content) };
}

async function compacted(): Promise<Plain> {
  const plain = new Plain();
  await plain.session.append([
    { role: 'user', content: `The parcel has the number KX-4711. ${'lorem '.repeat(100)}` },
    { role: 'assistant', content: `I see it. ${'lorem '.repeat(100)}` },
    { role: 'user', content: 'When does it arrive?' },
  ]);
  await plain.session.compact({ keep: { events: 1 } });
  return plain;
}

describe('the AI SDK', () => {
  it('offers the tool as it is, runs it, and gives the model what it read', async () => {
    const { session } = await compacted();
    const tool = recallTool(session);
    const prompt = toAiSdk(await session.prompt());
    expect(JSON.stringify(prompt)).not.toContain('The parcel has the number');
    const { text, offered, messages, told } = await run(tool, prompt, '{"words":"KX-4711"}');
    expect(text).toBe('On Friday.');
    expect(offered).toEqual([
      {
        type: 'function',
        function: { name: 'recall', description: tool.description, parameters: expect.anything() },
      },
    ]);
    expect(JSON.stringify(offered)).toContain('"words":{"type":"string"');
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call-1' });
    expect(told).toContain('[event 1, user "user", fence ');
    expect(told).toContain('The parcel has the number KX-4711.');
  });

  // A schema that refuses would end the loop with an error of the SDK's.
  it.each([
    ['a request that is none', '{"nothing":1}', /^\[recall: give words [^\n]*\]$/u],
    ['fields of the wrong kind', '{"words":["a"],"skip":"x"}', /^\[recall: words is a text[^\n]*\]$/u],
    ['what nobody may see', '{"events":[99]}', /^\[recall: no such event: 99\]$/u],
  ])('hears in a line of %s', async (_name, input, expected) => {
    const { session } = await compacted();
    const { text, told } = await run(recallTool(session), toAiSdk(await session.prompt()), input);
    expect(told).toMatch(expected);
    expect(text).toBe('On Friday.');
  });
});
