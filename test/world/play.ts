import * as fc from 'fast-check';
import { backlogFaults, worldFaults } from './check-world.ts';
import { heldBackFaults } from './held-back.ts';
import type { Operation } from './operations.ts';
import { newWorld } from './perform.ts';
import type { MakeStore, World, WorldSettings } from './world.ts';

/** Ways to set up a session. */
export const anySettings: fc.Arbitrary<WorldSettings> = fc.record({
  interval: fc.constantFrom(1, 2, 3, null),
  overlap: fc.nat({ max: 2 }),
  minimumTokens: fc.constantFrom(1, 60, 300),
  callLimit: fc.constantFrom(null, null, 4_000),
});

/** Operations after which there is nothing new to check. */
const quiet: ReadonlySet<Operation['kind']> = new Set(['say', 'call', 'begin', 'kill', 'summarizer', 'wait']);

/** The faults of a session, by the operation that showed them first. */
export class Faulty extends Error {
  constructor(after: string, faults: readonly string[]) {
    super(`after ${after}:\n  ${faults.slice(0, 6).join('\n  ')}`);
  }
}

/** Plays operations in a world of those settings. Throws what the oracle finds wrong as soon as it does. */
export async function play(
  settings: WorldSettings,
  operations: readonly Operation[],
  makeStore?: MakeStore,
): Promise<World> {
  const world = await newWorld(settings, makeStore);
  const refuse = (after: string, faults: readonly string[]): void => {
    if (faults.length > 0) throw new Faulty(after, faults);
  };
  world.onRaced = async () => {
    refuse('a race', await worldFaults(world, { quiet: false, readers: [{ branch: '', isolation: '' }] }));
  };
  let known = 0;
  for (const [index, operation] of operations.entries()) {
    const ending =
      operation.kind === 'end' ? world.know.held[operation.turn % world.know.held.length] : undefined;
    const after = `${index}: ${JSON.stringify(operation)}`;
    await world.perform(operation);
    const last = index === operations.length - 1;
    if (last || !quiet.has(operation.kind))
      refuse(after, await worldFaults(world, { quiet: true, requests: last }));
    const records = await world.records();
    const calm = !('race' in operation) || operation.race.length === 0;
    if (calm) refuse(after, heldBackFaults(world, records, records.all.slice(known)));
    known = records.all.length;
    if (ending === undefined || operation.kind !== 'end' || operation.state !== 'ended') continue;
    const turns = await world.store.invocations(world.know.session.key);
    const ended = turns.find(({ id }) => id === ending.mine.invocation);
    if (ended?.state === 'ended') refuse(after, await backlogFaults(world, ended.lanes));
  }
  return world;
}
