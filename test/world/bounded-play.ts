import * as fc from 'fast-check';
import type { DraftPart, EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { preparationFaults } from './bounded-faults.ts';
import { BoundedSession, type BoundedSettings } from './bounded-session.ts';

/** Tokens of one text. */
const size = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 80 }) },
  { weight: 8, arbitrary: fc.integer({ min: 80, max: 900 }) },
  { weight: 2, arbitrary: fc.integer({ min: 900, max: 5_000 }) },
  // Over any of the limits by itself.
  { weight: 1, arbitrary: fc.integer({ min: 13_000, max: 40_000 }) },
);

/** One reply that calls tools, some at once, and the sizes of their results. */
const round = fc.record({
  says: size,
  results: fc.array(size, { minLength: 1, maxLength: 5 }),
  /** What is owed for longer: an ask of a person, a call that runs on, nothing. */
  lasting: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('ask', 'long') },
  ),
});

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      lane: fc.nat({ max: 5 }),
      question: size,
      rounds: fc.array(round, { maxLength: 10, size: 'max' }),
      answer: size,
      end: fc.constantFrom('ended', 'ended', 'ended', 'failed', 'cancelled', null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('outside' as const),
      lane: fc.nat({ max: 5 }),
      sizes: fc.array(size, { maxLength: 30, size: 'max' }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('system' as const),
      lane: fc.nat({ max: 5 }),
      same: fc.boolean(),
      tokens: size,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pin' as const), event: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 11) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

/** Ways to set it up. */
export const settings: fc.Arbitrary<BoundedSettings> = fc.record({
  inputLimit: fc.constantFrom(4_000, 12_000, 30_000),
  overheadTokens: fc.constantFrom(0, 700),
  sliding: fc.constantFrom(null, { interval: 1 }, { interval: 3, overlap: 1 }),
  wordiness: fc.constantFrom(0.1, 1),
});

/** Plays steps; before each call of the model its request is prepared and looked at. */
export async function play(
  made: BoundedSettings,
  steps: readonly Step[],
  lanes: readonly Lane[],
): Promise<BoundedSession> {
  const world = new BoundedSession(made);
  for (const [index, each] of steps.entries()) {
    const place = 'lane' in each ? (lanes[each.lane % lanes.length] as Lane) : (lanes[0] as Lane);
    const lane = place.branch === 'fresh' ? { ...place, branch: `fresh${index}` } : place;
    await happen(world, each, lane);
  }
  if (world.events.length > 0) {
    const { problems } = await world.session.verify();
    if (problems.length > 0) throw new Error(`verify: ${JSON.stringify(problems)}`);
  }
  return world;
}

async function happen(world: BoundedSession, each: Step, lane: Lane): Promise<void> {
  switch (each.kind) {
    case 'turn': {
      const turn = await world.begin(lane);
      await world.tell(turn, lane, { role: 'user', content: world.text(each.question) });
      for (const one of each.rounds) {
        await check(world, lane);
        await world.tell(turn, lane, ...drafts(world, one));
      }
      await check(world, lane);
      await world.tell(turn, lane, { role: 'assistant', author: 'agent', content: world.text(each.answer) });
      if (each.end !== null) await world.end(turn, each.end);
      return;
    }
    case 'outside':
      await world.outside(
        each.sizes.map((tokens, at) => ({
          role: at % 2 === 0 ? 'user' : 'assistant',
          lane,
          content: world.text(tokens),
        })),
      );
      return;
    case 'system': {
      const content = each.same ? 'Be brief, and say when you do not know.' : world.text(each.tokens);
      await world.outside([{ role: 'system', lane, content }]);
      return;
    }
    case 'pin':
      if (world.events.length > 0) await world.pin((each.event % world.events.length) + 1);
      return;
    case 'wait':
      world.now += each.minutes * 60_000;
      return;
    default:
      each satisfies never;
  }
}

/** A reply with its calls, and their results, the last one first. */
function drafts(world: BoundedSession, { says, results, lasting }: Round): readonly EventDraft[] {
  const ids = results.map(() => `call${world.mark()}`);
  const calls = ids.map((id): DraftPart => ({ type: 'toolCall', id, name: 'look', input: { json: {} } }));
  const [first = ''] = ids;
  const reply: EventDraft = {
    role: 'assistant',
    author: 'agent',
    content: [{ type: 'text', text: world.text(says) }, ...calls],
    ...(lasting === 'long' ? { longRunning: [first] } : {}),
    ...(lasting === 'ask'
      ? { asks: [{ kind: 'confirmation' as const, id: `ask-${first}`, call: first }] }
      : {}),
  };
  const answers = ids.map((id, at): EventDraft => {
    const output = { parts: [{ type: 'text' as const, text: world.text(results[at] ?? 0) }] };
    return { role: 'tool', content: [{ type: 'toolResult', id, output }] };
  });
  return [reply, ...answers.slice(lasting === null ? 0 : 1).toReversed()];
}

async function check(world: BoundedSession, reader: Lane): Promise<void> {
  const preparation = await world.prepare(reader);
  const faults = await preparationFaults(world, preparation);
  if (faults.length > 0) throw new Error(`at event ${world.events.length}: ${faults.join('; ')}`);
}

/** The root lane alone. */
export const ONE_LANE: readonly Lane[] = [{ branch: '', isolation: '' }];
/** Lanes that see one another, and some that do not; the last is a new one each time. */
export const MANY_LANES: readonly Lane[] = [
  { branch: '', isolation: '' },
  { branch: 'a', isolation: '' },
  { branch: 'b', isolation: '' },
  { branch: 'a.deep', isolation: '' },
  { branch: '', isolation: 'task' },
  { branch: 'fresh', isolation: '' },
];

/** What happens to a session. */
export const steps = fc.array(step, { maxLength: 16, size: 'max' });
