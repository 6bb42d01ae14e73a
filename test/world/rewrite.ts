import { RefusedError } from '../../src/event/errors.ts';
import type { SessionKey } from '../../src/event/ids.ts';
import { exchangesOf } from '../model/exchanges.ts';
import { opensTurn, type Told } from '../model/told.ts';
import { ModelTurns } from '../model/turns.ts';
import type { World } from './world.ts';

/** Undoes a record, if it is live. Outside a race it is redone and undone again: that must give back the same prompts. */
export async function undo(world: World, number: number): Promise<void> {
  const records = await world.records();
  const record = records.all[number % Math.max(1, records.all.length)];
  if (record === undefined) return;
  const live = records.live().includes(record);
  const before = world.inBetween || !live ? null : await world.promptTexts();
  const refused = await refusal(world.session.undo(record.id));
  if (live === (refused !== null)) throw new Error(`undo of ${record.id}, live ${live}, refused ${!live}`);
  const states = await world.store.records(world.know.session.key);
  const wasUndone = states.find((state) => state.record.id === record.id)?.undone === true;
  if (refused !== null && refused.ids.length === 0 && !wasUndone)
    throw new Error(`undo of ${record.id} is refused and names nothing in its way`);
  world.disturbed ||= refused === null;
  if (before === null) return;
  await world.session.redo(record.id);
  const after = await world.promptTexts();
  for (const [reader, text] of before)
    if (after.get(reader) !== text)
      throw new Error(`undo and redo of ${record.id} changed the prompt of ${reader}`);
  await world.session.undo(record.id);
}

/** Restores an undone record, if nothing is in its way; what is must be named. */
export async function redo(world: World, number: number): Promise<void> {
  const { events, session } = world.know;
  const states = events.length === 0 ? [] : await world.store.records(session.key);
  const state = states[number % Math.max(1, states.length)];
  if (state === undefined) return;
  const inTheWay = (await world.records()).inTheWayOf(state.record);
  const refused = await refusal(world.session.redo(state.record.id));
  if (!state.undone) {
    if (refused === null) throw new Error(`redo of ${state.record.id}, which was not undone`);
    return;
  }
  const named = refused === null ? [] : refused.ids.toSorted();
  if (named.join() !== inTheWay.join())
    throw new Error(`redo of ${state.record.id} names [${named.join()}], in its way [${inTheWay.join()}]`);
}

/** Forks after an event, checks the fork as thoroughly as anything, and goes on there or back where it was. */
export async function forkAt(world: World, number: number, stay: boolean): Promise<void> {
  const { know } = world;
  const through = know.events.length === 0 ? 0 : (number % know.events.length) + 1;
  if (through === 0) return;
  const { key } = know.session;
  const to: SessionKey = {
    ...key,
    session: `${key.session}-${through}-${await world.store.sessions().then((all) => all.length)}`,
  };
  const session = await world.session.fork(through, to);
  const records = await world.records();
  const whole = records.within(through);
  const copied = (await world.store.records(to)).map(({ record }) => record.id as string);
  const expected = whole.filter((id) => copied.includes(id) || !records.maySplit(id, whole));
  if (copied.join() !== expected.join())
    throw new Error(`fork through ${through} has [${copied.join()}], should have [${expected.join()}]`);
  const events = know.events.slice(0, through);
  const exchanges = exchangesOf(events);
  world.know = {
    session,
    other: world.otherSession(to),
    events,
    written: know.written.slice(0, through),
    pinned: new Set(events.flatMap(({ seq }) => (know.pinned.has(seq) ? exchanges.members(seq) : []))),
    turns: turnsOver(events, () => world.clock.now),
    held: [],
    inherited: new Set(expected),
  };
  world.disturbed = true;
  await world.onRaced();
  if (!stay) world.know = know;
}

async function refusal(change: Promise<void>): Promise<RefusedError | null> {
  try {
    await change;
    return null;
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/** The turns of a fork: in the order they appear in it, and over. */
function turnsOver(events: readonly Told[], clock: () => number): ModelTurns {
  const turns = new ModelTurns(clock);
  for (const { seq, stored } of events) turns.heard(stored.invocation, seq, opensTurn(stored), false, 0);
  return turns;
}
