import type { EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { exchangesOf, type Owed } from '../model/exchanges.ts';
import { laneName } from '../model/told.ts';
import { quarterCounter } from './characters.ts';
import { countingTexts } from './counting.ts';
import { askDraft, callDraft, marked, resultDraft, sayDraft } from './drafts.ts';
import { moods } from './moods.ts';
import type { Operation } from './operations.ts';
import { forkAt, redo, undo } from './rewrite.ts';
import { type MakeStore, World, type WorldSettings } from './world.ts';

type Of<Kind extends Operation['kind']> = Extract<Operation, { readonly kind: Kind }>;
type Telling = Of<'say' | 'call' | 'result' | 'ask' | 'settle'>;

/** A world in which operations happen, over a store in memory or another. */
export async function newWorld(settings: WorldSettings, makeStore: MakeStore = inMemory): Promise<World> {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const ids = countingTexts('id', 6);
  const store = await makeStore({ counter: quarterCounter, clock: () => clock.now, ids });
  const world = new World(settings, clock, store);
  world.perform = (operation) => perform(world, operation);
  return world;
}

const inMemory: MakeStore = async (options) => new MemoryStore(options);

/** The place a number names in a list, or null when the list is empty. */
function indexIn(list: readonly unknown[], number: number): number | null {
  return list.length === 0 ? null : number % list.length;
}

function pick<Item>(list: readonly Item[], number: number): Item | undefined {
  const at = indexIn(list, number);
  return at === null ? undefined : list[at];
}

async function perform(world: World, operation: Operation): Promise<void> {
  const { know } = world;
  switch (operation.kind) {
    case 'turn':
      return wholeTurn(world, operation);
    case 'begin':
      return begin(world, operation);
    case 'say':
    case 'call':
    case 'result':
    case 'ask':
    case 'settle':
      return tell(world, operation);
    case 'outside': {
      const lane = world.lane(operation.lane);
      const draft = { ...sayDraft(operation.role, world.mark(), operation.size), lane };
      const stored = await world.session.append([draft]);
      return world.hear(draft, stored[0], false);
    }
    case 'retry':
      return retry(world, operation.event);
    case 'end': {
      const turn = pick(know.held, operation.turn);
      if (turn === undefined) return;
      know.held = know.held.filter((other) => other !== turn);
      return world.end(turn, operation.state, operation.race);
    }
    case 'kill': {
      const turn = pick(know.held, operation.turn);
      know.held = know.held.filter((other) => other !== turn);
      return;
    }
    case 'wait':
      world.clock.now += operation.minutes * 60_000;
      world.overslept ||= world.inBetween;
      return;
    case 'compact':
      return compact(world, operation);
    case 'pin':
    case 'unpin':
      return pin(world, operation);
    case 'undo':
      return undo(world, operation.record);
    case 'redo':
      return redo(world, operation.record);
    case 'fork':
      return forkAt(world, operation.through, operation.stay);
    case 'summarizer':
      world.summarizer.behaviour = moods(world.timers)[operation.mood];
      world.disturbed ||= operation.mood !== 'healthy';
      return;
    default:
      return operation satisfies never;
  }
}

async function wholeTurn(world: World, op: Of<'turn'>): Promise<void> {
  const lane = world.lane(op.lane);
  const turn = await world.begin(lane);
  await world.tell(turn, lane, { role: 'user', content: marked(world.mark(), op.size) });
  if (op.calls > 0) {
    const call = { count: op.calls - 1, ids: 'given', longRunning: false } as const;
    await world.tell(turn, lane, callDraft(call, world.mark(), []));
    const made = world.owed().filter(({ invocation }) => invocation === turn.mine.invocation);
    const order = op.results % 2 === 0 ? made : made.toReversed();
    // From the fourth way on one of them is never answered.
    for (const owed of order.slice(op.results > 3 ? 1 : 0)) {
      const result = { ids: 'given', size: op.size, twice: false } as const;
      await world.tell(turn, lane, resultDraft(result, world.mark(), owed));
    }
  }
  await world.tell(turn, lane, { role: 'assistant', content: marked(world.mark(), op.size) });
  await world.end(turn, 'ended');
}

async function begin(world: World, op: Of<'begin'>): Promise<void> {
  const lane = world.lane(op.lane);
  const known = op.resume === null ? undefined : pick(world.know.turns.all(), op.resume);
  const turn = await world.begin(lane, known?.id);
  world.know.held = [...world.know.held, turn];
  if (op.asks) await world.tell(turn, lane, { role: 'user', content: marked(world.mark(), op.size) });
}

async function tell(world: World, op: Telling): Promise<void> {
  const mark = world.mark();
  const { held } = world.know;
  const target = targetOf(world, op);
  const own = held.find(({ mine }) => mine.invocation === target?.invocation);
  const place = op.kind === 'result' || op.kind === 'settle' ? op.elsewhere : op.lane;
  const turn = place === null && own !== undefined ? own : pick(held, op.turn);
  if (turn === undefined) return;
  const lane = place !== null ? world.lane(place) : (target?.lane ?? turn.mine.lane);
  await world.tell(turn, lane, draftOf(world, op, lane, mark, target));
}

/** The call or ask an operation is about, if there is one. */
function targetOf(world: World, op: Telling): Owed | undefined {
  const candidates = op.kind === 'settle' ? owedOf(world, 'ask') : owedOf(world, 'call');
  if (op.kind === 'result' || op.kind === 'settle') return pick(candidates, op.owed);
  return op.kind === 'ask' && op.about !== null ? pick(candidates, op.about) : undefined;
}

function owedOf(world: World, wanted: Owed['kind']): readonly Owed[] {
  return world
    .owed()
    .filter(({ kind }) => kind === wanted)
    .toReversed();
}

function draftOf(world: World, op: Telling, lane: Lane, mark: string, target: Owed | undefined): EventDraft {
  switch (op.kind) {
    case 'say':
      return { ...sayDraft(op.role, mark, op.size), ...replyNamed(op.reply) };
    case 'call': {
      // An id of another lane says what its call said, where nobody may know of it.
      const known = world.owed().filter((owed) => laneName(owed.lane) === laneName(lane));
      return { ...callDraft(op, mark, known), ...replyNamed(op.reply) };
    }
    case 'result':
      return resultDraft(op, mark, target, op.and === null ? undefined : pick(owedOf(world, 'call'), op.and));
    case 'ask':
      return askDraft(mark, target);
    case 'settle':
      return {
        role: op.byUser ? 'user' : 'tool',
        content: `${mark} yes`,
        answers: [target?.id ?? `nobody-${mark}`],
      };
    default:
      return op satisfies never;
  }
}

function replyNamed(reply: number | null): { readonly reply?: string } {
  return reply === null ? {} : { reply: `reply${reply}` };
}

async function retry(world: World, number: number): Promise<void> {
  const told = pick(world.know.events, number);
  if (told === undefined) return;
  const again = await world.session.append([{ ...told.draft, id: told.stored.id }]);
  if (JSON.stringify(again) !== JSON.stringify([told.stored]))
    throw new Error(`event ${told.seq} sent again came back as another`);
}

async function compact(world: World, op: Of<'compact'>): Promise<void> {
  if (world.know.events.length === 0) return;
  const { session } = world;
  const options = {
    reader: { agent: '', lane: world.lane(op.lane) },
    keep: { events: op.keep + 1 },
    ...(op.interval === null ? {} : { sliding: { interval: op.interval, overlap: world.settings.overlap } }),
  };
  world.outcomes.push(...(await world.racing(op.race, () => session.compact(options))));
}

async function pin(world: World, op: Of<'pin' | 'unpin'>): Promise<void> {
  const { know, session } = world;
  const told = pick(know.events, op.event);
  if (told === undefined) return;
  const members = exchangesOf(know.events).members(told.seq);
  const held = op.kind === 'pin' ? await session.pin(told.seq) : await session.unpin(told.seq);
  if (held.join() !== members.join())
    throw new Error(`${op.kind} of ${told.seq} holds ${held.join()}, its exchange is ${members.join()}`);
  know.pinned =
    op.kind === 'pin'
      ? new Set([...know.pinned, ...members])
      : new Set([...know.pinned].filter((seq) => !members.includes(seq)));
}
