// An agent whose prompt is summaries, and who looks up what they left out: the loop a tool needs, with no framework.
import { MemoryStore, Palimpsest, recallTool } from 'palimpsest';
import { toOpenAIChat } from 'palimpsest/prompt';

const palimpsest = new Palimpsest({ store: new MemoryStore(), sliding: { interval: 5 } });
const session = palimpsest.session({ app: 'example', user: 'me', session: 'recall' });

for (let day = 1; day <= 20; day += 1) {
  const turn = await session.begin();
  await turn.append({
    role: 'user',
    content: `Day ${day}. ${'What does the harbour office say? '.repeat(10)}`,
  });
  await turn.append({
    role: 'assistant',
    content: `Berth ${day * 7} is free. ${'The wind is from the west. '.repeat(10)}`,
  });
  await turn.end();
}
await session.idle();

const recall = recallTool(session, { maxTokens: 500 });
const turn = await session.begin();
await turn.append({ role: 'user', content: 'Which berth was free on day 3?' });

for (;;) {
  const { messages } = toOpenAIChat(await session.prompt());
  const tools = [
    {
      type: 'function',
      function: { name: recall.name, description: recall.description, parameters: recall.parameters },
    },
  ];
  const reply = await model({ messages, tools });
  if (reply.call === undefined) {
    await turn.append({ role: 'assistant', content: reply.text });
    console.log(reply.text);
    break;
  }
  const { id, input } = reply.call;
  await turn.append({
    role: 'assistant',
    content: [{ type: 'toolCall', id, name: recall.name, input: { json: input } }],
  });
  const text = await recall.execute(input);
  console.log(text);
  await turn.append({
    role: 'tool',
    content: [{ type: 'toolResult', id, output: { parts: [{ type: 'text', text }] } }],
  });
}
await turn.end();
await palimpsest.close();

/** Stands for a call of a model: it looks the day up, and then reads the berth off what it was told. */
async function model({
  messages,
}: {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools: unknown;
}) {
  const last = messages.at(-1);
  if (last?.role !== 'tool')
    return { text: '', call: { id: 'look', input: { words: 'berth day 3', from: null } } };
  const { seqs } = await session.recall({ words: 'Day 3' });
  const answer = await recall.execute({ events: [(seqs[0] ?? 0) + 1] });
  const berth = /Berth (\d+)/.exec(answer)?.[1];
  if (berth !== '21') throw new Error('not what was said');
  return { text: `Berth ${berth}.` };
}
