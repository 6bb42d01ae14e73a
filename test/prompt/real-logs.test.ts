// Sessions nobody here wrote, imported, whole and compacted: each request is legal, and says what the events say.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Session } from '../../src/engine/session.ts';
import { importFile } from '../../src/logs/index.ts';
import {
  checkAiSdk,
  checkAnthropic,
  checkGemini,
  checkOpenAIChat,
  checkOpenAIResponses,
  type Prompt,
  toAiSdk,
  toAnthropic,
  toGemini,
  toOpenAIChat,
  toOpenAIResponses,
  toText,
} from '../../src/prompt/index.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { Summarizer } from '../../src/summary/summarizer.ts';
import { sharedData } from '../../src/tokens/shared-data.fixture.ts';

const files = [
  'claude-code/compacted-kana-emoji.jsonl',
  'claude-code/edge-cases.jsonl',
  'claude-code/image.jsonl',
  'claude-code/real-medium.jsonl',
  'claude-code/sidechain.jsonl',
  'claude-code/tool-heavy.jsonl',
  'codex/compacted-shapes.jsonl',
  'codex/edges.jsonl',
  'codex/real-medium.jsonl',
];

const summarizer: Summarizer = {
  name: 'short',
  format: 'prose',
  summarize: async () => ({ kind: 'summary', content: 'What was said.' }),
};

async function imported(file: string): Promise<Session> {
  const palimpsest = new Palimpsest({ store: new MemoryStore(), summarizer });
  const session = palimpsest.session({ app: 'test', user: 'test', session: file });
  await importFile(join(sharedData ?? '', file), session);
  return session;
}

function problems(prompt: Prompt): string[] {
  return [
    ...checkAnthropic(toAnthropic(prompt)),
    ...checkGemini(toGemini(prompt)),
    ...checkOpenAIChat(toOpenAIChat(prompt).messages),
    ...checkOpenAIResponses(toOpenAIResponses(prompt).input),
    ...checkAiSdk(toAiSdk(prompt)),
    ...checkAiSdk(toAiSdk(prompt, { provider: 'google' })),
  ];
}

/** What users and the model wrote. */
function proseOf(prompt: Prompt): string[] {
  return prompt.entries.flatMap((entry) =>
    entry.kind === 'event'
      ? entry.event.content.flatMap((part) => (part.type === 'text' ? [part.text.toWellFormed().trim()] : []))
      : [],
  );
}

describe.skipIf(sharedData === null)('a real session (skipped where shared/data is absent)', () => {
  it.each(files)('%s is legal, whole and compacted', { timeout: 60_000 }, async (file) => {
    const session = await imported(file);
    const whole = await session.prompt();
    expect(whole.entries.length).toBeGreaterThan(0);
    expect(problems(whole)).toEqual([]);
    const text = toText(whole);
    expect(proseOf(whole).filter((prose) => !text.includes(prose))).toEqual([]);
    await session.compact({ keep: { events: 5 } });
    expect(problems(await session.prompt())).toEqual([]);
  });

  it('keeps signed thinking at the head of its message, to the byte', async () => {
    const prompt = await (await imported('claude-code/tool-heavy.jsonl')).prompt();
    const stored = prompt.entries.flatMap((entry) =>
      entry.kind === 'event'
        ? entry.event.content.filter((part) => part.type === 'reasoning' && part.providerState !== undefined)
        : [],
    );
    const sent = toAnthropic(prompt).messages.flatMap(({ content }) =>
      content.filter((block) => block.type === 'thinking'),
    );
    expect(sent.length).toBe(stored.length);
    expect(sent.length).toBeGreaterThan(0);
  });
});
