// What must hold of every request, whatever the events: it is legal, it is JSON, it is well-formed, it says all that the
// events say, and what is appended changes nothing before it.
import { modelMessageSchema } from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part } from '../event/part.ts';
import {
  checkAiSdk,
  checkAnthropic,
  checkGemini,
  checkOpenAIChat,
  checkOpenAIResponses,
  type Prompt,
  type PromptEntry,
  toAiSdk,
  toAnthropic,
  toGemini,
  toOpenAIChat,
  toOpenAIResponses,
  toText,
} from './index.ts';
import { isBlank } from './one-line.ts';
import {
  agents,
  entries,
  giantEntries,
  laterEntries,
  REASONING,
  REDACTED,
} from './prompt-arbitrary.fixture.ts';
import { cutTo, prompt } from './turns.fixture.ts';

interface Provider {
  readonly name: string;
  readonly request: (prompt: Prompt) => unknown;
  readonly problems: (prompt: Prompt) => readonly string[];
  /** The messages, and the instructions where they are apart. */
  readonly lists: (prompt: Prompt) => readonly (readonly unknown[])[];
}

const providers: readonly Provider[] = [
  {
    name: 'Anthropic',
    request: toAnthropic,
    problems: (value) => checkAnthropic(toAnthropic(value)),
    lists: (value) => [toAnthropic(value).messages, toAnthropic(value).system ?? []],
  },
  {
    name: 'Gemini',
    request: toGemini,
    problems: (value) => checkGemini(toGemini(value)),
    lists: (value) => [toGemini(value).contents, toGemini(value).systemInstruction?.parts ?? []],
  },
  {
    name: 'OpenAI Chat',
    request: toOpenAIChat,
    problems: (value) => checkOpenAIChat(toOpenAIChat(value).messages),
    lists: (value) => [toOpenAIChat(value).messages],
  },
  {
    name: 'OpenAI Responses',
    request: toOpenAIResponses,
    problems: (value) => checkOpenAIResponses(toOpenAIResponses(value).input),
    lists: (value) => [toOpenAIResponses(value).input],
  },
  ...([undefined, 'anthropic', 'openai', 'google'] as const).map((provider): Provider => {
    const convert = (value: Prompt) => toAiSdk(value, provider === undefined ? {} : { provider });
    return {
      name: `AI SDK for ${provider ?? 'any provider'}`,
      request: convert,
      problems: (value) => [...checkAiSdk(convert(value)), ...schemaProblems(convert(value).messages)],
      lists: (value) => [convert(value).messages, convert(value).system ?? []],
    };
  }),
];

function schemaProblems(messages: readonly unknown[]): string[] {
  return messages.flatMap((message) =>
    modelMessageSchema.safeParse(message).success ? [] : ['not a ModelMessage'],
  );
}

/** Every string of a request, one after another. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}

/** What a reader of the events would read: not reasoning, not white space. */
function wordsOf(content: readonly Part[]): string[] {
  const words = content.flatMap((part): string[] => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return [part.text];
      case 'code':
        return [part.code];
      case 'codeResult':
        return [part.output];
      case 'toolResult':
        return 'parts' in part.output ? wordsOf(part.output.parts) : [];
      default:
        return [];
    }
  });
  return words.filter((text) => !isBlank(text)).map((text) => text.toWellFormed().trimEnd());
}

function allWords(list: readonly PromptEntry[]): string[] {
  return list.flatMap((item) => (item.kind === 'event' ? wordsOf(item.event.content) : []));
}

/** Whether `longer` begins with `list`, of which only the last item may have grown at its own end. */
function extend(list: readonly unknown[], longer: readonly unknown[]): boolean {
  return list.every((item, index) => {
    const same = JSON.stringify(item) === JSON.stringify(longer[index]);
    return same || (index === list.length - 1 && grew(item, longer[index]));
  });
}

function grew(item: unknown, longer: unknown): boolean {
  const parts = (value: unknown): unknown =>
    (value as Record<string, unknown>)['content'] ?? (value as Record<string, unknown>)['parts'];
  const [before, after] = [parts(item), parts(longer)];
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return before.every((part, index) => JSON.stringify(part) === JSON.stringify(after[index]));
}

/** Every thing that a provider wants back to the byte, or that ties a result to its call. */
function ties(request: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(request, (key, value: unknown) => {
    const tied = TIES.has(key) || (key === 'data' && value === REDACTED);
    if (typeof value === 'string' && tied) found.push(`${key}=${value}`);
    return value;
  });
  return found;
}
const TIES: ReadonlySet<string> = new Set(
  'id tool_use_id call_id tool_call_id toolCallId toolName signature thinking encrypted_content thoughtSignature'.split(
    ' ',
  ),
);

describe.each(providers)('$name', ({ request, problems, lists }) => {
  it('is legal where events are shown cut, and ties every result to its call', () => {
    fc.assert(
      fc.property(giantEntries, agents, fc.double({ min: 0, max: 1, noNaN: true }), (list, agent, share) => {
        const whole = prompt(list, agent);
        const cut = prompt(cutTo(list, share), agent);
        expect(problems(cut)).toEqual([]);
        expect(ties(request(cut))).toEqual(ties(request(whole)));
      }),
      { numRuns: 150 },
    );
  });

  it('is legal', () => {
    fc.assert(
      fc.property(entries, agents, (list, agent) => {
        expect(problems(prompt(list, agent))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('survives JSON, the same each time', () => {
    fc.assert(
      fc.property(entries, agents, (list, agent) => {
        const made = request(prompt(list, agent));
        expect(JSON.parse(JSON.stringify(made))).toStrictEqual(
          JSON.parse(JSON.stringify(request(prompt(list, agent)))),
        );
        expect(JSON.parse(JSON.stringify(made))).toEqual(made);
      }),
    );
  });

  it('says all that the events say', () => {
    fc.assert(
      fc.property(entries, agents, (list, agent) => {
        const said = strings(request(prompt(list, agent))).join('\u0000');
        expect(allWords(list).filter((words) => !said.includes(words))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('changes nothing before what is appended', () => {
    fc.assert(
      fc.property(entries, laterEntries, agents, (list, later, agent) => {
        const before = lists(prompt(list, agent));
        const after = lists(prompt([...list, ...later], agent));
        for (const [index, messages] of before.entries())
          expect(extend(messages, after[index] ?? [])).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('reasoning', () => {
  it('is never sent to OpenAI Chat, nor to a provider that did not give it', () => {
    fc.assert(
      fc.property(entries, agents, (list, agent) => {
        expect(JSON.stringify(toOpenAIChat(prompt(list, agent)))).not.toContain(REASONING);
        const foreign = list.map((item) =>
          item.kind === 'event' ? { ...item, event: withStates(item.event, 'other') } : item,
        );
        for (const { request } of providers)
          expect(JSON.stringify(request(prompt(foreign, agent)))).not.toContain(REASONING);
      }),
    );
  });
});

function withStates<T extends { readonly content: readonly Part[] }>(event: T, provider: string): T {
  const content = event.content.map((part) =>
    'providerState' in part && part.providerState !== undefined
      ? { ...part, providerState: { ...part.providerState, provider } }
      : part,
  );
  return { ...event, content };
}

describe('toText', () => {
  it('says all that the events say, and no content opens a section', () => {
    fc.assert(
      fc.property(entries, agents, (list, agent) => {
        const made = toText(prompt(list, agent));
        expect(made.isWellFormed()).toBe(true);
        const said = made.replaceAll('\n ===', '\n===');
        expect(allWords(list).filter((words) => !said.includes(words))).toEqual([]);
        const openers = made.split(/[\n\v\f\r\u0085\u2028\u2029]/u).filter((line) => line.startsWith('=== '));
        expect(openers.filter((line) => !line.endsWith(' ==='))).toEqual([]);
      }),
    );
  });
});
