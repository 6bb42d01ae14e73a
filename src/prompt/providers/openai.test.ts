import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../event/json.ts';
import type { Part } from '../../event/part.ts';
import { assistant, call, entry, event, prompt, result, user } from '../turns.fixture.ts';
import { toOpenAIChat } from './openai-chat.ts';
import { toOpenAIResponses } from './openai-responses.ts';

function text(words: string): Part {
  return { type: 'text', text: words };
}

function reasoning(json: JsonValue): Part {
  return { type: 'reasoning', text: 'hm', providerState: { provider: 'openai', json } };
}

const item = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'ZW5j',
};
const image: Part = { type: 'media', kind: 'image', mimeType: 'image/png', data: 'aGk=' };

describe('toOpenAIChat', () => {
  it('keeps arguments to the byte, and a lone text a string', () => {
    const raw: Part = { ...call('a'), input: { raw: '{"b" : 1,\n"a":2}' } };
    expect(
      toOpenAIChat(prompt([user(1, 'x'), assistant(2, [text('So.'), raw]), result(3, 'a', 'A')])).messages,
    ).toEqual([
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: 'So.',
        tool_calls: [{ type: 'function', id: 'a', function: { name: 'f', arguments: '{"b" : 1,\n"a":2}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
    ]);
  });

  it('has null content for calls alone, and parts for several texts or a refusal', () => {
    const { messages } = toOpenAIChat(
      prompt([
        assistant(1, [call('a')]),
        assistant(2, [text('x'), text('y')]),
        assistant(3, [{ type: 'refusal', text: 'No.' }]),
      ]),
    );
    expect(messages.flatMap((message) => (message.role === 'assistant' ? [message.content] : []))).toEqual([
      null,
      [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'y' },
      ],
      [{ type: 'refusal', refusal: 'No.' }],
    ]);
  });

  it('shows media of results after them, and names it in them', () => {
    const list = [
      assistant(1, [call('a'), call('b')]),
      result(2, 'a', { parts: [text('see'), image] }),
      result(3, 'b', 'B'),
      user(4, 'x'),
    ];
    expect(toOpenAIChat(prompt(list)).messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'see\n[image image/png]' },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[media of the tool results above]' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
      { role: 'user', content: 'x' },
    ]);
  });

  it('sends sound and PDF as the API has them, and names what it does not take', () => {
    const parts: Part[] = [
      { type: 'media', kind: 'audio', mimeType: 'audio/mpeg', data: 'aGk=' },
      { type: 'media', kind: 'document', mimeType: 'application/pdf', data: 'aGk=' },
      { type: 'media', kind: 'document', mimeType: 'application/pdf', url: 'https://example.com/a.pdf' },
      { type: 'media', kind: 'image', mimeType: 'image/png', url: 'javascript:alert(1)' },
    ];
    expect(toOpenAIChat(prompt([entry(event(1, { content: parts }))])).messages[0]?.content).toEqual([
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
      { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
      { type: 'text', text: '[document application/pdf https://example.com/a.pdf]' },
      { type: 'text', text: '[image image/png "javascript:alert(1)"]' },
    ]);
  });

  it('keeps ids under 40 characters, all different', () => {
    const long = 'x'.repeat(60);
    const { messages } = toOpenAIChat(prompt([assistant(1, [call(long), call(`${long}y`), call(long)])]));
    const ids = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id.length <= 40)).toBe(true);
  });
});

describe('toOpenAIResponses', () => {
  const input = (parts: readonly Part[]) =>
    toOpenAIResponses(prompt([user(1, 'x'), assistant(2, parts)])).input.slice(1);

  // Known fault 48: an item without its reasoning, or reasoning without its item.
  it('sends a reasoning item whole, right before what it led to, and items without ids', () => {
    const message = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      phase: 'final_answer',
      content: [],
    };
    const said: Part = { type: 'text', text: 'So.', providerState: { provider: 'openai', json: message } };
    expect(input([reasoning(item), said])).toEqual([
      item,
      { type: 'message', role: 'assistant', content: 'So.', phase: 'final_answer' },
    ]);
    expect(input([reasoning(item), call('a')])).toMatchObject([
      item,
      { type: 'function_call', call_id: 'a' },
      { type: 'function_call_output' },
    ]);
  });

  it('sends no reasoning that leads to nothing, nor another provider’s', () => {
    const foreign: Part = {
      type: 'reasoning',
      text: 'hm',
      providerState: { provider: 'anthropic', json: { signature: 'x' } },
    };
    expect(input([foreign, text('So.'), reasoning(item), text(' ')])).toEqual([
      { type: 'message', role: 'assistant', content: 'So.' },
    ]);
  });

  it('repairs lone surrogates in an item', () => {
    const broken = { ...item, encrypted_content: 'x\ud800' };
    expect(input([reasoning(broken), text('So.')])[0]).toMatchObject({ encrypted_content: 'x\ufffd' });
  });

  it('sends an item once that became several parts', () => {
    expect(input([reasoning(item), reasoning(item), text('So.')])).toHaveLength(2);
  });

  it('passes back the items of the API that stand alone, and names the others', () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'x' },
    };
    const own = [
      { type: 'compaction', encrypted_content: 'ZW5j' },
      search,
      { type: 'computer_call', id: 'cc_1' },
    ];
    const parts = own.map((json): Part => ({ type: 'opaque', provider: 'openai', kind: json.type, json }));
    expect(input(parts)).toEqual([
      own[0],
      search,
      { type: 'message', role: 'assistant', content: '["computer_call" of "openai", not shown]' },
    ]);
    expect(toOpenAIChat(prompt([assistant(1, parts)])).messages).toHaveLength(1);
  });

  it('keeps a call of a tool that takes free text as one', () => {
    const state = { provider: 'openai', json: { type: 'custom_tool_call', id: 'ctc_1' } };
    const patch: Part = {
      ...call('a', 'apply_patch'),
      input: { raw: '*** Begin Patch' },
      providerState: state,
    };
    const list = [assistant(1, [patch]), result(2, 'a', 'ok')];
    expect(toOpenAIResponses(prompt(list)).input).toEqual([
      { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' },
    ]);
  });

  it('shows media inside a result', () => {
    const { input: items } = toOpenAIResponses(
      prompt([assistant(1, [call('a')]), result(2, 'a', { parts: [text('see'), image] })]),
    );
    expect(items[1]).toEqual({
      type: 'function_call_output',
      call_id: 'a',
      output: [
        { type: 'input_text', text: 'see' },
        { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
      ],
    });
  });
});
