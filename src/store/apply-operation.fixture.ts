import { type Spans, spansOf } from '../coverage/span.ts';
import { PalimpsestError } from '../event/errors.ts';
import type { InvocationId, RecordId, SessionKey } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { LANES, type Operation } from './random-operations.fixture.ts';
import type { RecordDraft, SessionStore } from './session-store.ts';

/** A concrete call on a store, the same for every store it is made on. */
export type Call = (store: SessionStore) => Promise<unknown>;

/** Turns a step into a call, by what `model` holds now. Null where there is nothing to do it to. */
export async function concrete(
  operation: Operation,
  key: SessionKey,
  forkTo: SessionKey,
  model: SessionStore,
): Promise<Call | null> {
  switch (operation.type) {
    case 'append':
      return (store) =>
        store.append(key, operation.drafts, {
          newInvocations: operation.running ? 'running' : 'ended',
          leaseMilliseconds: 1000,
        });
    case 'begin': {
      const lane = pickOf(LANES, operation.lane) as Lane;
      return (store) =>
        store.beginInvocation(key, { id: operation.invocation, lane, leaseMilliseconds: 1000 });
    }
    case 'end':
      return (store) => store.endInvocation(key, operation.invocation as InvocationId, operation.state);
    case 'renew':
      return (store) => store.renewInvocation(key, operation.invocation as InvocationId, 2000);
    case 'pin': {
      const row = pickOf(await model.page(key, 0, 1000), operation.event);
      return row === undefined ? null : (store) => store.pin(key, row.event.seq, operation.pinned);
    }
    case 'undo':
    case 'redo': {
      // Mostly one of those to which it can be done.
      const states = await model.records(key);
      const likely = states.filter((one) => one.undone === (operation.type === 'redo'));
      const state = pickOf(operation.record % 5 === 0 ? states : likely, operation.record);
      if (state === undefined) return null;
      const { id } = state.record;
      return operation.type === 'undo' ? (store) => store.undo(key, id) : (store) => store.redo(key, id);
    }
    case 'fork': {
      const row = pickOf(await model.page(key, 0, 1000), operation.event);
      return row === undefined ? null : (store) => store.fork(key, row.event.seq, forkTo);
    }
    case 'compact':
      return compaction(operation, key, model);
    case 'wait':
    case 'switch':
      return null;
    default:
      return operation satisfies never;
  }
}

async function compaction(
  operation: Extract<Operation, { type: 'compact' }>,
  key: SessionKey,
  model: SessionStore,
): Promise<Call> {
  const { rootView } = operation;
  let lane: Lane = LANES[0] as Lane;
  let view = await model.view(key, lane, 'lane');
  // The chosen lane, or the next one that has something to compact.
  for (let at = 0; at < LANES.length; at += 1) {
    const chosen = pickOf(LANES, operation.lane + at) as Lane;
    lane = rootView ? { branch: '', isolation: chosen.isolation } : chosen;
    view = await model.view(key, lane, rootView ? 'reader' : 'lane');
    if (view.raw.length + view.records.length > 0) break;
  }
  const all = await model.page(key, 0, 1000);
  const inScope = (row: LoggedEvent): boolean =>
    row.event.lane.isolation === lane.isolation && (rootView || row.event.lane.branch === lane.branch);
  const candidates = operation.anything ? all.filter(inScope) : view.raw;
  const picked = candidates.filter((_, at) => ((operation.pick >> (at % 24)) & 1) === 1);
  const members = operation.mode === 'merge' ? [] : picked.length === 0 ? candidates.slice(0, 2) : picked;
  const placed = members.map((row) => ({
    seq: row.event.seq,
    ordinal: rootView ? row.isolationOrdinal : row.laneOrdinal,
  }));
  let spans: Spans = spansOf(placed);
  if (operation.fault === 'ends') spans = widen(spans);
  const records = ((operation.supersede >> 10) & 1) === 1 ? await model.records(key) : view.records;
  const mergeable = records
    .map((entry) => entry.record)
    .filter((record) => record.lane.isolation === lane.isolation)
    .filter((record) => operation.anything || record.rootView === rootView);
  const chosen = mergeable.filter((_, at) => ((operation.supersede >> (at % 10)) & 1) === 1);
  const supersedes: readonly RecordId[] =
    operation.mode === 'window' ? [] : (chosen.length === 0 ? mergeable : chosen).map((record) => record.id);
  const revision = view.revision + (operation.fault === 'revision' ? 1 : 0);
  const spend = { inputTokens: operation.pick, outputTokens: 1, calls: 1 };
  const draft: RecordDraft = {
    lane,
    rootView,
    spans,
    context: spans.length > 0 && members.length % 3 === 0 ? [{ first: 1, last: spans[0]?.first ?? 1 }] : [],
    supersedes,
    over: [],
    summary: { format: 'prose', text: `summary ${operation.pick}`, literals: [{ text: 'x', from: 'user' }] },
    nonce: 'n',
    strategy: 'manual',
    basis: { revision, throughSeq: view.through.seq, throughEventId: view.through.id },
    model: { summarizer: 'test' },
    fingerprint: 'f',
    literals: { found: 2, kept: 1 },
    tokens: { covered: 0, summary: 3 },
    members: members.length + (operation.fault === 'members' ? 1 : 0),
    spend,
  };
  return async (store) => {
    const window = { spans, events: members.length, tokens: 1, invocations: 1 };
    const lease = await store.takeLease(key, {
      lane,
      rootView,
      trigger: 'manual',
      window,
      revision: view.revision,
      holder: 'h',
      milliseconds: 1000,
    });
    if (!lease.taken || operation.fault === 'keep') return lease;
    if (operation.fault === 'fail') {
      return store.endAttempt(key, lease.attempt.id, { state: 'failed', reason: 'test', spend });
    }
    try {
      return await store.commit(key, lease.attempt.id, draft);
    } catch (error) {
      await store.endAttempt(key, lease.attempt.id, { state: 'discarded', reason: 'conflict', spend });
      throw error;
    }
  };
}

/** Spans whose ends may be events of another scope. */
function widen(spans: Spans): Spans {
  return spans.map((span, at) => ({
    first: span.first,
    last: span.last + (spans[at + 1] === undefined ? 1 : 0),
  }));
}

function pickOf<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)];
}

/** What a call gave, as a value that can be compared: an error by what it is about. */
export async function outcomeOf(call: Call, store: SessionStore): Promise<unknown> {
  try {
    return { value: await call(store) };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    return {
      code: error.code,
      about: error.about,
      message: error.message,
      reason: 'reason' in error ? error.reason : null,
      ids: 'ids' in error ? error.ids : null,
    };
  }
}
