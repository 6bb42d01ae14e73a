// Each checker refuses what its provider refuses: one illegal request a rule, and the words that name it.
import { describe, expect, it } from 'vitest';
import type { AiSdkMessage } from '../providers/ai-sdk-prompt.ts';
import type { AnthropicMessage } from '../providers/anthropic-request.ts';
import type { GeminiContent } from '../providers/gemini-request.ts';
import type { OpenAIChatMessage } from '../providers/openai-chat-request.ts';
import type { OpenAIInputItem } from '../providers/openai-responses-request.ts';
import { checkAiSdk } from './ai-sdk.ts';
import { checkAnthropic } from './anthropic.ts';
import { checkGemini } from './gemini.ts';
import { checkOpenAIChat } from './openai-chat.ts';
import { checkOpenAIResponses } from './openai-responses.ts';
import { checkJson } from './sound-json.ts';

describe('checkJson', () => {
  it.each([
    [{ a: undefined }, 'is not JSON'],
    [[Number.NaN], 'is not a JSON number'],
    [{ a: '\ud800' }, 'not well-formed'],
    [{ '\ud800': 1 }, 'a key is not well-formed'],
    [{ a: () => 1 }, 'is not JSON'],
  ])('%# refuses', (value, words) => {
    expect(checkJson(value).join()).toContain(words);
  });

  it('takes JSON', () => {
    expect(checkJson({ a: [null, true, 1, 'x', {}] })).toEqual([]);
  });
});

const text = { type: 'text' as const, text: 'x' };

describe('checkAnthropic', () => {
  const user: AnthropicMessage = { role: 'user', content: [text] };
  const use = { type: 'tool_use' as const, id: 'a', name: 'f', input: {} };
  const answer = { type: 'tool_result' as const, tool_use_id: 'a', content: [text] };
  const thinking = { type: 'thinking' as const, thinking: 'hm', signature: 's' };
  const called: AnthropicMessage[] = [user, { role: 'assistant', content: [use] }];
  const ask = (
    ...content: Extract<AnthropicMessage, { role: 'assistant' }>['content']
  ): AnthropicMessage[] => [user, { role: 'assistant', content }, user];

  it('takes a call with its result, thinking first', () => {
    const reply: AnthropicMessage = { role: 'assistant', content: [thinking, text, use] };
    expect(checkAnthropic({ messages: [user, reply, { role: 'user', content: [answer, text] }] })).toEqual(
      [],
    );
    expect(checkAnthropic({ messages: [] })).toEqual([]);
  });

  it.each<[string, AnthropicMessage[]]>([
    ['is not a user message', [{ role: 'assistant', content: [text] }]],
    ['roles do not alternate', [user, user]],
    ['is empty', [{ role: 'user', content: [] }]],
    ['text is blank', [{ role: 'user', content: [{ type: 'text', text: ' \u0085' }] }]],
    ['text is blank', ask({ type: 'text', text: '' })],
    ['a call has no result', called],
    ['a call has 0 results', [...called, user]],
    ['a call has 2 results', [...called, { role: 'user', content: [answer, answer] }]],
    ['a result has no call before it', [{ role: 'user', content: [answer] }]],
    ['results are not first', [...called, { role: 'user', content: [text, answer] }]],
    ['something stands between a call and its result', ask(use, text)],
    ['holds thinking and does not begin with it', ask(text, thinking, text)],
    ['ends with thinking', ask(thinking)],
    ['thinking is not signed', ask({ ...thinking, signature: '' }, text)],
    ['thinking is not signed', ask({ type: 'redacted_thinking', data: '' }, text)],
    ['call id repeats', ask(use, use)],
    ['call id is not legal', ask({ ...use, id: 'a:b' })],
    ['tool name is not legal', ask({ ...use, name: 'a.b' })],
    ['input is not an object', ask({ ...use, input: [] as unknown as Record<string, unknown> })],
    ['ends in white space', [user, { role: 'assistant', content: [{ type: 'text', text: 'x ' }] }]],
  ])('says: %s', (words, messages) => {
    expect(checkAnthropic({ messages }).join()).toContain(words);
  });

  it('says that instructions are blank', () => {
    expect(checkAnthropic({ system: [], messages: [] })).toEqual(['system: is blank']);
  });
});

describe('checkGemini', () => {
  const user: GeminiContent = { role: 'user', parts: [{ text: 'x' }] };
  const called = { functionCall: { id: 'a', name: 'f', args: {} } };
  const answer = { functionResponse: { id: 'a', name: 'f', response: {} } };
  const model: GeminiContent = { role: 'model', parts: [called] };

  it('takes a call with its response', () => {
    expect(
      checkGemini({ contents: [user, model, { role: 'user', parts: [answer, { text: 'x' }] }] }),
    ).toEqual([]);
  });

  const other = { functionResponse: { id: 'b', name: 'g', response: {} } };
  const two: GeminiContent = {
    role: 'model',
    parts: [called, { functionCall: { id: 'b', name: 'g', args: {} } }],
  };
  it.each<[string, GeminiContent[]]>([
    ['is not a user turn', [model]],
    ['roles do not alternate', [user, user]],
    ['is empty', [{ role: 'user', parts: [] }]],
    ['text is empty', [{ role: 'user', parts: [{ text: '' }] }]],
    ['a call has no response', [user, model]],
    ['a call has 0 results', [user, model, user]],
    ['a result has no call before it', [{ role: 'user', parts: [answer] }]],
    ['responses are not first', [user, model, { role: 'user', parts: [{ text: 'x' }, answer] }]],
    ['responses are out of order', [user, two, { role: 'user', parts: [other, answer] }]],
    [
      'tool name is not legal',
      [user, { role: 'model', parts: [{ functionCall: { id: 'a', name: '1', args: {} } }] }],
    ],
  ])('says: %s', (words, contents) => {
    expect(checkGemini({ contents }).join()).toContain(words);
  });

  it('says that instructions are empty', () => {
    expect(checkGemini({ systemInstruction: { parts: [] }, contents: [] })).toEqual([
      'systemInstruction: is empty',
    ]);
  });
});

describe('checkOpenAIChat', () => {
  const called = (id: string, name = 'f', args = '{}'): OpenAIChatMessage => {
    return {
      role: 'assistant',
      content: null,
      tool_calls: [{ type: 'function', id, function: { name, arguments: args } }],
    };
  };
  const answer: OpenAIChatMessage = { role: 'tool', tool_call_id: 'a', content: 'x' };
  const user: OpenAIChatMessage = { role: 'user', content: 'x' };

  it('takes a call with its result', () => {
    expect(checkOpenAIChat([user, called('a'), answer, user])).toEqual([]);
  });

  it.each<[string, OpenAIChatMessage[]]>([
    ['is empty', [{ role: 'user', content: [] }]],
    ['is empty', [{ role: 'system', content: '' }]],
    ['content is empty', [{ role: 'assistant', content: '' }]],
    ['has neither content nor calls', [{ role: 'assistant', content: null }]],
    ['tool_calls is empty', [{ role: 'assistant', content: 'x', tool_calls: [] }]],
    ['a call has 0 results', [called('a'), user]],
    ['a call has 2 results', [called('a'), answer, answer]],
    ['a result has no call before it', [called('b'), answer]],
    ['does not follow the message that calls', [called('a'), user, answer]],
    ['does not follow the message that calls', [{ role: 'assistant', content: 'x' }, answer]],
    ['is empty', [called('a'), { ...answer, content: '' }]],
    ['call id repeats', [called('a'), answer, called('a'), answer]],
    ['call id is not legal', [called('x'.repeat(41))]],
    ['tool name is not legal', [called('a', 'a.b')]],
    ['arguments are empty', [called('a', 'f', '')]],
  ])('says: %s', (words, messages) => {
    expect(checkOpenAIChat(messages).join()).toContain(words);
  });
});

describe('checkOpenAIResponses', () => {
  const reasoning: OpenAIInputItem = { type: 'reasoning', id: 'rs_1', summary: [] };
  const said: OpenAIInputItem = { type: 'message', role: 'assistant', content: 'x' };
  const user: OpenAIInputItem = {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'x' }],
  };
  const called: OpenAIInputItem = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const answer: OpenAIInputItem = { type: 'function_call_output', call_id: 'a', output: 'x' };

  it('takes reasoning with its item and a call with its output', () => {
    expect(
      checkOpenAIResponses([user, reasoning, said, called, said, answer, user, reasoning, reasoning, said]),
    ).toEqual([]);
  });

  it.each<[string, OpenAIInputItem[]]>([
    ['is empty', [{ type: 'message', role: 'user', content: [] }]],
    ['is empty', [{ type: 'message', role: 'assistant', content: '' }]],
    ['is not followed by what it led to', [reasoning]],
    ['is not followed by what it led to', [reasoning, user]],
    ['is not followed by what it led to', [called, reasoning, answer]],
    ['a call has 0 results', [called]],
    ['a call has 0 results', [called, user, answer]],
    ['a result has no call before it', [called, user, answer]],
    ['a result has no call before it', [answer]],
    ['a call has 2 results', [called, answer, answer]],
    ['is empty', [called, { ...answer, output: '' }]],
    ['call id repeats', [called, answer, called, answer]],
    ['tool name is not legal', [{ ...called, name: '' }]],
    ['arguments are empty', [{ ...called, arguments: '' }]],
  ])('says: %s', (words, input) => {
    expect(checkOpenAIResponses(input).join()).toContain(words);
  });
});

describe('checkAiSdk', () => {
  const user: AiSdkMessage = { role: 'user', content: [text] };
  const use = { type: 'tool-call' as const, toolCallId: 'a', toolName: 'f', input: {} };
  const called: AiSdkMessage = { role: 'assistant', content: [use] };
  const output = { type: 'text' as const, value: 'x' };
  const answer: AiSdkMessage = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output }],
  };
  const thinking = {
    type: 'reasoning' as const,
    text: 'hm',
    providerOptions: { anthropic: { signature: 's' } },
  };

  it('takes a call with its result', () => {
    expect(checkAiSdk({ messages: [user, called, answer, user] })).toEqual([]);
  });

  it.each<[string, AiSdkMessage[]]>([
    ['is not a user message', [called, answer]],
    ['is empty', [{ role: 'user', content: [] }]],
    ['text is blank', [{ role: 'user', content: [{ type: 'text', text: '' }] }]],
    ['a call has 0 results', [user, called]],
    ['a result has no call before it', [user, { role: 'assistant', content: [text] }, answer]],
    ['does not follow the message that calls', [user, answer]],
    ['ends with reasoning', [user, { role: 'assistant', content: [thinking] }]],
    ['does not begin with reasoning', [user, { role: 'assistant', content: [text, thinking, text] }]],
    [
      'joined to the reply before it',
      [user, { role: 'assistant', content: [text] }, { role: 'assistant', content: [thinking, text] }],
    ],
    ['call id repeats', [user, called, answer, called, answer]],
    ['tool name is not legal', [user, { role: 'assistant', content: [{ ...use, toolName: '' }] }]],
  ])('says: %s', (words, messages) => {
    expect(checkAiSdk({ messages }).join()).toContain(words);
  });
});
