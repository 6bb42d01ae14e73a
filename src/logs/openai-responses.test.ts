import { expect, test } from 'vitest';
import { imported } from './import.fixture.ts';

test('a response and the input it answers become events; opaque items stay whole', async () => {
  const compaction = { type: 'compaction', id: 'cmp', encrypted_content: 'xyz' };
  const { events, report } = await imported(
    JSON.stringify({
      object: 'response',
      instructions: 'be brief',
      input: [
        { role: 'user', content: 'go' },
        { type: 'function_call', name: 'run', arguments: '{}', call_id: 'c' },
        { type: 'function_call_output', call_id: 'c', output: 'out' },
      ],
      output: [
        compaction,
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
      ],
      usage: { input_tokens: 9, output_tokens: 3, output_tokens_details: { reasoning_tokens: 1 } },
    }),
  );
  expect(report).toMatchObject({ format: 'openai-responses', lines: { total: 6, asEvents: 6 } });
  expect(events.map(({ role, content, reply, usage }) => ({ role, content, reply, usage }))).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'be brief' }] },
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'run', input: { raw: '{}' } }],
      reply: 'reply:openai-responses:3',
    },
    {
      role: 'tool',
      content: [
        {
          type: 'toolResult',
          id: 'c',
          name: 'run',
          output: { parts: [{ type: 'text', text: 'out' }] },
          isError: false,
        },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'opaque', provider: 'openai', kind: 'compaction', json: compaction }],
      reply: 'reply:openai-responses:5',
      usage: { inputTokens: 9, outputTokens: 3, reasoningTokens: 1 },
    },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }], reply: 'reply:openai-responses:5' },
  ]);
});

test('an input that is a text is the user’s message', async () => {
  const { events } = await imported(
    JSON.stringify({ input: 'go', output: [{ type: 'message', role: 'assistant', content: 'done' }] }),
  );
  expect(events.map(({ role, content }) => ({ role, content }))).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ]);
});
