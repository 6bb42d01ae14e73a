import assert from 'node:assert/strict';
import type { CompactionRecord } from '../../coverage/record.ts';
import { type Spans, spansOf, uniteSpans } from '../../coverage/span.ts';
import type { View, ViewScope } from '../../coverage/view.ts';
import { type ErrorCode, PalimpsestError } from '../../event/errors.ts';
import type { DraftPart, EventDraft, StoredEvent } from '../../event/event.ts';
import type { RecordId, Seq, SessionKey } from '../../event/ids.ts';
import { type Lane, ROOT_LANE } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { Attempt } from '../../plan/attempt.ts';
import type { LeaseRequest, RecordDraft, SessionStore } from '../session-store.ts';
import type { StoreHarness } from './contract-case.ts';

/** A branch of the main conversation, one of it, its sibling; and the root and a branch of another isolation. */
export const BRANCH: Lane = { branch: 'a', isolation: '' };
export const INNER: Lane = { branch: 'a.b', isolation: '' };
export const SIBLING: Lane = { branch: 'c', isolation: '' };
export const TASK: Lane = { branch: '', isolation: 'task' };
export const TASK_BRANCH: Lane = { branch: 'a', isolation: 'task' };

/** How long leases last in these cases, in milliseconds. */
export const LEASE = 10_000;

/** What to compact, where it is not all the raw events of the root lane. */
export interface Compaction {
  readonly lane?: Lane;
  readonly rootView?: boolean;
  /** What the record covers itself, beside what it lies over. */
  readonly seqs?: readonly Seq[];
  readonly supersedes?: readonly RecordId[];
  readonly over?: readonly RecordId[];
  readonly context?: Spans;
  readonly text?: string;
}

/** One case's store, session and clock, and short ways to say what happens in it. */
export class Story {
  store: SessionStore;
  readonly key: SessionKey = { app: 'app', user: 'user', session: 'session' };
  #now = Date.UTC(2030, 0, 1);
  readonly #harness: StoreHarness;

  private constructor(harness: StoreHarness, store: SessionStore) {
    this.#harness = harness;
    this.store = store;
  }

  static async begin(harness: StoreHarness): Promise<Story> {
    let story: Story | undefined;
    const store = await harness.open(() => story?.now() ?? 0);
    story = new Story(harness, store);
    return story;
  }

  now(): number {
    return this.#now;
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async reopen(): Promise<void> {
    assert(this.#harness.reopen !== undefined, 'the harness cannot reopen a store');
    this.store = await this.#harness.reopen(this.store, () => this.now());
  }

  async share(): Promise<SessionStore> {
    assert(this.#harness.share !== undefined, 'the harness cannot share a store');
    return this.#harness.share(this.store, () => this.now());
  }

  append(...drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]> {
    return this.store.append(this.key, drafts);
  }

  /** One event. */
  async add(draft: Partial<EventDraft> = {}): Promise<StoredEvent> {
    const [event] = await this.append({ role: 'user', content: 'hello', ...draft });
    assert(event !== undefined);
    return event;
  }

  /** So many events of one lane, each a turn of its own. */
  async fill(count: number, lane: Lane = ROOT_LANE): Promise<readonly Seq[]> {
    const drafts = Array.from({ length: count }, (_, at) => ({
      role: 'user' as const,
      content: `text ${at}`,
      lane,
    }));
    return (await this.append(...drafts)).map((event) => event.seq);
  }

  async logged(seq: Seq): Promise<LoggedEvent> {
    const [row] = await this.store.page(this.key, seq - 1, 1);
    assert(row !== undefined, `no event ${seq}`);
    return row;
  }

  view(lane: Lane = ROOT_LANE, scope: ViewScope = 'reader'): Promise<View> {
    return this.store.view(this.key, lane, scope);
  }

  async rawSeqs(lane: Lane = ROOT_LANE, scope: ViewScope = 'reader'): Promise<readonly Seq[]> {
    return (await this.view(lane, scope)).raw.map((row) => row.event.seq);
  }

  async recordIds(lane: Lane = ROOT_LANE, scope: ViewScope = 'reader'): Promise<readonly RecordId[]> {
    return (await this.view(lane, scope)).records.map((entry) => entry.record.id);
  }

  /** The revision of a lane. */
  async revision(lane: Lane = ROOT_LANE): Promise<number> {
    return (await this.view(lane, 'lane')).revision;
  }

  async leaseRequest(lane: Lane = ROOT_LANE, rootView = false): Promise<LeaseRequest> {
    return {
      lane,
      rootView,
      trigger: 'manual',
      window: { spans: [{ first: 1, last: 2 }], events: 2, tokens: 10, invocations: 1 },
      revision: await this.revision(lane),
      holder: 'process 1',
      milliseconds: LEASE,
    };
  }

  async lease(lane: Lane = ROOT_LANE, rootView = false): Promise<Attempt> {
    const outcome = await this.store.takeLease(this.key, await this.leaseRequest(lane, rootView));
    assert(outcome.taken, 'the lease is taken');
    return outcome.attempt;
  }

  /** A record as the engine would make it. */
  async draft(compaction: Compaction = {}): Promise<RecordDraft> {
    const { lane = ROOT_LANE, rootView = false } = compaction;
    const view = await this.view(lane, rootView ? 'reader' : 'lane');
    const wanted = new Set(compaction.seqs ?? view.raw.map((row) => row.event.seq));
    const rows = (await this.store.page(this.key, 0, 1_000)).filter((row) => wanted.has(row.event.seq));
    const own = spansOf(
      rows.map((row) => ({
        seq: row.event.seq,
        ordinal: rootView ? row.isolationOrdinal : row.laneOrdinal,
      })),
    );
    const below = await this.store.spansAtRoot(this.key, compaction.over ?? []);
    return {
      lane,
      rootView,
      spans: uniteSpans([own, below.spans]),
      members: rows.length + below.members,
      context: compaction.context ?? [],
      supersedes: compaction.supersedes ?? [],
      over: compaction.over ?? [],
      summary: {
        format: 'prose',
        text: compaction.text ?? 'what happened',
        literals: [{ text: '/etc/hosts', from: 'tool' }],
      },
      nonce: 'nonce',
      strategy: 'manual',
      basis: {
        revision: await this.revision(lane),
        throughSeq: view.through.seq,
        throughEventId: view.through.id,
      },
      model: { summarizer: 'contract' },
      fingerprint: 'fingerprint',
      usage: { inputTokens: 100, outputTokens: 10 },
      literals: { found: 3, kept: 2 },
      tokens: { covered: 0, summary: 7 },
    };
  }

  async compact(compaction: Compaction = {}): Promise<CompactionRecord> {
    const draft = await this.draft(compaction);
    const attempt = await this.lease(draft.lane, draft.rootView);
    return this.store.commit(this.key, attempt.id, draft);
  }
}

/** A call part. */
export function call(id: string | undefined, name = 'tool'): DraftPart {
  return { type: 'toolCall', name, input: { json: {} }, ...(id === undefined ? {} : { id }) };
}

/** A result part. */
export function result(id: string | undefined, name?: string): DraftPart {
  return {
    type: 'toolResult',
    output: { json: 'done' },
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Asserts that a promise rejects with an error of this package with that code; returns it. */
export async function rejectsWith(code: ErrorCode, promise: Promise<unknown>): Promise<PalimpsestError> {
  try {
    await promise;
  } catch (error) {
    assert(PalimpsestError.isInstance(error, code), `expected ${code}, got ${String(error)}`);
    return error;
  }
  assert.fail(`expected ${code}, but nothing was thrown`);
}

/** Asserts that a commit or a lease was refused for a reason. */
export async function conflictsWith(reason: string, promise: Promise<unknown>): Promise<void> {
  const error = await rejectsWith('commit_conflict', promise);
  assert.equal('reason' in error ? error.reason : null, reason);
}

/** Asserts that a value is frozen to any depth. */
export function assertFrozen(value: unknown, path = 'value'): void {
  if (typeof value !== 'object' || value === null) return;
  assert(Object.isFrozen(value), `${path} is not frozen`);
  for (const [key, inner] of Object.entries(value)) assertFrozen(inner, `${path}.${key}`);
}
