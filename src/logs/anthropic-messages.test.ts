import { expect, test } from 'vitest';
import { imported, linesOf } from './import.fixture.ts';

const messages = [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'tool_use', id: 'c', name: 'run', input: { n: 1 } },
    ],
    stop_reason: 'tool_use',
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
      { type: 'text', text: 'see?' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'compaction', content: 'the story so far' },
      { type: 'text', text: 'yes' },
    ],
  },
];

test('a request becomes its system prompt and its messages, with what must be sent back unchanged', async () => {
  const { events, report } = await imported(
    JSON.stringify({ model: 'm', system: [{ type: 'text', text: 'be brief' }], messages }),
  );
  expect(report).toMatchObject({ format: 'anthropic-messages', lines: { total: 5, asEvents: 5 } });
  expect(events.map(({ role, content, invocation }) => ({ role, content, invocation }))).toEqual([
    {
      role: 'system',
      content: [{ type: 'text', text: 'be brief' }],
      invocation: 'turn:anthropic-messages:1',
    },
    { role: 'user', content: [{ type: 'text', text: 'go' }], invocation: 'turn:anthropic-messages:2' },
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'hm',
          providerState: { provider: 'anthropic', json: { signature: 'sig' } },
        },
        { type: 'reasoning', text: '', providerState: { provider: 'anthropic', json: { data: 'secret' } } },
        { type: 'toolCall', id: 'c', name: 'run', input: { json: { n: 1 } } },
      ],
      invocation: 'turn:anthropic-messages:2',
    },
    {
      role: 'tool',
      content: [
        {
          type: 'toolResult',
          id: 'c',
          name: 'run',
          output: { parts: [{ type: 'media', kind: 'image', mimeType: 'image/png', data: 'AAAA' }] },
          isError: false,
        },
      ],
      invocation: 'turn:anthropic-messages:2',
    },
    { role: 'user', content: [{ type: 'text', text: 'see?' }], invocation: 'turn:anthropic-messages:2' },
    {
      role: 'assistant',
      content: [
        {
          type: 'opaque',
          provider: 'anthropic',
          kind: 'compaction',
          json: { type: 'compaction', content: 'the story so far' },
        },
        { type: 'text', text: 'yes' },
      ],
      invocation: 'turn:anthropic-messages:2',
    },
  ]);
});

test.each([
  ['a list', JSON.stringify(messages)],
  ['a message a line', linesOf(messages)],
  ['a single response', JSON.stringify({ type: 'message', ...messages[1] })],
  [
    'plain messages beside a system prompt',
    JSON.stringify({ system: 'x', messages: [{ role: 'user', content: 'go' }] }),
  ],
])('%s is recognised', async (_name, content) => {
  expect((await imported(content)).report.format).toBe('anthropic-messages');
});

test('arguments whose numbers JavaScript cannot carry are kept as text', async () => {
  const text = JSON.stringify(messages).replace('"n":1', '"n":12345678901234567890');
  const { events } = await imported(text);
  expect(events[1]?.content[2]).toMatchObject({ input: { raw: '{"n":12345678901234567890}' } });
});
