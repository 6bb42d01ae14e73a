// G9 and the bound on live summaries, by the planner alone over a model that knows what a commit allows. What is allowed
// comes from the binomial in the model, not from the planner.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompactionRecord } from '../../src/coverage/record.ts';
import type { View } from '../../src/coverage/view.ts';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { planRollUp, type RollUpPolicy, withRollUp } from '../../src/plan/roll-up.ts';
import { runsOf } from '../properties/runs.ts';
import { type Fact, fewestRewrites, type Held, RollUpModel, worstOf } from './roll-up-model.ts';

const LANES: readonly Lane[] = [
  ROOT_LANE,
  ...['left', 'right', 'right.deep'].map((branch) => ({ branch, isolation: '' })),
];

/** Merges what a view's policy says until there is nothing; how many merges that took. */
function merge(model: RollUpModel, lane: Lane, policy: RollUpPolicy): number {
  const scope = lane === ROOT_LANE ? 'reader' : 'lane';
  for (let merges = 0; ; merges += 1) {
    const plan = planRollUp(model.view(lane, scope), policy, []);
    if (plan.kind === 'nothing') return merges;
    model.commit(plan);
  }
}

/** Windows of the root lane at these seqs, in this order. */
function playRoot(
  seqs: Iterable<number>,
  policy: RollUpPolicy,
  options: { readonly atOnce?: boolean; readonly after?: (model: RollUpModel) => void } = {},
): RollUpModel {
  const model = new RollUpModel();
  for (const seq of seqs) {
    const plan = model.window([{ seq, lane: ROOT_LANE }]);
    const view = model.view(ROOT_LANE, 'reader');
    model.commit(options.atOnce === true ? withRollUp(plan, view, policy, []) : plan);
    merge(model, ROOT_LANE, policy);
    options.after?.(model);
  }
  return model;
}

function* upTo(last: number): Iterable<number> {
  for (let seq = 1; seq <= last; seq += 1) yield seq;
}

function most(maxLive: number): RollUpPolicy {
  return { maxLive, maxSummariesTokens: null };
}

function levelsTell(held: readonly Held[]): boolean {
  return held.every((each) => worstOf([each]) < each.record.level);
}

describe('roll-up of windows in order', () => {
  // Few places rewrite so often that the model takes its time over 10,000 windows.
  const LENGTHS: ReadonlyMap<number, number> = new Map([
    [1, 500],
    [2, 2_000],
    [3, 5_000],
  ]);

  it.for(Array.from({ length: 16 }, (_, at) => at + 1))(
    'keeps at most %i live, and rewrites nothing more often than that many allow',
    (maxLive) => {
      const windows = LENGTHS.get(maxLive) ?? 10_000;
      let live = 0;
      const model = playRoot(upTo(windows), most(maxLive), {
        after: (now) => {
          live = Math.max(live, now.live().length);
        },
      });
      expect(live).toBe(maxLive);
      expect(worstOf(model.live())).toBeLessThanOrEqual(fewestRewrites(maxLive, windows));
      expect(levelsTell(model.live())).toBe(true);
      expect(model.merges).toBeLessThan(windows);
      expect(model.live().reduce((sum, held) => sum + held.rewrites.size, 0)).toBe(windows);
    },
  );

  it('asks once for a window and the merge it sets off', () => {
    for (const maxLive of [1, 2, 3, 8, 12]) {
      const model = playRoot(upTo(400), most(maxLive), { atOnce: true });
      expect(model.merges).toBe(0);
      expect(model.live().length).toBeLessThanOrEqual(maxLive);
      expect(worstOf(model.live())).toBeLessThanOrEqual(fewestRewrites(maxLive, 400));
    }
  });

  it('is as good at any moment, for any K and any bursts of windows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 }),
        (maxLive, bursts) => {
          const model = new RollUpModel();
          let seq = 0;
          for (const burst of bursts) {
            for (const end = seq + burst; seq < end; seq += 1)
              model.commit(model.window([{ seq: seq + 1, lane: ROOT_LANE }]));
            const merges = merge(model, ROOT_LANE, most(maxLive));
            expect(merges).toBeLessThanOrEqual(burst);
            expect(model.live().length).toBeLessThanOrEqual(maxLive);
            expect(worstOf(model.live())).toBeLessThanOrEqual(fewestRewrites(maxLive, seq));
          }
        },
      ),
      { numRuns: runsOf(60) },
    );
  });
});

describe('roll-up of windows that fill old holes', () => {
  // Lanes drained one after the other: all windows of one, then all of the next from the beginning.
  it('rewrites no more where histories are drained one after the other', () => {
    for (const maxLive of [2, 3, 4, 8, 12, 16]) {
      for (const lanes of [2, 8]) {
        const seqs = Array.from({ length: lanes }, (_, lane) =>
          [...upTo(1_600)].filter((seq) => seq % lanes === lane),
        ).flat();
        const model = playRoot(seqs, most(maxLive));
        expect(model.live().length).toBeLessThanOrEqual(maxLive);
        expect(worstOf(model.live())).toBeLessThanOrEqual(fewestRewrites(maxLive, seqs.length));
      }
    }
  });

  it('rewrites at most once more for each window that comes late', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 20, max: 300 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        (maxLive, windows, late) => {
          const held = new Set(late.map((seq) => 1 + (seq % windows)));
          const inOrder = [...upTo(windows)].filter((seq) => !held.has(seq));
          const seqs = [...inOrder];
          for (const [at, seq] of [...held].entries())
            seqs.splice(seqs.length - Math.floor((at * inOrder.length) / 10), 0, seq);
          const model = playRoot(seqs, most(maxLive), {
            after: (now) => expect(now.live().length).toBeLessThanOrEqual(maxLive),
          });
          const allowed = fewestRewrites(maxLive, windows) + held.size;
          expect(worstOf(model.live())).toBeLessThanOrEqual(allowed);
        },
      ),
      { numRuns: runsOf(60) },
    );
  });
});

describe('roll-up after an undo', () => {
  it('leaves what was parted as it is, and the rest as bounded as before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 16 }),
        fc.integer({ min: 20, max: 400 }),
        fc.array(fc.tuple(fc.nat(399), fc.nat()), { minLength: 1, maxLength: 3 }),
        (maxLive, windows, undos) => {
          const model = new RollUpModel();
          const undone: CompactionRecord[] = [];
          for (const seq of upTo(windows)) {
            model.commit(model.window([{ seq, lane: ROOT_LANE }]));
            merge(model, ROOT_LANE, most(maxLive));
            for (const [at, which] of undos) {
              const merged = model.live().filter(({ record }) => record.supersedes.length > 1);
              const held = merged[which % Math.max(1, merged.length)];
              if (at !== seq || held === undefined) continue;
              model.undo(held.record.id);
              undone.push(held.record);
              merge(model, ROOT_LANE, most(maxLive));
            }
            const live = new Set(model.live().map(({ record }) => record.id));
            const gone = new Set(undone.map(({ id }) => id));
            const broughtBack = undone.map(({ supersedes }) => supersedes.filter((id) => !gone.has(id)));
            const parted = broughtBack.filter((ids) => ids.length > 1);
            // What an undo brought back stays.
            for (const id of parted.flat()) expect(live.has(id)).toBe(true);
            // Each set takes one place and parts the rest into one stretch more, which takes one at the least.
            const places = Math.max(maxLive - parted.length, parted.length + 1);
            expect(live.size - new Set(parted.flat()).size).toBeLessThanOrEqual(places);
          }
          const left = maxLive - 2 * undone.length;
          if (left < 1) return;
          expect(worstOf(model.live())).toBeLessThanOrEqual(fewestRewrites(left, windows));
        },
      ),
      { numRuns: runsOf(60) },
    );
  });
});

/** What happens in a session of several lanes. */
type Happening =
  | { readonly kind: 'window'; readonly lane: number }
  | { readonly kind: 'rootView'; readonly lanes: readonly number[] }
  | { readonly kind: 'inside'; readonly which: number }
  | { readonly kind: 'undo'; readonly which: number };

const lane = fc.nat(LANES.length - 1);
const undo: fc.Arbitrary<Happening> = fc.record({ kind: fc.constant('undo' as const), which: fc.nat() });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('window' as const), lane }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rootView' as const),
      lanes: fc.array(lane, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('inside' as const), which: fc.nat() }) },
);

/** A session of several lanes, as the engine would roll it up: the root first, then every lane. */
class Session {
  readonly model = new RollUpModel();
  /** How often a window of its lane was made inside a root view that holds the fact, by its seq. */
  readonly #inside = new Map<number, number>();
  readonly #policy: RollUpPolicy;
  readonly #atOnce: boolean;
  /** Facts a root view covers and no record of their lane. */
  #raw: Fact[] = [];
  #seq = 0;

  constructor(policy: RollUpPolicy, atOnce: boolean) {
    this.#policy = policy;
    this.#atOnce = atOnce;
  }

  happen(what: Happening): void {
    switch (what.kind) {
      case 'window':
        this.#cover(this.model.window([this.#fact(what.lane)]));
        break;
      case 'rootView': {
        const facts = what.lanes.map((each) => this.#fact(each));
        this.#raw.push(...facts);
        this.#cover(this.model.rootWindow(facts));
        break;
      }
      case 'inside':
        this.#coverInside(what.which);
        break;
      case 'undo': {
        const merged = this.model
          .live()
          .filter(({ record: { supersedes, over } }) => supersedes.length + over.length > 1);
        const held = merged[what.which % Math.max(1, merged.length)];
        if (held !== undefined) this.model.undo(held.record.id);
        break;
      }
      default:
        what satisfies never;
    }
    merge(this.model, ROOT_LANE, this.#policy);
    for (const each of LANES) merge(this.model, { ...each }, this.#policy);
  }

  /** No fact of a lane was rewritten more often than at the root, but for the windows made beside it inside a root view. */
  mostAllowed(seq: number): number {
    return fewestRewrites(this.#policy.maxLive, this.model.windows) + (this.#inside.get(seq) ?? 0);
  }

  #fact(at: number): Fact {
    this.#seq += 1;
    return { seq: this.#seq, lane: LANES[at] ?? ROOT_LANE };
  }

  #coverInside(which: number): void {
    const one = this.#raw[which % Math.max(1, this.#raw.length)];
    if (one === undefined) return;
    const under = underOf(this.model.window([one]));
    const beside = (fact: Fact): boolean =>
      fact.lane === one.lane && underOf(this.model.window([fact])) === under;
    const facts = this.#raw.filter(beside).sort((a, b) => a.seq - b.seq);
    // A root view that was undone: the root sees them raw.
    if (under === null) return;
    this.#raw = this.#raw.filter((fact) => !facts.includes(fact));
    for (const held of this.model.seen(one.lane, 'lane')) {
      if (this.model.underOf(held) !== under) continue;
      for (const seq of held.rewrites.keys()) this.#inside.set(seq, (this.#inside.get(seq) ?? 0) + 1);
    }
    this.#cover(this.model.window(facts));
  }

  #cover(plan: Plan): void {
    if (!this.#atOnce || plan.kind === 'nothing') {
      this.model.commit(plan);
      return;
    }
    const { window } = plan;
    const seenAtRoot = window.rootView || (underOf(plan) === null && window.lane.branch === '');
    const view = seenAtRoot ? this.model.view(ROOT_LANE, 'reader') : this.model.view(window.lane, 'lane');
    this.model.commit(withRollUp(plan, view, this.#policy, []));
  }
}

function underOf(plan: Plan): string | null {
  return plan.kind === 'window' ? (plan.window.events[0]?.under ?? null) : null;
}

describe('roll-up of several lanes and root views', () => {
  it('is bounded for the root and for every lane, and rewrites no more than one lane would', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        fc.boolean(),
        fc.array(happening, { minLength: 30, maxLength: 300 }),
        (maxLive, atOnce, happenings) => {
          const session = new Session(most(maxLive), atOnce);
          const { model } = session;
          for (const what of happenings) {
            session.happen(what);
            expect(model.seen(ROOT_LANE, 'reader').length).toBeLessThanOrEqual(maxLive);
            for (const each of LANES) expect(model.seen(each, 'lane').length).toBeLessThanOrEqual(maxLive);
          }
          const root = model.seen(ROOT_LANE, 'reader');
          expect(worstOf(root)).toBeLessThanOrEqual(fewestRewrites(maxLive, model.windows));
          expect(levelsTell(model.live())).toBe(true);
          for (const { record, rewrites } of model.live()) {
            if (record.rootView) continue;
            for (const [seq, times] of rewrites) expect(times).toBeLessThanOrEqual(session.mostAllowed(seq));
          }
        },
      ),
      { numRuns: runsOf(60) },
    );
  });
});

/** Whether any two summaries of a view could be merged: neighbours, or inside one root view, and not parted by an undo. */
function isMergeable({ records, parted }: View): boolean {
  const free = (id: string): boolean => !parted.flat().some((each) => each === id);
  return records.some((one, at) =>
    records
      .slice(at + 1)
      .some(
        (other, next) =>
          free(one.record.id) &&
          free(other.record.id) &&
          one.under === other.under &&
          (next === 0 || one.under !== null),
      ),
  );
}

describe('roll-up of several lanes with undone merges', () => {
  it('stops only where K is kept or nothing can be merged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.oneof({ weight: 30, arbitrary: happening }, { weight: 1, arbitrary: undo }), {
          minLength: 30,
          maxLength: 200,
        }),
        (maxLive, happenings) => {
          const session = new Session(most(maxLive), false);
          for (const what of happenings) {
            session.happen(what);
            for (const each of LANES) {
              const view = session.model.view(each, each === ROOT_LANE ? 'reader' : 'lane');
              const apart = new Set(view.parted.flat()).size - view.parted.length;
              const places = view.records.length - Math.max(0, apart);
              expect(places <= maxLive || !isMergeable(view)).toBe(true);
            }
          }
        },
      ),
      { numRuns: runsOf(40) },
    );
  });
});

describe('a bound on tokens', () => {
  it('is kept while two summaries are left, whatever each takes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 120 }),
        (maxLive, maxSummariesTokens, sizes) => {
          let window = 0;
          const model = new RollUpModel((_level, from) => {
            const leaves = from.reduce((sum, record) => sum + record.tokens.summary, 0);
            // A merge is only ever committed when it is smaller than what it replaces.
            return from.length === 0 ? (sizes[window] ?? 1) : Math.max(1, Math.floor(leaves * 0.6));
          });
          for (const seq of upTo(sizes.length)) {
            window = seq - 1;
            model.commit(model.window([{ seq, lane: ROOT_LANE }]));
            merge(model, ROOT_LANE, { maxLive, maxSummariesTokens });
            const live = model.live();
            const tokens = live.reduce((sum, { record }) => sum + record.tokens.summary, 0);
            expect(live.length).toBeLessThanOrEqual(maxLive);
            expect(live.length === 1 || tokens <= maxSummariesTokens).toBe(true);
          }
        },
      ),
      { numRuns: runsOf(60) },
    );
  });
});
