import type { CompactionRecord } from '../../src/coverage/record.ts';
import type { LiveRecord, RawEvent, View, ViewScope } from '../../src/coverage/view.ts';
import type { AttemptId, EventId, InvocationId, LaneKey, RecordId } from '../../src/event/ids.ts';
import { type Lane, laneKey, sameLane } from '../../src/event/lane.ts';
import { planOf } from '../../src/plan/make-window.ts';
import type { Plan } from '../../src/plan/plan.ts';

/** A record of the model and how often each window in it was written again. */
export interface Held {
  readonly record: CompactionRecord;
  /** Rewrites by window: a window's number is the seq of its one event. */
  readonly rewrites: ReadonlyMap<number, number>;
  undone: boolean;
}

/**
 * Windows of one event each and what roll-up makes of them: no store, no events, no summarizer. It keeps the rules of
 * commit by itself and throws when a plan breaks one.
 */
export class RollUpModel {
  readonly held = new Map<RecordId, Held>();
  readonly lanes = new Map<LaneKey, Lane>();
  /** Merges, each a summarizer's call; a window that replaces what it is merged with needs none of its own. */
  merges = 0;
  windows = 0;
  invocations = 0;
  readonly #live = new Map<RecordId, Held>();
  #made = 0;

  /** A summary's tokens, by the level of its record and the records it was made from. */
  readonly #tokens: (level: number, from: readonly CompactionRecord[]) => number;

  constructor(tokens: (level: number, from: readonly CompactionRecord[]) => number = () => 100) {
    this.#tokens = tokens;
  }

  /** The plan of a window of one event of a lane, as a strategy would make it. */
  window(lane: Lane, seq: number, rootView = false): Plan {
    this.lanes.set(laneKey(lane), lane);
    const view = this.view(lane, 'lane');
    const under = rootView ? null : (this.#rootViewAt(lane.isolation, seq)?.record.id ?? null);
    const event = { event: { seq, lane }, exchange: seq, under, undone: null, undoneView: null };
    return planOf(view, 'sliding_window', {
      lane: rootView ? { branch: '', isolation: lane.isolation } : lane,
      rootView,
      spans: [{ first: seq, last: seq }],
      events: [event as unknown as RawEvent],
      unanswered: new Map(),
      context: [],
      overlap: 0,
      supersedes: [],
      over: [],
      summaries: [],
      tokens: 1_000,
      invocations: 1,
    });
  }

  /** Makes the record a plan says. */
  commit(plan: Plan): Held {
    if (plan.kind === 'nothing') throw new Error(`nothing to commit: ${plan.reason}`);
    const { lane, rootView, supersedes, over, summaries, events, spans } = plan.window;
    const from = [...supersedes, ...over].map((id) => this.#mustBeLive(id));
    check([...supersedes, ...over].length === new Set([...supersedes, ...over]).size, 'names a record twice');
    check(
      summaries.length === from.length &&
        summaries.every(({ record }) => from.some((f) => f.record === record)),
      'shows other summaries than it names',
    );
    check(events.length > 0 || from.length > 1, 'merges fewer than two');
    check(rootView || over.length === 0, 'a lane record lies over others');
    for (const id of supersedes) {
      const { record } = this.#mustBeLive(id);
      check(record.rootView === rootView && sameLane(record.lane, lane), 'replaces another lane');
    }
    const rewrites = new Map<number, number>();
    for (const source of from)
      for (const [window, times] of source.rewrites) {
        check(!rewrites.has(window), 'covers a window twice');
        rewrites.set(window, times + 1);
      }
    const enclosing = new Set(from.map((source) => this.underOf(source)).filter((id) => id !== null));
    for (const row of events) if (!rootView) enclosing.add(row.under as RecordId);
    check(
      rootView ? [...enclosing].every((id) => supersedes.includes(id)) : enclosing.size <= 1,
      'crosses the edge of a root view',
    );
    for (const row of events) rewrites.set(row.event.seq, 0);
    if (events.length === 0) this.merges += 1;
    else this.windows += 1;
    this.#made += 1;
    const records = from.map((source) => source.record);
    const level = 1 + Math.max(0, ...records.map((record) => record.level));
    const record = {
      id: `r${String(this.#made).padStart(8, '0')}` as RecordId,
      revision: this.#made,
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
    } satisfies CompactionRecord;
    const made: Held = { record, rewrites, undone: false };
    this.held.set(record.id, made);
    for (const id of supersedes) this.#live.delete(id);
    this.#live.set(record.id, made);
    return made;
  }

  /** Revokes a live record; what it replaced is live again. */
  undo(id: RecordId): void {
    const held = this.#mustBeLive(id);
    held.undone = true;
    this.#live.delete(id);
    for (const replaced of held.record.supersedes) {
      const again = this.held.get(replaced);
      if (again !== undefined && !again.undone) this.#live.set(replaced, again);
    }
  }

  live(): readonly Held[] {
    return [...this.#live.values()];
  }

  /** The live root view a lane's record lies in. */
  underOf({ record, rewrites }: Held): RecordId | null {
    if (record.rootView) return null;
    const [window = 0] = rewrites.keys();
    return this.#rootViewAt(record.lane.isolation, window)?.record.id ?? null;
  }

  view(lane: Lane, scope: ViewScope): View {
    const seen = this.live().filter((held) => {
      const { record } = held;
      if (scope === 'lane') return !record.rootView && sameLane(record.lane, lane);
      return record.lane.isolation === lane.isolation && this.underOf(held) === null;
    });
    const records = seen.map((held) => this.#liveRecord(held));
    records.sort((a, b) => a.firstSeq - b.firstSeq || a.lastSeq - b.lastSeq);
    const ids = new Set(records.map(({ record }) => record.id));
    const parted: RecordId[][] = [];
    for (const { record, undone } of this.held.values()) {
      if (!undone) continue;
      const named = [...record.supersedes, ...record.over].filter((id) => ids.has(id));
      if (named.length > 1) parted.push(named);
    }
    const lanes = new Map(
      [...this.lanes].map(([key, each]) => [key, { lane: each, revision: 7, firstUserSeq: null }]),
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
      lanes,
      parted,
    };
  }

  #liveRecord(held: Held): LiveRecord {
    let firstSeq = Number.POSITIVE_INFINITY;
    let lastSeq = 0;
    for (const window of held.rewrites.keys()) {
      firstSeq = Math.min(firstSeq, window);
      lastSeq = Math.max(lastSeq, window);
    }
    const covers = { events: held.rewrites.size, tokens: held.rewrites.size };
    return { record: held.record, firstSeq, lastSeq, covers, under: this.underOf(held) };
  }

  #rootViewAt(isolation: string, window: number): Held | null {
    for (const held of this.#live.values()) {
      const { record } = held;
      if (record.rootView && record.lane.isolation === isolation && held.rewrites.has(window)) return held;
    }
    return null;
  }

  #mustBeLive(id: RecordId): Held {
    const held = this.#live.get(id);
    if (held === undefined) throw new Error(`${id} is not live`);
    return held;
  }
}

function check(holds: boolean, broken: string): void {
  if (!holds) throw new Error(`a plan ${broken}`);
}

/** The least r with C(K + r, K) ≥ n: what G9 allows. Written apart from the planner, in whole numbers. */
export function fewestRewrites(maxLive: number, windows: number): number {
  const n = BigInt(windows);
  let binomial = 1n;
  for (let r = 0; ; r += 1) {
    if (binomial >= n) return r;
    // C(K + r + 1, K) = C(K + r, K) · (K + r + 1) / (r + 1).
    binomial = (binomial * BigInt(maxLive + r + 1)) / BigInt(r + 1);
  }
}

/** The most times any window of these was written again. */
export function worstOf(held: readonly Held[]): number {
  let worst = 0;
  for (const { rewrites } of held) for (const times of rewrites.values()) worst = Math.max(worst, times);
  return worst;
}
