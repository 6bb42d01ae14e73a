import type { Lane } from '../../src/event/lane.ts';
import { assemblePrompt } from '../../src/prompt/assemble.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import { promptFaults } from '../model/check-prompt.ts';
import { recordFaults } from '../model/check-records.ts';
import { exchangesOf } from '../model/exchanges.ts';
import type { ModelRecords } from '../model/records.ts';
import { laneName, readersOf } from '../model/told.ts';
import { requestFaults } from './requests.ts';
import { stalledLanes } from './stalled.ts';
import type { World } from './world.ts';

/** How much to look at. */
export interface CheckOptions {
  /** Missing: every reader there could be. */
  readonly readers?: readonly Lane[];
  /** Whether nothing is under way: then every attempt has ended. */
  readonly quiet: boolean;
  /** Whether to make every provider's request of each prompt. */
  readonly requests?: boolean;
}

/** All that is wrong with a world, in words: what the oracle says against what the session does. */
export async function worldFaults(world: World, options: CheckOptions): Promise<readonly string[]> {
  if (world.know.events.length === 0) return [];
  const records = await world.records();
  const faults = [...(await historyFaults(world)), ...(await promptsFaults(world, records, options))];
  if (!options.quiet) return faults;
  const attempts = await world.store.attempts(world.know.session.key);
  const checkable = records.without(world.know.inherited);
  faults.push(
    ...recordFaults({
      records,
      own: checkable,
      events: world.know.events,
      attempts,
      calls: world.summarizer.requests,
      bounded: world.settings.callLimit !== null,
    }),
  );
  for (const { id, state } of attempts) if (state === 'started') faults.push(`attempt ${id} never ended`);
  const report = await world.know.other.verify();
  for (const problem of report.problems) faults.push(`verify: ${JSON.stringify(problem)}`);
  if (world.summarizer.mostAtOnce > 1 && !world.overslept)
    faults.push('one event was summarized twice at once');
  return faults;
}

/** G1, and what the store derives from the events alone. */
async function historyFaults(world: World): Promise<string[]> {
  const faults: string[] = [];
  const { key } = world.know.session;
  const rows = await world.store.page(key, 0, world.know.events.length + 10);
  const exchanges = exchangesOf(world.know.events);
  if (rows.length !== world.know.events.length)
    faults.push(`${rows.length} events, ${world.know.events.length} were appended`);
  for (const [index, { event, exchange, pinned }] of rows.entries()) {
    const seq = index + 1;
    if (JSON.stringify(event) !== world.know.written[index]) faults.push(`event ${seq} is not what it was`);
    if (exchange !== exchanges.groupOf(seq))
      faults.push(`event ${seq} is of exchange ${exchange}, should be of ${exchanges.groupOf(seq)}`);
    if (pinned !== world.know.pinned.has(seq)) faults.push(`event ${seq} is pinned: ${pinned}`);
  }
  const owed = (await world.store.obligations(key)).map(({ kind, id, name, seq, answeredBy, longRunning }) =>
    [kind, id, name, seq, answeredBy, longRunning].join(),
  );
  const expected = exchanges.owed.map(({ kind, id, name, seq, answeredBy, longRunning }) =>
    [kind, id, name, seq, answeredBy, longRunning].join(),
  );
  if (owed.toSorted().join(' ') !== expected.toSorted().join(' '))
    faults.push(`owed ${owed.join(' ')}, should be ${expected.join(' ')}`);
  for (const { id, state, ordinal, openedBy } of await world.store.invocations(key)) {
    const turn = world.know.turns.get(id);
    if (turn === undefined) continue;
    const found = [state, ordinal, openedBy].join();
    const wanted = [world.know.turns.state(id), turn.ordinal, turn.openedBy].join();
    if (found !== wanted) faults.push(`turn ${id} is ${found}, should be ${wanted}`);
  }
  return faults;
}

async function promptsFaults(
  world: World,
  records: ModelRecords,
  { readers = readersOf(world.know.events), requests = false }: CheckOptions,
): Promise<string[]> {
  const faults: string[] = [];
  const { marks } = world;
  const { events, pinned } = world.know;
  const exchanges = exchangesOf(events);
  for (const reader of readers) {
    const prompt = await world.know.other.prompt({ reader: { agent: '', lane: reader } });
    faults.push(...promptFaults({ reader, prompt, events, records, exchanges, pinned, marks }));
    if (requests) {
      const others = await world.know.other.prompt({ reader: { agent: 'somebody', lane: reader } });
      for (const asked of [prompt, others])
        faults.push(...requestFaults(asked).map((fault) => `reader ${laneName(reader)}: ${fault}`));
    }
    // One reader's prompt, a different one each time, is held to half of what it takes.
    if (reader === readers[events.length % readers.length]) {
      const limited = await limitedPrompt(world, reader, Math.floor(prompt.accounting.promptTokens / 2));
      faults.push(...promptFaults({ reader, prompt: limited, events, records, exchanges, pinned, marks }));
      faults.push(...requestFaults(limited).map((fault) => `reader ${laneName(reader)}, cut: ${fault}`));
    }
    const explained = events[(events.length * 7 + readers.length) % events.length];
    if (explained === undefined) continue;
    const { whereabouts } = await world.know.other.explain(explained.seq, {
      reader: { agent: '', lane: reader },
    });
    const shown = prompt.entries.find((entry) => entry.kind === 'event' && entry.event.seq === explained.seq);
    const state = shown?.kind === 'event' ? shown.state : null;
    const wanted = state ?? (whereabouts === 'unseen' ? 'unseen' : 'covered');
    if (whereabouts !== wanted)
      faults.push(
        `reader ${laneName(reader)}: event ${explained.seq} is explained as ${whereabouts}, shown as ${wanted}`,
      );
  }
  return faults;
}

/** The prompt of a reader to whom only so many tokens may be shown. */
async function limitedPrompt(world: World, lane: Lane, limit: number): Promise<Prompt> {
  const view = await world.store.view(world.know.session.key, lane, 'reader');
  return assemblePrompt(view, { agent: '', lane }, world.store.counter, limit);
}

/** G8, after a turn ended and everything it set off is done: no lane holds back what could be covered. */
export async function backlogFaults(world: World, lanes: readonly Lane[]): Promise<readonly string[]> {
  if (world.settings.interval === null || world.disturbed) return [];
  const attempts = await world.store.attempts(world.know.session.key);
  return stalledLanes(world, await world.records(), attempts, lanes);
}
