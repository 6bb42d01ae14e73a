import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../../event/event.ts';
import { imported, linesOf, testSession, textOfEvent } from '../import.fixture.ts';

const record = (type: string, payload: object): object => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  type,
  payload,
});
const item = (payload: object): object => record('response_item', payload);
const notice = (type: string, fields: object = {}): object => record('event_msg', { type, ...fields });
const prompt = (text: string): object =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const answer = (text: string): object =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const meta = record('session_meta', { id: 'sess', cwd: '/', instructions: null });

const texts = (events: readonly StoredEvent[]): string[] =>
  events.map((event) => `${event.role}: ${textOfEvent(event)}`);

describe('messages that rollouts say twice', () => {
  test('are one event, in either order', async () => {
    // Comes back when the user interface's messages are imported as well.
    const { events, report } = await imported([
      meta,
      prompt('go on'),
      notice('user_message', { message: 'go on' }),
      notice('agent_message', { message: 'first' }),
      answer('first'),
      answer('second'),
      notice('agent_message', { message: 'second' }),
      notice('task_complete'),
      prompt('go on'),
      notice('user_message', { message: 'go on' }),
    ]);
    expect(texts(events)).toEqual(['user: go on', 'assistant: first', 'assistant: second', 'user: go on']);
    expect(report.lines).toEqual({
      total: 10,
      asEvents: 4,
      merged: 4,
      skipped: { 'type:session_meta': 1, 'event_msg:task_complete': 1 },
    });
  });

  test('are events where only the interface’s is there', async () => {
    // Comes back when they are skipped whatever else the log holds: the questions would be lost.
    const { events } = await imported([
      meta,
      notice('user_message', { message: 'one' }),
      item({ type: 'function_call', name: 'run', arguments: '{}', call_id: 'c' }),
      answer('done'),
      notice('task_complete'),
      notice('user_message', { message: 'two' }),
      notice('agent_message', { message: 'only said' }),
      notice('task_complete'),
    ]);
    expect(texts(events)).toEqual([
      'user: one',
      'assistant: ',
      'assistant: done',
      'user: two',
      'assistant: only said',
    ]);
    expect(events.map((event) => event.invocation)).toEqual(
      ['sess:2', 'sess:2', 'sess:2', 'sess:6', 'sess:6'].map((id) => `turn:${id}`),
    );
  });

  test('are one event when the interface’s comes first', async () => {
    const { events, report } = await imported([
      meta,
      notice('user_message', { message: 'one\n' }),
      prompt('one'),
      answer('done'),
    ]);
    expect(texts(events)).toEqual(['user: one\n', 'assistant: done']);
    expect(report.lines.merged).toBe(1);
  });

  test('a prompt with an image is not taken for its text alone', async () => {
    const image = item({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'look' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      ],
    });
    const { events } = await imported([meta, image, notice('user_message', { message: 'look' })]);
    expect(events).toHaveLength(1);
    expect(events[0]?.content[1]).toEqual({
      type: 'media',
      kind: 'image',
      mimeType: 'image/png',
      data: 'AAAA',
    });
  });

  test('an agent’s message at the end of a log waits for its item, unless the log has no items', async () => {
    const waiting = await imported([meta, prompt('go'), notice('agent_message', { message: 'first' })]);
    expect(texts(waiting.events)).toEqual(['user: go']);
    expect(waiting.report.lines.skipped).toMatchObject({ 'event_msg:agent_message': 1 });
    const alone = await imported([
      meta,
      notice('user_message', { message: 'go' }),
      notice('agent_message', { message: 'first' }),
    ]);
    expect(texts(alone.events)).toEqual(['user: go', 'assistant: first']);
  });
});

describe('items', () => {
  test('keep their arguments as text, their results, and what must be sent back unchanged', async () => {
    const reasoning = {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'think' }],
      encrypted_content: 'xyz',
    };
    const search = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } };
    const { events } = await imported([
      meta,
      prompt('go'),
      item(reasoning),
      item({ type: 'function_call', name: 'run', arguments: '{"n": 1.0 }', call_id: 'c1' }),
      item({
        type: 'custom_tool_call',
        name: 'patch',
        input: '*** Begin',
        call_id: 'c2',
        status: 'completed',
      }),
      item(search),
      item({ type: 'function_call_output', call_id: 'c1', output: { content: 'out', success: false } }),
      item({ type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'ok' }] }),
      item({
        type: 'local_shell_call',
        call_id: 'c3',
        action: { type: 'exec', command: ['ls'], timeout: 1.0 },
      }),
      item({ type: 'mystery_item', foo: 'bar' }),
      item({ type: 'ghost_snapshot' }),
    ]);
    expect(events.slice(1).map((event) => event.content)).toEqual([
      [{ type: 'reasoning', text: 'think', providerState: { provider: 'openai', json: reasoning } }],
      [{ type: 'toolCall', id: 'c1', name: 'run', input: { raw: '{"n": 1.0 }' } }],
      [{ type: 'toolCall', id: 'c2', name: 'patch', input: { raw: '*** Begin' } }],
      [{ type: 'opaque', provider: 'openai', kind: 'web_search_call', json: search }],
      [
        {
          type: 'toolResult',
          id: 'c1',
          name: 'run',
          output: { parts: [{ type: 'text', text: 'out' }] },
          isError: true,
        },
      ],
      [
        {
          type: 'toolResult',
          id: 'c2',
          name: 'patch',
          output: { parts: [{ type: 'text', text: 'ok' }] },
          isError: false,
        },
      ],
      [
        {
          type: 'toolCall',
          id: 'c3',
          name: 'local_shell',
          input: { json: { type: 'exec', command: ['ls'], timeout: 1 } },
        },
      ],
      [
        {
          type: 'opaque',
          provider: 'openai',
          kind: 'mystery_item',
          json: { type: 'mystery_item', foo: 'bar' },
        },
      ],
    ]);
  });

  test('of the model in a row are one reply; anything said in between ends it', async () => {
    // Comes back when each item is a reply of its own: reasoning would be parted from what it belongs to.
    const { events } = await imported([
      meta,
      prompt('go'),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'think' }] }),
      answer('doing'),
      notice('token_count'),
      item({ type: 'function_call', name: 'run', arguments: '{}', call_id: 'c' }),
      item({ type: 'function_call_output', call_id: 'c', output: 'out' }),
      answer('done'),
      record('turn_context', {}),
      answer('really'),
    ]);
    expect(events.map((event) => event.reply)).toEqual([
      undefined,
      'reply:sess:3',
      'reply:sess:3',
      'reply:sess:3',
      undefined,
      'reply:sess:8',
      'reply:sess:10',
    ]);
  });

  test('that Codex wrote in the user’s name open no turn; developers speak with the system’s authority', async () => {
    const { events } = await imported([
      meta,
      item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }),
      prompt('<environment_context>\n</environment_context>'),
      prompt('go'),
      answer('done'),
      prompt('# AGENTS.md instructions for /'),
    ]);
    expect(events.map(({ role, invocation }) => [role, invocation])).toEqual([
      ['system', 'turn:sess:2'],
      ['user', 'turn:sess:2'],
      ['user', 'turn:sess:4'],
      ['assistant', 'turn:sess:4'],
      ['user', 'turn:sess:4'],
    ]);
  });

  test('without an envelope, as in 2025, are read too', async () => {
    const { events, report } = await imported([
      { id: 'old', timestamp: '2025-09-01T00:00:00.000Z', instructions: null, git: {} },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'function_call', name: 'run', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: 'out' },
    ]);
    expect(report).toMatchObject({ format: 'codex', nativeSession: 'old' });
    expect(report.lines.skipped).toEqual({ 'type:session_meta': 1, 'record_type:state': 1 });
    expect(events.map((event) => event.id)).toEqual(['old:3', 'old:4', 'old:5']);
  });
});

describe('compactions', () => {
  test('are an event with the summary; the history they repeat is counted, not imported again', async () => {
    // Comes back when the replacement history is imported: everything would be there twice.
    const opaque = { type: 'compaction', encrypted_content: 'xyz' };
    const { events } = await imported([
      meta,
      prompt('go'),
      answer('done'),
      record('compacted', {
        message: 'what happened',
        replacement_history: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
          opaque,
        ],
      }),
      notice('context_compacted'),
      record('compacted', { message: '' }),
    ]);
    expect(events).toHaveLength(4);
    expect(events[2]).toMatchObject({
      role: 'user',
      author: 'codex',
      content: [
        { type: 'text', text: 'what happened' },
        { type: 'opaque', provider: 'openai', kind: 'compaction', json: opaque },
      ],
      metadata: { kind: 'log_compaction', is: 'summary', repeatedItems: 2 },
      invocation: 'turn:sess:2',
    });
    expect(events[3]?.content).toMatchObject([{ type: 'opaque', provider: 'codex', kind: 'compacted' }]);
  });
});

describe('turns that were taken back', () => {
  test('are a lane of their own, and what follows goes on from before them', async () => {
    const session = testSession();
    const report = await session.import(
      linesOf([
        meta,
        prompt('<environment_context>'),
        prompt('one'),
        answer('1'),
        prompt('two'),
        answer('2'),
        notice('user_message', { message: 'three' }),
        notice('agent_message', { message: '3' }),
        notice('thread_rolled_back', { num_turns: 2 }),
        prompt('four'),
        answer('4'),
        notice('thread_rolled_back', { num_turns: 1 }),
        prompt('five'),
        notice('thread_rolled_back', { num_turns: 99 }),
        answer('after all'),
      ]),
    );
    const events = await session.events();
    expect(events.map((event) => [event.lane.isolation, textOfEvent(event)])).toEqual([
      ['', '<environment_context>'],
      ['fork:sess:3', 'one'],
      ['fork:sess:3', '1'],
      ['fork:sess:5', 'two'],
      ['fork:sess:5', '2'],
      ['fork:sess:5', 'three'],
      ['fork:sess:5', '3'],
      ['fork:sess:10', 'four'],
      ['fork:sess:10', '4'],
      ['fork:sess:3', 'five'],
      ['', 'after all'],
    ]);
    expect(report.notes).toEqual(['times turns were taken back, each a lane of its own: 3']);
  });
});
