import * as fc from 'fast-check';
import type { EventDraft } from '../event/event.ts';
import type { Lane } from '../event/lane.ts';

/** Few names, so that ids are reused, invocations resumed and lanes interleaved. */
export const LANES: readonly Lane[] = [
  { branch: '', isolation: '' },
  { branch: 'a', isolation: '' },
  { branch: 'a.c', isolation: '' },
  { branch: 'b', isolation: '' },
  { branch: '', isolation: 'task' },
  { branch: 'x', isolation: 'task' },
];

/** One step. Numbers choose among what is there when the step is taken: the n-th event, record or lane, modulo how many. */
export type Operation =
  | { readonly type: 'append'; readonly drafts: readonly EventDraft[]; readonly running: boolean }
  | { readonly type: 'begin'; readonly invocation: string; readonly lane: number }
  | { readonly type: 'end'; readonly invocation: string; readonly state: 'ended' | 'failed' | 'cancelled' }
  | { readonly type: 'renew'; readonly invocation: string }
  | { readonly type: 'wait'; readonly milliseconds: number }
  | { readonly type: 'pin'; readonly event: number; readonly pinned: boolean }
  | {
      readonly type: 'compact';
      readonly lane: number;
      readonly rootView: boolean;
      /** Of the scope's raw events, of its live records, or of both. */
      readonly mode: 'window' | 'merge' | 'both';
      /** Which of the candidates, by bit; the first two where that is none. */
      readonly pick: number;
      /** From all events of the scope instead of the raw ones: mostly refused. */
      readonly anything: boolean;
      /** Which live records of the scope to supersede, by bit; all where that is none; bit 10 picks from all there are. */
      readonly supersede: number;
      readonly fault: 'none' | 'members' | 'revision' | 'ends' | 'keep' | 'fail';
    }
  | { readonly type: 'undo'; readonly record: number }
  | { readonly type: 'redo'; readonly record: number }
  | { readonly type: 'fork'; readonly event: number }
  | { readonly type: 'switch'; readonly session: number };

/** Mostly the first two, so that records pile up there. */
const often = [0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5] as const;
const laneIndex = fc.constantFrom(...often);
const laneOf = laneIndex.map((at) => LANES[at] as Lane);
const invocation = fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5');
const callId = fc.constantFrom('c1', 'c2', 'c3', '');
const toolName = fc.constantFrom('read', 'write');
const part = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('toolCall' as const),
      id: callId,
      name: toolName,
      input: fc.constant({ json: {} }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('toolResult' as const),
      id: callId,
      name: fc.constantFrom('read', 'write', ''),
      output: fc.constant({ json: 1 }),
    }),
  },
);
const ask = fc.record({
  kind: fc.constantFrom('confirmation' as const, 'authorization' as const),
  id: fc.constantFrom('q1', 'q2'),
  call: callId,
});
/** Mostly none, so that few batches are refused for what another one said. */
const eventId = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('e1', 'e2', 'e3', 'e4', 'e5') },
);
const draft: fc.Arbitrary<EventDraft> = fc.record(
  {
    invocation,
    lane: laneOf,
    role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const, 'system' as const),
    content: fc.array(part, { minLength: 1, maxLength: 3 }),
    reply: fc.constantFrom('r1', 'r2'),
    longRunning: fc.constant(['c1']),
    asks: fc.array(ask, { maxLength: 2 }),
    answers: fc.array(fc.constantFrom('q1', 'q2'), { maxLength: 2 }),
  },
  { requiredKeys: ['role', 'content', 'lane'] },
);
const identified = fc
  .tuple(draft, eventId)
  .map(([said, id]): EventDraft => (id === undefined ? said : { ...said, id }));
const index = fc.nat({ max: 1000 });
const append: fc.Arbitrary<Operation> = fc.record({
  type: fc.constant('append' as const),
  drafts: fc.array(identified, { minLength: 1, maxLength: 8, size: 'max' }),
  running: fc.constantFrom(false, false, true),
});
const compact: fc.Arbitrary<Operation> = fc.record({
  type: fc.constant('compact' as const),
  lane: laneIndex,
  rootView: fc.constantFrom(false, false, true),
  mode: fc.constantFrom('window', 'window', 'window', 'merge', 'both'),
  pick: fc.oneof(fc.constantFrom(0, 0b11, 0b1111, 0b110011, 0x0fffff, 0xffffff), fc.nat({ max: 0xffffff })),
  anything: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
  supersede: fc.constantFrom(0, 0b11, 0b110, 0b111, 0x3ff, 0x3ff, 0x7ff, 0x401),
  fault: fc.constantFrom(
    ...Array.from({ length: 20 }, () => 'none' as const),
    ...(['members', 'revision', 'ends', 'keep', 'fail'] as const),
  ),
});

const later = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: append },
    { weight: 9, arbitrary: compact },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('begin' as const), invocation, lane: index }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('end' as const),
        invocation,
        state: fc.constantFrom('ended' as const, 'failed' as const, 'cancelled' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('renew' as const), invocation }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('wait' as const),
        milliseconds: fc.constantFrom(1, 100, 5000),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('pin' as const), event: index, pinned: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('undo' as const), record: index }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('redo' as const), record: index }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('fork' as const), event: index }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('switch' as const), session: index }) },
  ),
  { minLength: 10, maxLength: 50, size: 'max' },
);

/** Two batches, and what comes after. */
export const operations: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(append, append, later)
  .map(([first, second, rest]) => [first, second, ...rest]);

/** Plain events of two lanes, and many records over them: lane by lane, at the root, merged, undone, redone. */
export const compactions: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.array(fc.constantFrom(0, 1), { minLength: 8, maxLength: 20, size: 'max' }),
    fc.array(
      fc.oneof(
        { weight: 8, arbitrary: compact },
        { weight: 3, arbitrary: fc.record({ type: fc.constant('undo' as const), record: index }) },
        { weight: 2, arbitrary: fc.record({ type: fc.constant('redo' as const), record: index }) },
        {
          weight: 1,
          arbitrary: fc.record({ type: fc.constant('pin' as const), event: index, pinned: fc.boolean() }),
        },
      ),
      { minLength: 5, maxLength: 30, size: 'max' },
    ),
  )
  .map(([lanes, rest]): readonly Operation[] => [
    {
      type: 'append',
      running: false,
      drafts: lanes.map((at) => ({ role: 'user', content: 'x', lane: LANES[at] as Lane })),
    },
    ...rest,
  ]);
