// A summarizer of your own, which may fail: the session never does.
import { MemoryStore, Palimpsest, type Summarizer } from 'palimpsest';

let calls = 0;
const summarizer: Summarizer = {
  name: 'first-sentences',
  format: 'prose',
  async summarize({ previous, events }) {
    calls += 1;
    if (calls === 1) throw new Error('the network is down');
    const sentences = events.flatMap((event) =>
      event.parts.flatMap((part) =>
        part.type === 'text' ? `${event.role}: ${part.text.split('. ')[0]}.` : [],
      ),
    );
    const content = [...previous.map((summary) => summary.text), ...sentences].join('\n');
    return { kind: 'summary', content, finish: 'stop' };
  },
};

const palimpsest = new Palimpsest({ store: new MemoryStore(), summarizer });
const session = palimpsest.session({ app: 'example', user: 'me', session: 'own' });
for (let turn = 1; turn <= 12; turn += 1) {
  await session.append([
    { role: 'user', content: `Question ${turn}. ${'It is about the timetable of the ferry. '.repeat(8)}` },
    { role: 'assistant', content: `Answer ${turn}. ${'The ferry leaves at seven forty. '.repeat(8)}` },
  ]);
}

for (let attempt = 1; attempt <= 2; attempt += 1) {
  for (const outcome of await session.compact({ keep: { events: 4 } })) {
    console.log(outcome.kind, outcome.kind === 'committed' ? outcome.record.spans : '');
  }
  const { accounting } = await session.prompt();
  console.log(
    `  ${accounting.raw.events} raw, ${accounting.covered.events} covered, ${accounting.promptTokens} tokens`,
  );
}
for (const attempt of await session.attempts()) console.log(attempt.state, attempt.reason ?? '');
if (!(await session.verify()).ok) throw new Error('not verified');
await palimpsest.close();
