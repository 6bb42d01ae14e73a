import { describe, expect, test } from 'vitest';
import { imported, linesOf } from './import.fixture.ts';

const toolCall = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"n": 1.0}' } };
const messages = [
  { role: 'system', content: 'be brief' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'https://x/y.png' } },
    ],
    name: 'ada',
  },
  { role: 'assistant', content: null, tool_calls: [toolCall], reasoning_content: 'hm' },
  { role: 'tool', tool_call_id: 'c1', content: 'two' },
  { role: 'assistant', content: '', refusal: 'no' },
];

describe('chat-completion messages', () => {
  test('become events, arguments byte for byte', async () => {
    const { events, report } = await imported(JSON.stringify(messages));
    expect(report).toMatchObject({ format: 'openai-chat', lines: { total: 5, asEvents: 5 } });
    expect(events.map(({ role, author, content }) => ({ role, author, content }))).toEqual([
      { role: 'system', author: 'system', content: [{ type: 'text', text: 'be brief' }] },
      {
        role: 'user',
        author: 'ada',
        content: [
          { type: 'text', text: 'look' },
          { type: 'media', kind: 'image', mimeType: 'image/*', url: 'https://x/y.png' },
        ],
      },
      {
        role: 'assistant',
        author: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'toolCall', id: 'c1', name: 'add', input: { raw: '{"n": 1.0}' } },
        ],
      },
      {
        role: 'tool',
        author: 'tool',
        content: [
          {
            type: 'toolResult',
            id: 'c1',
            name: 'add',
            output: { parts: [{ type: 'text', text: 'two' }] },
            isError: false,
          },
        ],
      },
      { role: 'assistant', author: 'assistant', content: [{ type: 'refusal', text: 'no' }] },
    ]);
  });

  test.each([
    ['a list', JSON.stringify(messages)],
    ['a pretty list', JSON.stringify(messages, null, 2)],
    ['an object with messages', JSON.stringify({ model: 'm', messages }, null, 2)],
    ['a message a line', linesOf(messages)],
    ['a byte order mark before it', `\ufeff${JSON.stringify(messages)}`],
  ])('are read from %s', async (_name, content) => {
    const { events } = await imported(content);
    expect(events.map((event) => event.id)).toEqual(
      [1, 2, 3, 4, 5].map((ordinal) => `openai-chat:${ordinal}`),
    );
  });

  test('go on with the response a gateway logged', async () => {
    const { events, report } = await imported(
      JSON.stringify({
        messages: messages.slice(0, 2),
        response: {
          choices: [{ finish_reason: 'length', message: { role: 'assistant', content: 'well' } }],
          usage: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
        },
      }),
    );
    expect(report.lines.total).toBe(3);
    expect(events[2]).toMatchObject({
      content: [{ type: 'text', text: 'well' }],
      finish: 'length',
      usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 },
    });
  });

  test('of before there were call ids pair by name', async () => {
    const { events } = await imported(
      JSON.stringify([
        { role: 'user', content: 'add' },
        { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{}' } },
        { role: 'function', name: 'add', content: 'two' },
      ]),
    );
    const call = events[1]?.content[0];
    const result = events[2]?.content[0];
    expect(call).toMatchObject({ type: 'toolCall', name: 'add', input: { raw: '{}' } });
    expect(result).toMatchObject({ type: 'toolResult', id: call?.type === 'toolCall' ? call.id : '' });
  });

  test('with content of unknown kind keep it whole; those that say nothing are counted', async () => {
    const { events, report } = await imported(
      JSON.stringify([
        { role: 'user', content: [{ type: 'hologram', depth: 3 }, 'plain'] },
        { role: 'assistant', content: null },
        { role: 'narrator', content: 'meanwhile' },
        17,
      ]),
    );
    expect(events[0]?.content).toEqual([
      { type: 'opaque', provider: 'openai', kind: 'hologram', json: { type: 'hologram', depth: 3 } },
      { type: 'text', text: 'plain' },
    ]);
    expect(report.lines).toEqual({
      total: 4,
      asEvents: 1,
      merged: 0,
      skipped: { empty: 1, unknown_role: 1, not_an_object: 1 },
    });
  });

  test('several conversations in one file are refused rather than mixed', async () => {
    await expect(imported([{ messages }, { messages }])).rejects.toThrow(/holds a conversation a line/);
  });
});
