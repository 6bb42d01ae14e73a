import { expect, it } from 'vitest';
import { RecordGraph } from '../../coverage/record-graph.ts';
import { Palimpsest } from '../../engine/palimpsest.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import { lookFor } from '../look.ts';
import { explainReport } from './explain-report.ts';

// Fails where a report assembles without the limit the prompts are held to.
it('says that an event is shown by head and tail, and how much of it is not', async () => {
  const session = new Palimpsest({
    store: new MemoryStore(),
    contextLimit: { maxInput: 4_000, margin: 100 },
  }).session({ app: 'a', user: 'u', session: 's' });
  await session.append([
    { role: 'user', content: 'Read this.' },
    { role: 'user', content: 'It was a dark and stormy night. '.repeat(2_000) },
  ]);
  const report = async (seq: number): Promise<string> =>
    explainReport(lookFor({}, {}), await session.explain(seq), new RecordGraph([])).join('\n');
  expect(await report(1)).toContain('Where      in the prompt as it is: ');
  expect(await report(2)).toMatch(
    /Where {6}in the prompt: .*\n.*\n? +too large to be shown whole: its beginning and its end are,\s+1\d,\d\d\d of\s+its\s+1\d,\d\d\d\s+tokens are not/u,
  );
  const { prompt } = await session.prepare();
  const shown = prompt.entries.find((entry) => entry.kind === 'event' && entry.event.seq === 2);
  expect((await session.explain(2)).cut).toEqual(shown?.kind === 'event' ? shown.cut : null);
});
