import { describe, expect, test } from 'vitest';
import { imported, linesOf, testSession } from './import.fixture.ts';

const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] };
const tool = (state: string, more: object = {}): object => ({
  type: 'tool-run',
  toolCallId: 'c',
  state,
  input: { n: 1 },
  ...more,
});
const agent = (...parts: object[]): object => ({ id: 'a', role: 'assistant', parts });

describe('AI SDK UI messages', () => {
  test('a message is a reply a step, each part an event, results after the step they belong to', async () => {
    const { events, report } = await imported(
      JSON.stringify([
        user,
        agent(
          { type: 'step-start' },
          {
            type: 'reasoning',
            text: 'hm',
            state: 'done',
            providerMetadata: { anthropic: { signature: 'sig' } },
          },
          tool('output-available', { output: 'out' }),
          {
            type: 'dynamic-tool',
            toolName: 'other',
            toolCallId: 'd',
            state: 'output-error',
            input: {},
            errorText: 'bad',
          },
          { type: 'step-start' },
          { type: 'text', text: 'done' },
          { type: 'source-url', sourceId: 's', url: 'https://x' },
        ),
      ]),
    );
    expect(report).toMatchObject({ format: 'ai-sdk-ui', lines: { total: 2, asEvents: 2 }, stored: 8 });
    expect(events.map(({ id, role, reply, content }) => ({ id, role, reply, content }))).toEqual([
      { id: 'u', role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        id: 'a/1',
        role: 'assistant',
        reply: 'a:step:0',
        content: [
          {
            type: 'reasoning',
            text: 'hm',
            providerState: { provider: 'anthropic', json: { signature: 'sig' } },
          },
        ],
      },
      {
        id: 'a/2',
        role: 'assistant',
        reply: 'a:step:0',
        content: [{ type: 'toolCall', id: 'c', name: 'run', input: { json: { n: 1 } } }],
      },
      {
        id: 'a/3',
        role: 'assistant',
        reply: 'a:step:0',
        content: [{ type: 'toolCall', id: 'd', name: 'other', input: { json: {} } }],
      },
      {
        id: 'a/2:result',
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
        id: 'a/3:result',
        role: 'tool',
        content: [
          {
            type: 'toolResult',
            id: 'd',
            name: 'other',
            output: { parts: [{ type: 'text', text: 'bad' }] },
            isError: true,
          },
        ],
      },
      { id: 'a/5', role: 'assistant', reply: 'a:step:4', content: [{ type: 'text', text: 'done' }] },
      {
        id: 'a/6',
        role: 'assistant',
        reply: 'a:step:4',
        content: [
          {
            type: 'opaque',
            provider: 'ai-sdk',
            kind: 'source-url',
            json: { type: 'source-url', sourceId: 's', url: 'https://x' },
          },
        ],
      },
    ]);
  });

  test('a call that waits for approval, is approved, and has run: each import appends what is new', async () => {
    // Comes back when a message is one event: its content would change under a stored id.
    const session = testSession();
    const log = (part: object): string => JSON.stringify([user, agent({ type: 'step-start' }, part)]);
    const ask = { approval: { id: 'ok?' } };
    const approved = { approval: { id: 'ok?', approved: true } };
    expect(await session.import(log(tool('approval-requested', ask)))).toMatchObject({ stored: 2, known: 0 });
    expect((await session.events())[1]?.asks).toEqual([{ kind: 'confirmation', id: 'ok?', call: 'c' }]);
    expect(await session.import(log(tool('approval-responded', approved)))).toMatchObject({
      stored: 1,
      known: 2,
    });
    expect((await session.events())[2]).toMatchObject({
      role: 'user',
      answers: ['ok?'],
      invocation: 'turn:u',
    });
    const done = log(tool('output-available', { ...approved, output: { x: 1 } }));
    expect(await session.import(done)).toMatchObject({ stored: 1, known: 3 });
    const obligations = await session.store.obligations(session.key);
    expect(obligations.map(({ kind, answeredBy }) => [kind, answeredBy])).toEqual([
      ['call', 4],
      ['ask', 3],
    ]);
  });

  test('what is still being written is left for the next import', async () => {
    const session = testSession();
    const text = (state: string): string =>
      linesOf([
        user,
        agent({ type: 'text', text: state === 'done' ? 'all of it' : 'all', state }, tool('input-streaming')),
      ]);
    const first = await session.import(text('streaming'));
    expect(first).toMatchObject({ stored: 1, lines: { total: 2, asEvents: 1, skipped: { empty: 1 } } });
    expect(first.notes).toEqual(['parts not finished, left for the next import: 2']);
    expect(await session.import(text('done'))).toMatchObject({ stored: 1, known: 1 });
  });

  test('a denied call has its answer and its result', async () => {
    const denied = tool('output-denied', { approval: { id: 'ok?', approved: false, reason: 'too risky' } });
    const { events } = await imported(JSON.stringify(agent(denied)));
    expect(events.map(({ id, answers }) => ({ id, answers }))).toEqual([
      { id: 'a/0' },
      { id: 'a/0:answer', answers: ['ok?'] },
      { id: 'a/0:result' },
    ]);
    expect(events[2]?.content).toMatchObject([{ isError: true, output: { parts: [{ text: 'too risky' }] } }]);
  });

  test('files are media; messages without an id are named by their place', async () => {
    const { events } = await imported(
      JSON.stringify({
        id: 'chat',
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'be brief' }] },
          {
            id: '',
            role: 'user',
            parts: [
              { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA', filename: 'a.png' },
            ],
          },
        ],
      }),
    );
    expect(events.map(({ id, role, content }) => ({ id, role, content }))).toEqual([
      { id: 'ai-sdk-ui:1', role: 'system', content: [{ type: 'text', text: 'be brief' }] },
      {
        id: 'ai-sdk-ui:2',
        role: 'user',
        content: [{ type: 'media', kind: 'image', mimeType: 'image/png', data: 'AAAA', name: 'a.png' }],
      },
    ]);
  });

  test('version 4 nests its calls', async () => {
    const invocation = { state: 'result', toolCallId: 'c', toolName: 'run', args: { n: 1 }, result: [2] };
    const { events } = await imported(
      JSON.stringify(agent({ type: 'tool-invocation', toolInvocation: invocation })),
    );
    expect(events.map((event) => event.content)).toEqual([
      [{ type: 'toolCall', id: 'c', name: 'run', input: { json: { n: 1 } } }],
      [{ type: 'toolResult', id: 'c', name: 'run', output: { json: [2] }, isError: false }],
    ]);
  });
});
