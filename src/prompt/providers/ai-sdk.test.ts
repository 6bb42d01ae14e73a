import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../event/json.ts';
import type { Part } from '../../event/part.ts';
import { BETWEEN_REPLIES } from '../frame.ts';
import { assistant, call, entry, event, prompt, result, user } from '../turns.fixture.ts';
import { type AiSdkOptions, toAiSdk } from './ai-sdk.ts';

function reasoning(provider: string, json: JsonValue): Part {
  return { type: 'reasoning', text: provider, providerState: { provider, json } };
}

const all = [
  reasoning('anthropic', { signature: 'c2ln' }),
  reasoning('openai', { type: 'reasoning', id: 'rs_1', encrypted_content: 'ZW5j' }),
  reasoning('openai', { type: 'reasoning', id: 'rs_2' }),
  reasoning('gemini', { thoughtSignature: 'Z2Vt' }),
  reasoning('other', {}),
  { type: 'text', text: 'So.' } as const,
];

function content(options: AiSdkOptions): unknown {
  return toAiSdk(prompt([user(1, 'x'), assistant(2, all)]), options).messages[1]?.content;
}

describe('toAiSdk', () => {
  it('gives each provider its own reasoning back', () => {
    const anthropic = {
      type: 'reasoning',
      text: 'anthropic',
      providerOptions: { anthropic: { signature: 'c2ln' } },
    };
    const encrypted = {
      type: 'reasoning',
      text: 'openai',
      providerOptions: { openai: { reasoningEncryptedContent: 'ZW5j' } },
    };
    const stored = { type: 'reasoning', text: 'openai', providerOptions: { openai: { itemId: 'rs_2' } } };
    const google = {
      type: 'reasoning',
      text: 'gemini',
      providerOptions: { google: { thoughtSignature: 'Z2Vt' } },
    };
    const text = { type: 'text', text: 'So.' };
    expect(content({ provider: 'anthropic' })).toEqual([anthropic, text]);
    expect(content({ provider: 'openai' })).toEqual([encrypted, stored, text]);
    expect(content({ provider: 'google' })).toEqual([google, text]);
    expect(content({})).toEqual([anthropic, encrypted, stored, google, text]);
  });

  it('gives results as text or JSON, errors as such, and media after them', () => {
    const image: Part = {
      type: 'media',
      kind: 'image',
      mimeType: 'image/png',
      url: 'https://example.com/a.png',
    };
    const failed: Part = {
      type: 'toolResult',
      id: 'c',
      name: 'f',
      output: { parts: [{ type: 'text', text: 'no' }] },
      isError: true,
    };
    const list = [
      user(1, 'x'),
      assistant(2, [call('a'), call('b'), call('c')]),
      result(3, 'a', { json: { found: [1] } }),
      result(4, 'b', { parts: [image] }),
      entry(event(5, { role: 'tool', content: [failed] })),
    ];
    const { messages } = toAiSdk(prompt(list));
    expect(messages[2]?.content).toMatchObject([
      { toolCallId: 'a', output: { type: 'json', value: { found: [1] } } },
      { toolCallId: 'b', output: { type: 'text', value: '[image image/png https://example.com/a.png]' } },
      { toolCallId: 'c', output: { type: 'error-text', value: 'no' } },
    ]);
    expect(messages[3]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '[media of the tool results above]' },
        { type: 'file', data: 'https://example.com/a.png', mediaType: 'image/png' },
      ],
    });
  });

  it('sends sound to Gemini alone', () => {
    const sound: Part = { type: 'media', kind: 'audio', mimeType: 'audio/ogg', data: 'aGk=' };
    const value = prompt([entry(event(1, { content: [sound] }))]);
    expect(toAiSdk(value, { provider: 'google' }).messages[0]?.content).toMatchObject([{ type: 'file' }]);
    expect(toAiSdk(value).messages[0]?.content).toEqual([{ type: 'text', text: '[audio audio/ogg]' }]);
  });

  it('keeps thinking at the head of what Anthropic’s provider joins', () => {
    const thinking = [reasoning('anthropic', { signature: 'c2ln' }), { type: 'text', text: 'Two.' } as const];
    const { messages } = toAiSdk(prompt([user(1, 'x'), assistant(2, 'One.'), assistant(3, thinking)]));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages[2]?.content).toEqual([{ type: 'text', text: BETWEEN_REPLIES }]);
  });

  it('lets nothing stand between a call and its result, but for what OpenAI’s reasoning led to', () => {
    const types = (parts: readonly Part[]): unknown[] => {
      const content = toAiSdk(prompt([user(1, 'x'), assistant(2, parts)])).messages[1]?.content ?? [];
      return content.map(({ type }) => type);
    };
    const text: Part = { type: 'text', text: 'So.' };
    const item = reasoning('openai', { type: 'reasoning', encrypted_content: 'ZW5j' });
    expect(types([item, item, text])).toEqual(['reasoning', 'text']);
    expect(types([call('a'), text])).toEqual(['text', 'tool-call']);
    expect(types([item, call('a'), text])).toEqual(['reasoning', 'tool-call', 'text']);
  });

  it('keeps instructions out of the messages, where the SDK refuses them', () => {
    const system = entry(event(2, { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }));
    const made = toAiSdk(prompt([user(1, 'x'), system]));
    expect(made).toEqual({
      system: [{ role: 'system', content: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    });
  });
});
