import type { Lane } from '../../src/event/lane.ts';
import { marksIn, sayingOfParts } from '../model/marks.ts';
import { laneName, maySee, readersOf, type Told } from '../model/told.ts';
import type { World } from './world.ts';

/** Room for all there is. */
const ALL = { maxTokens: 1_000_000 };

/** All that is wrong with what readers are told when they ask for the past, in words. */
export async function recallFaults(world: World): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const lane of readersOf(world.know.events)) {
    const found = [
      ...(await wordFaults(world, lane)),
      ...(await namedFaults(world, lane)),
      ...(await recordFaults(world, lane)),
    ];
    faults.push(...found.map((fault) => `reader ${laneName(lane)}: ${fault}`));
  }
  return faults;
}

/** Every mark is looked for; found is the event that says it, if the reader may see it and a summary stands in for it. */
async function wordFaults(world: World, lane: Lane): Promise<string[]> {
  const faults: string[] = [];
  const { events, pinned } = world.know;
  const covers = (await world.records()).shownTo(lane);
  const records = await world.records();
  const covered = new Set(covers.flatMap((record) => [...records.seqsOf(record)]));
  for (const told of events) {
    const mark = world.marks.get(told.seq) ?? '';
    const { text, seqs, tokens } = await world.session.recall(
      { words: mark },
      { reader: { agent: '', lane }, maxTokens: 400 },
    );
    const wanted = maySee(lane, told.stored.lane) && covered.has(told.seq) && !pinned.has(told.seq);
    const expected = wanted && says(told, mark) ? [told.seq] : [];
    if (seqs.join() !== expected.join())
      faults.push(`${mark} is found in [${seqs.join()}], should be in [${expected.join()}]`);
    if (tokens > 400 || tokens !== world.store.counter.count(text))
      faults.push(`${mark} takes ${tokens} tokens`);
    faults.push(...strangers(world, lane, text));
  }
  return faults;
}

/** Every event is asked for by its seq, by its id and in a span. */
async function namedFaults(world: World, lane: Lane): Promise<string[]> {
  const faults: string[] = [];
  const { events } = world.know;
  const reader = { agent: '', lane };
  const mine = events.filter(({ stored }) => maySee(lane, stored.lane));
  const readable = mine.filter(({ stored }) => stored.content.some((part) => part.type !== 'reasoning'));
  for (let from = 0; from < events.length; from += 50) {
    const asked = events.slice(from, from + 50);
    const seqs = mine.filter((told) => asked.includes(told)).map(({ seq }) => seq);
    for (const named of [asked.map(({ seq }) => seq), asked.map(({ stored }) => stored.id)]) {
      const shown = await world.session.recall({ events: named }, { reader, ...ALL });
      if (shown.seqs.join() !== seqs.join())
        faults.push(
          `asked for ${named.join()} it is shown [${shown.seqs.join()}], should be [${seqs.join()}]`,
        );
      faults.push(...strangers(world, lane, shown.text));
      for (const told of asked) {
        const mark = world.marks.get(told.seq) ?? '';
        if (seqs.includes(told.seq) && says(told, mark) && !shown.text.includes(mark))
          faults.push(`asked for event ${told.seq} it is not shown ${mark}`);
      }
    }
  }
  const newest = readable.slice(-20).map(({ seq }) => seq);
  const span = await world.session.recall({ from: newest[0] ?? 1 }, { reader, ...ALL });
  if (span.seqs.join() !== newest.join())
    faults.push(`from ${newest[0]} on it is shown [${span.seqs.join()}], should be [${newest.join()}]`);
  return [...faults, ...strangers(world, lane, span.text)];
}

/** Every record there ever was is asked for. */
async function recordFaults(world: World, lane: Lane): Promise<string[]> {
  const faults: string[] = [];
  const records = await world.records();
  for (const record of records.all) {
    const shown = await world.session.recall({ record: record.id }, { reader: { agent: '', lane }, ...ALL });
    const forReader = maySee(lane, record.lane) && (!record.rootView || lane.branch === '');
    const held = records.seqsOf(record);
    const alien = shown.seqs.filter((seq) => !held.has(seq) || !forReader);
    if (alien.length > 0) faults.push(`record ${record.id} is shown as [${shown.seqs.join()}]`);
    if (forReader && shown.seqs.length === 0 && [...held].some((seq) => isReadable(world, seq)))
      faults.push(`record ${record.id} is not shown`);
    faults.push(...strangers(world, lane, shown.text));
  }
  return faults;
}

function isReadable(world: World, seq: number): boolean {
  return world.know.events[seq - 1]?.stored.content.some((part) => part.type !== 'reasoning') ?? false;
}

/** Whether there is a mark to be read in an event: some instructions have none, and reasoning is shown to nobody. */
function says({ stored }: Told, mark: string): boolean {
  if (mark === '') return false;
  return sayingOfParts(stored.content.filter((part) => part.type !== 'reasoning')).includes(mark);
}

/** G5: marks of events this reader may not see. */
function strangers(world: World, lane: Lane, text: string): readonly string[] {
  const mine = new Set(
    world.know.events.flatMap(({ seq, stored }) =>
      maySee(lane, stored.lane) ? [world.marks.get(seq) ?? ''] : [],
    ),
  );
  return marksIn(text)
    .filter((mark) => !mine.has(mark))
    .map((mark) => `is told ${mark}, which this reader may not know`);
}
