import type { CompactionRecord } from '../../src/coverage/record.ts';
import type { LiveRecord, RawEvent, View, ViewScope } from '../../src/coverage/view.ts';
import type { AttemptId, EventId, InvocationId, LaneKey, RecordId } from '../../src/event/ids.ts';
import { isRootBranch, type Lane, laneKey, sameLane } from '../../src/event/lane.ts';
import { planOf } from '../../src/plan/make-window.ts';
import type { Plan } from '../../src/plan/plan.ts';

/** One thing to be remembered: an event, as far as roll-up is concerned. */
export interface Fact {
  readonly seq: number;
  readonly lane: Lane;
}

/** A record of the model, and how often each fact in it was written again, by seq. */
export interface Held {
  readonly record: CompactionRecord;
  readonly rewrites: ReadonlyMap<number, number>;
  readonly firstSeq: number;
  readonly lastSeq: number;
  undone: boolean;
}

/** A summary's tokens, by the level of its record and the records it was made from. */
export type SummaryTokens = (level: number, from: readonly CompactionRecord[]) => number;

/**
 * Facts, windows over them and what roll-up makes of these: no store and no summarizer. It knows the rules of a commit by
 * itself, and throws when a plan breaks one.
 */
export class RollUpModel {
  /** Summarizer's calls for merges alone: a window that replaces what it is merged with needs none of its own. */
  merges = 0;
  windows = 0;
  invocations = 0;
  readonly #tokens: SummaryTokens;
  readonly #held = new Map<RecordId, Held>();
  readonly #live = new Map<RecordId, Held>();
  readonly #undone: CompactionRecord[] = [];
  readonly #lanes = new Map<LaneKey, Lane>();

  constructor(tokens: SummaryTokens = () => 100) {
    this.#tokens = tokens;
  }

  /** The plan of a window of one lane: `facts` lie in one live root view, or in none. */
  window(facts: readonly Fact[]): Plan {
    const [{ lane }] = facts as readonly [Fact, ...Fact[]];
    return this.#windowPlan(facts, lane, false);
  }

  /** The plan of a root view over facts of any lanes that no record the root sees covers. */
  rootWindow(facts: readonly Fact[]): Plan {
    const [{ lane }] = facts as readonly [Fact, ...Fact[]];
    return this.#windowPlan(facts, { branch: '', isolation: lane.isolation }, true);
  }

  /** Makes the record a plan says. */
  commit(plan: Plan): Held {
    if (plan.kind === 'nothing') throw new Error(`nothing to commit: ${plan.reason}`);
    const { lane, rootView, supersedes, over, events, spans } = plan.window;
    const from = [...supersedes, ...over].map((id) => this.#mustBeLive(id));
    this.#judge(plan, from);
    const rewrites = new Map<number, number>();
    for (const source of from)
      for (const [fact, times] of source.rewrites) {
        must(!rewrites.has(fact), 'covers a fact twice');
        rewrites.set(fact, times + 1);
      }
    for (const { event } of events) {
      must(!rewrites.has(event.seq), 'covers a fact twice');
      rewrites.set(event.seq, 0);
    }
    if (events.length === 0) this.merges += 1;
    else this.windows += 1;
    const records = from.map((source) => source.record);
    const level = 1 + Math.max(0, ...records.map((record) => record.level));
    const record: CompactionRecord = {
      id: `r${this.#held.size + 1}` as RecordId,
      revision: this.#held.size + 1,
      lane,
      rootView,
      spans,
      context: [],
      level,
      supersedes,
      over,
      summary: { format: 'prose', text: '', literals: [] },
      literals: { found: 0, kept: 0 },
      nonce: '',
      strategy: plan.strategy,
      basis: plan.basis,
      digest: '',
      model: { summarizer: 'model' },
      fingerprint: '',
      tokens: { covered: rewrites.size, summary: this.#tokens(level, records) },
      events: rewrites.size,
      attempt: 'a' as AttemptId,
      createdAt: '',
    };
    const seqs = events.map(({ event }) => event.seq);
    const firstSeq = Math.min(...seqs, ...from.map((source) => source.firstSeq));
    const lastSeq = Math.max(...seqs, ...from.map((source) => source.lastSeq));
    const made: Held = { record, rewrites, firstSeq, lastSeq, undone: false };
    this.#held.set(record.id, made);
    for (const id of supersedes) this.#live.delete(id);
    this.#live.set(record.id, made);
    return made;
  }

  /** Revokes a live record; what it replaced is live again. False where that would leave a lane's record across the edge of a root view. */
  undo(id: RecordId): boolean {
    const held = this.#mustBeLive(id);
    const before = new Map(this.#live);
    this.#live.delete(id);
    for (const replaced of held.record.supersedes) {
      const again = this.#held.get(replaced);
      if (again !== undefined && !again.undone) this.#live.set(replaced, again);
    }
    if (this.live().every((each) => each.record.rootView || this.#liesInOne(each))) {
      held.undone = true;
      this.#undone.push(held.record);
      return true;
    }
    this.#live.clear();
    for (const [each, state] of before) this.#live.set(each, state);
    return false;
  }

  live(): readonly Held[] {
    return [...this.#live.values()];
  }

  /** What a view of that scope shows. */
  seen(lane: Lane, scope: ViewScope): readonly Held[] {
    return this.live().filter((held) => {
      const { record } = held;
      if (record.lane.isolation !== lane.isolation) return false;
      if (scope === 'reader' && isRootBranch(lane)) return this.underOf(held) === null;
      return !record.rootView && sameLane(record.lane, lane);
    });
  }

  /** The live root view a lane's record lies in. */
  underOf({ record, rewrites }: Held): RecordId | null {
    if (record.rootView) return null;
    const [fact = 0] = rewrites.keys();
    return this.#rootViewOf(record.lane, fact);
  }

  view(lane: Lane, scope: ViewScope): View {
    const records = this.seen(lane, scope).map((held) => this.#liveRecord(held));
    records.sort((a, b) => a.firstSeq - b.firstSeq || a.lastSeq - b.lastSeq);
    const ids = new Set(records.map(({ record }) => record.id));
    const parted = this.#undone
      .map((record) => [...record.supersedes, ...record.over].filter((id) => ids.has(id)))
      .filter((named) => named.length > 1);
    const lanes = [...this.#lanes].map(
      ([key, each]) => [key, { lane: each, revision: 7, firstUserSeq: null }] as const,
    );
    return {
      scope,
      lane,
      revision: 7,
      through: { seq: 1, id: 'e' as EventId },
      total: { events: 0, tokens: 0 },
      invocationCount: this.invocations,
      records,
      raw: [],
      recovered: [],
      exchanges: new Map(),
      invocations: new Map<InvocationId, never>(),
      parked: { newest: [], total: 0 },
      lanes: new Map(lanes),
      parted,
    };
  }

  #windowPlan(facts: readonly Fact[], lane: Lane, rootView: boolean): Plan {
    for (const fact of facts) this.#lanes.set(laneKey(fact.lane), fact.lane);
    const events = facts.map(({ seq, lane: own }): RawEvent => {
      const under = rootView ? null : this.#rootViewOf(own, seq);
      return { event: { seq, lane: own }, exchange: seq, under, undone: null, undoneView: null } as RawEvent;
    });
    return planOf(this.view(lane, 'lane'), 'sliding_window', {
      lane,
      rootView,
      spans: facts.map(({ seq }) => ({ first: seq, last: seq })),
      events,
      unanswered: new Map(),
      context: [],
      overlap: 0,
      supersedes: [],
      over: [],
      summaries: [],
      tokens: 1_000,
      invocations: facts.length,
    });
  }

  /** What a store would refuse, and what the engine relies on. */
  #judge(plan: Extract<Plan, { readonly kind: 'window' }>, from: readonly Held[]): void {
    const { lane, rootView, supersedes, over, summaries, events } = plan.window;
    const named = [...supersedes, ...over];
    must(named.length === new Set(named).size, 'names a record twice');
    must(events.length > 0 || from.length > 1, 'merges fewer than two');
    must(rootView || over.length === 0, 'puts a lane record over others');
    for (const { record } of from) {
      const isOver = over.includes(record.id);
      must(record.lane.isolation === lane.isolation, 'mixes isolations');
      must(record.rootView === (rootView && !isOver), 'replaces, or lies over, a record of the wrong kind');
      must(rootView || sameLane(record.lane, lane), 'replaces a record of another lane');
      must(
        !rootView || this.underOf(this.#mustBeLive(record.id)) === null,
        'lies over what a root view holds',
      );
    }
    const edges = new Set(from.map((each) => this.underOf(each)));
    for (const row of events) edges.add(row.under);
    must(edges.size === 1, 'crosses the edge of a root view');
    const shown = summaries.map(({ record }) => record.id);
    must(
      shown.length === named.length && named.every((id) => shown.includes(id)),
      'shows other summaries than it names',
    );
    must(
      summaries.every((each, at) => at === 0 || (summaries[at - 1]?.firstSeq ?? 0) <= each.firstSeq),
      'shows summaries out of order',
    );
    for (const undone of this.#undone) {
      const again = [...undone.supersedes, ...undone.over].filter((id) => named.includes(id));
      must(again.length < 2, 'merges again what an undo parted');
    }
  }

  #liveRecord(held: Held): LiveRecord {
    const { record, rewrites, firstSeq, lastSeq } = held;
    const covers = { events: rewrites.size, tokens: rewrites.size };
    return { record, firstSeq, lastSeq, covers, under: this.underOf(held) };
  }

  #rootViewOf(lane: Lane, fact: number): RecordId | null {
    for (const { record, rewrites } of this.#live.values()) {
      if (record.rootView && record.lane.isolation === lane.isolation && rewrites.has(fact)) return record.id;
    }
    return null;
  }

  #liesInOne({ record, rewrites }: Held): boolean {
    return new Set([...rewrites.keys()].map((fact) => this.#rootViewOf(record.lane, fact))).size === 1;
  }

  #mustBeLive(id: RecordId): Held {
    const held = this.#live.get(id);
    if (held === undefined) throw new Error(`a plan names ${id}, which is not live`);
    return held;
  }
}

function must(holds: boolean, broken: string): void {
  if (!holds) throw new Error(`a plan ${broken}`);
}

/** The least r with C(K + r, K) ≥ n, which is what G9 allows: in whole numbers, and apart from the planner. */
export function fewestRewrites(maxLive: number, windows: number): number {
  let binomial = 1n;
  for (let r = 0; ; r += 1) {
    if (binomial >= BigInt(windows)) return r;
    // C(K + r + 1, K) = C(K + r, K) · (K + r + 1) / (r + 1).
    binomial = (binomial * BigInt(maxLive + r + 1)) / BigInt(r + 1);
  }
}

/** The most times any fact in these was written again. */
export function worstOf(held: readonly Held[]): number {
  let worst = 0;
  for (const { rewrites } of held) for (const times of rewrites.values()) if (times > worst) worst = times;
  return worst;
}
