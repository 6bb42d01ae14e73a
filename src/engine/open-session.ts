import { emptyView } from '../coverage/empty-view.ts';
import type { VerifyReport } from '../coverage/problem.ts';
import type { RecordState } from '../coverage/record.ts';
import { RecordGraph } from '../coverage/record-graph.ts';
import type { View } from '../coverage/view.ts';
import { ConfigError, NotFoundError } from '../event/errors.ts';
import type { EventDraft, StoredEvent } from '../event/event.ts';
import type { InvocationId, RecordId, Seq, SessionKey } from '../event/ids.ts';
import type { Invocation } from '../event/invocation.ts';
import { type Lane, type Reader, ROOT_LANE } from '../event/lane.ts';
import type { Attempt } from '../plan/attempt.ts';
import { checkKeep, checkSliding } from '../plan/check-retention.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import { explainEvent } from '../prompt/explain.ts';
import type { Explanation } from '../prompt/explanation.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Recalled } from '../prompt/recalled/recollection.ts';
import type { AppendOptions, AttemptFilter, SessionInfo, SessionStore } from '../store/session-store.ts';
import { afterTurn } from './after-turn.ts';
import type { CompactionStore, Surroundings } from './attempt-window.ts';
import { coverAll } from './cover-all.ts';
import { mergeAfter } from './merge.ts';
import { type Moment, momentOf } from './moment.ts';
import type { CompactionOutcome } from './outcome.ts';
import { requestOf } from './prepare.ts';
import { type Preview, type PreviewedWindow, previewedWindow } from './preview.ts';
import { PreviewStore } from './preview-store.ts';
import { readLedger } from './read-ledger.ts';
import { type RecallOptions, recallEvents, recallTokens } from './recall/recall.ts';
import type { RecallRequest } from './recall/request.ts';
import { retainTail } from './retain-tail.ts';
import { gather } from './run.ts';
import type { CompactOptions, Prepared, PrepareOptions, Session, Turn } from './session.ts';
import { slideAll } from './slide.ts';
import { verifySession } from './verify-session.ts';

/** Reads as nobody in particular: all assistants are its own. */
const ROOT_READER: Reader = Object.freeze({ agent: '', lane: ROOT_LANE });

/** Outcomes nobody asked for are kept up to this many; the ledger has them all. */
const MOST_OUTCOMES_KEPT = 1_000;

/** How long providers keep what they cached of a prompt, at least. */
const CACHE_LIFE_MILLISECONDS = 300_000;

const ENDS: ReadonlySet<string> = new Set(['ended', 'failed', 'cancelled']);

const ignore = (): void => undefined;

/** What a session works with: all of a store. */
export type SessionSurroundings = Surroundings & {
  readonly store: SessionStore;
  /** Milliseconds that only ever grow. */
  readonly clock: () => number;
};

/** A session over a store: what {@link Session} promises. */
export class OpenSession implements Session {
  readonly key: SessionKey;
  readonly #around: SessionSurroundings;
  readonly #store: SessionStore;
  #work: Promise<void> = Promise.resolve();
  #finished: CompactionOutcome[] = [];
  /** When this process last prepared a prompt, by the monotonic clock. */
  #preparedAt: number | null = null;

  constructor(key: SessionKey, around: SessionSurroundings) {
    this.key = key;
    this.#around = around;
    this.#store = around.store;
  }

  append(drafts: readonly EventDraft[], options?: AppendOptions): Promise<readonly StoredEvent[]> {
    return this.#store.append(this.key, drafts, options);
  }

  async begin(options: { readonly id?: string; readonly lane?: Lane } = {}): Promise<Turn> {
    const leaseMilliseconds = this.#around.policy.turnLeaseMilliseconds;
    const { id, lane } = await this.#store.beginInvocation(this.key, { ...options, leaseMilliseconds });
    const turnLane = options.lane ?? lane;
    return Object.freeze({
      invocation: id,
      lane: turnLane,
      append: (...drafts: readonly EventDraft[]) =>
        this.append(
          drafts.map((draft) => ({ lane: turnLane, ...draft, invocation: id })),
          { newInvocations: 'running', leaseMilliseconds },
        ),
      end: (state: 'ended' | 'failed' | 'cancelled' = 'ended') => this.#end(id, state),
    });
  }

  async prompt(options: { readonly reader?: Reader } = {}): Promise<Prompt> {
    const reader = options.reader ?? ROOT_READER;
    return assemblePrompt(await this.#view(reader.lane), reader, this.#store.counter);
  }

  async prepare(options: PrepareOptions = {}): Promise<Prepared> {
    const reader = options.reader ?? ROOT_READER;
    const cacheIsCold = options.cacheIsCold ?? this.#isCold();
    const around = { ...this.#around, signal: options.signal };
    let moment = await this.#moment(reader, cacheIsCold);
    let outcomes: readonly CompactionOutcome[] = [];
    if (moment.decision === 'act') {
      outcomes = await this.#inTurn(() =>
        gather(reader.lane, options.onOutcome ?? ignore, async (run) => {
          const situation = { cacheIsCold, insideTurn: true };
          await retainTail(this.key, reader, situation, around, run);
          const before = run.outcomes.length;
          await mergeAfter(this.key, run.lanes([reader.lane]), around, run);
          // Merges make room in which another window may be worth it.
          if (run.outcomes.length > before) await retainTail(this.key, reader, situation, around, run);
        }),
      );
      moment = await this.#moment(reader, cacheIsCold);
    }
    const prepared = requestOf(moment, outcomes, around);
    this.#preparedAt = this.#around.clock();
    return prepared;
  }

  async #moment(reader: Reader, cacheIsCold: boolean): Promise<Moment> {
    const view = await this.#view(reader.lane);
    const attempts = view.through.seq === 0 ? [] : await readLedger(this.key, this.#store);
    return momentOf({ view, attempts, reader, cacheIsCold }, this.#store.counter, this.#around.policy);
  }

  /** Whether the provider has most likely dropped what it cached of this session; what another process sent is not known here. */
  #isCold(): boolean {
    return this.#preparedAt !== null && this.#around.clock() - this.#preparedAt > CACHE_LIFE_MILLISECONDS;
  }

  /** A session comes into being with its first event: until then its prompt is empty. */
  async #view(lane: Lane): Promise<View> {
    try {
      return await this.#store.view(this.key, lane, 'reader');
    } catch (error) {
      if (error instanceof NotFoundError) return emptyView(lane, 'reader');
      throw error;
    }
  }

  async explain(seq: Seq, options: { readonly reader?: Reader } = {}): Promise<Explanation> {
    const reader = options.reader ?? ROOT_READER;
    const [facts, { view, prompt }, states] = await Promise.all([
      this.#store.facts(this.key, seq),
      this.#moment(reader, false),
      this.#store.records(this.key),
    ]);
    const { row, exchange } = facts;
    return explainEvent({
      row,
      reader,
      view,
      graph: new RecordGraph(states),
      exchange,
      clock: facts,
      prompt,
    });
  }

  async recall(request: RecallRequest, options: RecallOptions = {}): Promise<Recalled> {
    const { lane } = options.reader ?? ROOT_READER;
    return recallEvents(request, recallTokens(options), { store: this.#store, key: this.key, lane });
  }

  compact(options: CompactOptions = {}): Promise<readonly CompactionOutcome[]> {
    return this.#inTurn(this.#compaction(options, this.#store));
  }

  preview(options: CompactOptions = {}): Promise<Preview> {
    const store = new PreviewStore(this.#store);
    const compaction = this.#compaction(options, store);
    const reader = options.reader ?? ROOT_READER;
    return this.#inTurn(async () => {
      const outcomes = await compaction();
      const windows: PreviewedWindow[] = [];
      for (const made of store.made) windows.push(await previewedWindow(made));
      const view = await store.view(this.key, reader.lane, 'reader');
      return Object.freeze({ outcomes, windows, prompt: assemblePrompt(view, reader, store.counter) });
    });
  }

  async idle(): Promise<readonly CompactionOutcome[]> {
    for (let work: unknown; work !== this.#work; ) {
      work = this.#work;
      await work;
    }
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  verify(
    options: { readonly onProgress?: (events: number, of: number) => void } = {},
  ): Promise<VerifyReport> {
    return verifySession(this.#store, this.key, options.onProgress ?? ignore);
  }

  records(): Promise<readonly RecordState[]> {
    return this.#store.records(this.key);
  }

  attempts(filter?: AttemptFilter): Promise<readonly Attempt[]> {
    return this.#store.attempts(this.key, filter);
  }

  undo(record: RecordId): Promise<void> {
    return this.#store.undo(this.key, record);
  }

  redo(record: RecordId): Promise<void> {
    return this.#store.redo(this.key, record);
  }

  pin(seq: Seq): Promise<readonly Seq[]> {
    return this.#store.pin(this.key, seq, true);
  }

  unpin(seq: Seq): Promise<readonly Seq[]> {
    return this.#store.pin(this.key, seq, false);
  }

  async fork(throughSeq: Seq, to: SessionKey): Promise<Session> {
    await this.#store.fork(this.key, throughSeq, to);
    return new OpenSession(to, this.#around);
  }

  info(): Promise<SessionInfo | null> {
    return this.#store.info(this.key);
  }

  async #end(id: InvocationId, state: 'ended' | 'failed' | 'cancelled'): Promise<Invocation> {
    if (!ENDS.has(state)) throw new ConfigError('state', 'must be ended, failed or cancelled');
    const invocation = await this.#store.endInvocation(this.key, id, state);
    const { sliding, tail, rollUp } = this.#around.policy;
    if (state === 'ended' && (sliding !== null || tail !== null || rollUp !== null)) {
      // Off the answer path: the turn is over; whatever becomes of this is an outcome and never an error of the turn.
      void this.#inTurn(() => afterTurn(this.key, invocation, this.#around)).then(
        (outcomes) => this.#keep(outcomes),
        (cause: unknown) => this.#keep([{ kind: 'error', lane: invocation.lane, reason: 'store', cause }]),
      );
    }
    return invocation;
  }

  /** What `compact` is to do over a store; throws for options that cannot work before anything is done. */
  #compaction(options: CompactOptions, store: CompactionStore): () => Promise<readonly CompactionOutcome[]> {
    const lane = options.reader?.lane ?? ROOT_LANE;
    const keep = options.keep === undefined ? null : checkKeep(options.keep);
    const sliding = options.sliding === undefined ? null : checkSliding(options.sliding);
    const around = { ...this.#around, store, signal: options.signal };
    const heard = options.onOutcome ?? ignore;
    return () =>
      sliding === null
        ? coverAll(this.key, lane, keep ?? this.#around.policy.keep, around, heard)
        : slideAll(this.key, lane, sliding, keep, around, heard);
  }

  #keep(outcomes: readonly CompactionOutcome[]): void {
    this.#finished = [...this.#finished, ...outcomes].slice(-MOST_OUTCOMES_KEPT);
  }

  /** One compaction of a session at a time in this process, so that it holds one lease at most. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#work.then(work);
    this.#work = result.then(ignore, ignore);
    return result;
  }
}
