// A chat that goes on and on: after every five turns, the five are summarized while the next answer is under way.
import { MemoryStore, Palimpsest } from 'palimpsest';
import { toOpenAIChat } from 'palimpsest/prompt';

const palimpsest = new Palimpsest({
  store: new MemoryStore(),
  sliding: { interval: 5 },
});
const session = palimpsest.session({ app: 'example', user: 'me', session: 'chat' });

for (let number = 1; number <= 23; number += 1) {
  const turn = await session.begin();
  await turn.append({
    role: 'user',
    content: `Question ${number}. ${'And what about the ferry? '.repeat(10)}`,
  });
  const { messages } = toOpenAIChat(await session.prompt());
  await turn.append({ role: 'assistant', content: await answer(messages) });
  await turn.end();
}
for (const outcome of await session.idle()) {
  if (outcome.kind === 'committed') console.log('summarized', outcome.record.spans);
}

const { accounting } = await session.prompt();
console.log(
  `${accounting.total.events} events, ${accounting.total.tokens} tokens; the prompt has ${accounting.promptTokens}`,
);
if ((await session.records()).length !== 4) throw new Error('expected a summary for every five turns');
await palimpsest.close();

/** Stands for a call of a model. */
async function answer(messages: readonly unknown[]): Promise<string> {
  return `I was given ${messages.length} messages. ${'It leaves at seven forty. '.repeat(10)}`;
}
