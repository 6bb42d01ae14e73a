import * as fc from 'fast-check';

/** How a call's or a result's id is given. */
export type IdMode = 'given' | 'missing' | 'reused' | 'unknown';

/** One thing that happens to a session. Numbers name what there is at that moment, modulo how much there is. */
export type Operation =
  /** A turn: question, a reply with calls, their results in some order (or not at all), an answer; then it ends. */
  | {
      readonly kind: 'turn';
      readonly lane: number;
      readonly size: number;
      readonly calls: number;
      readonly results: number;
    }
  /** Opens a turn, or resumes an old one; with a question or without. */
  | {
      readonly kind: 'begin';
      readonly lane: number;
      readonly resume: number | null;
      readonly asks: boolean;
      readonly size: number;
    }
  | {
      readonly kind: 'say';
      readonly turn: number;
      readonly lane: number | null;
      readonly role: number;
      readonly size: number;
      readonly reply: number | null;
    }
  | {
      readonly kind: 'call';
      readonly turn: number;
      readonly lane: number | null;
      readonly count: number;
      readonly ids: IdMode;
      readonly longRunning: boolean;
      readonly reply: number | null;
    }
  | {
      readonly kind: 'result';
      readonly turn: number;
      readonly owed: number;
      readonly ids: IdMode;
      readonly elsewhere: number | null;
      readonly size: number;
      readonly twice: boolean;
      /** Another call that the same event answers: their exchanges are one from then on. */
      readonly and: number | null;
    }
  | {
      readonly kind: 'ask';
      readonly turn: number;
      readonly lane: number | null;
      readonly about: number | null;
    }
  | {
      readonly kind: 'settle';
      readonly turn: number;
      readonly owed: number;
      readonly elsewhere: number | null;
      readonly byUser: boolean;
    }
  | {
      readonly kind: 'end';
      readonly turn: number;
      readonly state: 'ended' | 'failed' | 'cancelled';
      readonly race: readonly Raced[];
    }
  /** Its process is gone: nothing ends the turn but the store's clock. */
  | { readonly kind: 'kill'; readonly turn: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'outside'; readonly lane: number; readonly role: number; readonly size: number }
  /** An append that is sent again. */
  | { readonly kind: 'retry'; readonly event: number }
  | {
      readonly kind: 'compact';
      readonly lane: number;
      readonly keep: number;
      readonly interval: number | null;
      readonly race: readonly Raced[];
    }
  | { readonly kind: 'pin'; readonly event: number }
  | { readonly kind: 'unpin'; readonly event: number }
  | { readonly kind: 'undo'; readonly record: number }
  | { readonly kind: 'redo'; readonly record: number }
  | { readonly kind: 'fork'; readonly through: number; readonly stay: boolean }
  | { readonly kind: 'summarizer'; readonly mood: Mood };

/** What happens while the engine waits: before the n-th of its awaits, counted from the last thing that happened. */
export interface Raced {
  readonly after: number;
  readonly operation: Operation;
}

/** How the summarizer behaves from now on. */
export type Mood = 'healthy' | 'throws' | 'declines' | 'blank' | 'echoes' | 'hangs' | 'mutates';

const small = fc.nat({ max: 7 });
const any = fc.nat({ max: 63 });
const size = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat({ max: 30 }) },
  // Large enough to be shown cut.
  { weight: 1, arbitrary: fc.constant(301) },
);
const elsewhere = fc.option(small, { freq: 3 });
const ids = fc.oneof(
  { weight: 6, arbitrary: fc.constant<IdMode>('given') },
  { weight: 2, arbitrary: fc.constantFrom<IdMode>('missing', 'reused', 'unknown') },
);

const told = {
  say: fc.record({
    kind: fc.constant('say' as const),
    turn: small,
    lane: elsewhere,
    role: small,
    size,
    reply: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
  }),
  call: fc.record({
    kind: fc.constant('call' as const),
    turn: small,
    lane: elsewhere,
    count: fc.nat({ max: 2 }),
    ids,
    longRunning: fc.boolean(),
    reply: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
  }),
  result: fc.record({
    kind: fc.constant('result' as const),
    turn: small,
    owed: any,
    ids,
    elsewhere,
    size,
    twice: fc.boolean(),
    and: fc.option(any, { freq: 2 }),
  }),
  ask: fc.record({
    kind: fc.constant('ask' as const),
    turn: small,
    lane: elsewhere,
    about: fc.option(any, { freq: 2 }),
  }),
  settle: fc.record({
    kind: fc.constant('settle' as const),
    turn: small,
    owed: any,
    elsewhere,
    byUser: fc.boolean(),
  }),
  outside: fc.record({ kind: fc.constant('outside' as const), lane: small, role: small, size }),
  retry: fc.record({ kind: fc.constant('retry' as const), event: any }),
};
const marked = {
  pin: fc.record({ kind: fc.constant('pin' as const), event: any }),
  unpin: fc.record({ kind: fc.constant('unpin' as const), event: any }),
  undo: fc.record({ kind: fc.constant('undo' as const), record: any }),
  redo: fc.record({ kind: fc.constant('redo' as const), record: any }),
};
const begin = fc.record({
  kind: fc.constant('begin' as const),
  lane: small,
  resume: fc.option(any, { freq: 3 }),
  asks: fc.boolean(),
  size,
});
const wait = fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 11, 700) });
const kill = fc.record({ kind: fc.constant('kill' as const), turn: small });

/** What may happen while the engine waits. */
const raced: fc.Arbitrary<Raced> = fc.record({
  after: fc.nat({ max: 6 }),
  operation: fc.oneof(
    told.say,
    told.call,
    told.result,
    told.settle,
    told.outside,
    marked.pin,
    marked.unpin,
    marked.undo,
    marked.redo,
    begin,
    wait,
    fc.record({
      kind: fc.constant('end' as const),
      turn: small,
      state: fc.constantFrom('ended', 'failed', 'cancelled'),
      race: fc.constant([]),
    }),
    fc.record({
      kind: fc.constant('compact' as const),
      lane: small,
      keep: fc.nat({ max: 5 }),
      interval: fc.option(fc.integer({ min: 1, max: 3 })),
      race: fc.constant([]),
    }),
  ),
});
const race = fc.oneof(
  { weight: 2, arbitrary: fc.constant<readonly Raced[]>([]) },
  { weight: 1, arbitrary: fc.array(raced, { maxLength: 4 }) },
);

const turn = fc.record({
  kind: fc.constant('turn' as const),
  lane: small,
  size,
  calls: fc.nat({ max: 3 }),
  results: fc.nat({ max: 5 }),
});

/** Anything that can happen to a session. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 10, arbitrary: turn },
  { weight: 5, arbitrary: begin },
  { weight: 4, arbitrary: told.say },
  { weight: 4, arbitrary: told.call },
  { weight: 6, arbitrary: told.result },
  { weight: 2, arbitrary: told.ask },
  { weight: 2, arbitrary: told.settle },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      turn: small,
      state: fc.constantFrom('ended', 'ended', 'ended', 'failed', 'cancelled'),
      race,
    }),
  },
  { weight: 1, arbitrary: kill },
  { weight: 1, arbitrary: wait },
  { weight: 2, arbitrary: told.outside },
  { weight: 1, arbitrary: told.retry },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('compact' as const),
      lane: small,
      keep: fc.nat({ max: 5 }),
      interval: fc.option(fc.integer({ min: 1, max: 3 })),
      race,
    }),
  },
  { weight: 2, arbitrary: marked.pin },
  { weight: 1, arbitrary: marked.unpin },
  { weight: 2, arbitrary: marked.undo },
  { weight: 2, arbitrary: marked.redo },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('fork' as const), through: any, stay: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('summarizer' as const),
      mood: fc.constantFrom<Mood>(
        'healthy',
        'healthy',
        'throws',
        'declines',
        'blank',
        'echoes',
        'hangs',
        'mutates',
      ),
    }),
  },
);
