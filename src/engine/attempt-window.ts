import type { CompactionRecord } from '../coverage/record.ts';
import { type Spans, spansOf, uniteSpans } from '../coverage/span.ts';
import { CommitConflict, InvalidSummaryError, SummaryTooLargeError } from '../event/errors.ts';
import type { Usage } from '../event/event.ts';
import type { Seq, SessionKey } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { ExchangeId } from '../event/obligation.ts';
import type { Attempt, Measured } from '../plan/attempt.ts';
import type { Plan, Window } from '../plan/plan.ts';
import { NOT_SMALLER, OVER_ALLOWANCE } from '../plan/progress.ts';
import { frameSummary } from '../prompt/frame.ts';
import type { RecordDraft, SessionStore } from '../store/session-store.ts';
import type { SetTimer } from '../summary/call.ts';
import { requestIdentity } from '../summary/contract/request-fingerprint.ts';
import { requireSmaller } from '../summary/gate.ts';
import { gatherLiterals } from '../summary/literals/gather-literals.ts';
import type { FoundLiteral } from '../summary/literals/literal-kind.ts';
import { type KeepingFate, shareAllowance, summarizeKeeping } from '../summary/literals/summarize-keeping.ts';
import { sourceEvents } from '../summary/snapshot.ts';
import type { Spend } from '../summary/spend.ts';
import type { PreviousSummary, SummaryRequest } from '../summary/summarizer.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { CheckedPolicy } from './policy.ts';
import { requireFits } from './require-fits.ts';

export type WindowPlan = Extract<Plan, { readonly kind: 'window' }>;
/** What the engine asks always says what it is asked for. */
type IdentifiedRequest = SummaryRequest & Required<Pick<SummaryRequest, 'identity'>>;
type Ended = Extract<CompactionOutcome, { readonly attempt: Attempt }>;

/** What of a store planning and carrying out plans use. */
export type CompactionStore = Pick<
  SessionStore,
  | 'counter'
  | 'view'
  | 'preceding'
  | 'takeLease'
  | 'renewLease'
  | 'endAttempt'
  | 'commit'
  | 'attempts'
  | 'records'
  | 'spansAtRoot'
>;

/** What carrying out a plan needs from outside. */
export interface Surroundings {
  readonly store: CompactionStore;
  readonly policy: CheckedPolicy;
  /** Names this process in leases. */
  readonly holder: string;
  /** Makes the fences' nonces: at least 16 hexadecimal digits, not to be guessed. */
  readonly nonce: () => string;
  readonly setTimer?: SetTimer;
  readonly signal?: AbortSignal | undefined;
}

/** A plan with all that its record will say of what it was made from. */
interface Task {
  readonly plan: WindowPlan;
  readonly reader: Lane;
  /** What the record covers itself, and how many events that are. */
  readonly spans: Spans;
  readonly members: number;
  /** Of all it covers, itself and through what it is made from. */
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
  /** What leaves the prompt: raw events and summaries, in tokens. */
  readonly leaves: number;
}

/** A lease outlives the call it covers by this. */
const LEASE_MARGIN_MILLISECONDS = 30_000;
/** The most events of earlier invocations a summarizer reads as context. */
const MAX_OVERLAP_EVENTS = 200;
/** A summary takes at most this share of what it covers… */
const SUMMARY_SHARE = 0.2;
/** …and where it replaces summaries, at most this share of what leaves the prompt… */
const MOST_OF_LEAVING = 0.6;
/** …but is never asked to fit less than this many tokens, unless it replaces summaries that take little more. */
const LEAST_SUMMARY_TOKENS = 160;
/** A record made from summaries may take so many windows' summaries. */
const MERGE_GROWTH = 2;

/** Whose prompt a plan is to shrink, and its size where that was measured. */
export interface PlannedFor {
  readonly reader: Lane;
  readonly measured: Measured | undefined;
}

/**
 * Carries out one plan: lease, summarizer, gate, commit. Whatever happens is an outcome: nothing is thrown, and unless
 * it is `committed` nothing in the session has changed but its ledger. `stale`: the lane changed since the plan was
 * made, and nothing was begun.
 */
export async function attemptWindow(
  key: SessionKey,
  plan: WindowPlan,
  { reader, measured }: PlannedFor,
  around: Surroundings,
): Promise<CompactionOutcome | 'stale'> {
  const { store, policy, holder } = around;
  const { window, basis, strategy } = plan;
  const { lane, rootView, invocations } = window;
  try {
    const task = await taskOf(key, plan, reader, store);
    const lease = await store.takeLease(key, {
      lane,
      rootView,
      trigger: strategy,
      window: { spans: task.spans, events: task.members, tokens: task.leaves, invocations },
      ...(measured === undefined ? {} : { measured }),
      revision: basis.revision,
      holder,
      milliseconds: policy.deadlineMilliseconds + LEASE_MARGIN_MILLISECONDS,
      ...(policy.allowance === null ? {} : { allowance: policy.allowance }),
    });
    if ('declined' in lease) return { kind: 'declined', attempt: lease.declined, reason: OVER_ALLOWANCE };
    if (!lease.taken) {
      const { heldBy, expiresInMilliseconds } = lease;
      return { kind: 'busy', lane, heldBy, expiresInMilliseconds };
    }
    return await carryOut(key, task, lease.attempt, around);
  } catch (cause) {
    if (cause instanceof CommitConflict) return 'stale';
    return { kind: 'error', lane, reason: 'store', cause };
  }
}

async function taskOf(
  key: SessionKey,
  plan: WindowPlan,
  reader: Lane,
  store: CompactionStore,
): Promise<Task> {
  const { summaries, tokens } = plan.window;
  const { spans, members } = await ownSpans(key, plan.window, store);
  return {
    plan,
    reader,
    spans,
    members,
    firstSeq: Math.min(spans[0]?.first ?? Infinity, ...summaries.map(({ firstSeq }) => firstSeq)),
    lastSeq: Math.max(spans.at(-1)?.last ?? 0, ...summaries.map(({ lastSeq }) => lastSeq)),
    leaves: summaries.reduce((sum, { record }) => sum + record.tokens.summary, tokens),
  };
}

/** What a record covers itself: the window's events; where it lies over lane records, theirs. */
async function ownSpans(
  key: SessionKey,
  window: Window,
  store: CompactionStore,
): Promise<Pick<Task, 'spans' | 'members'>> {
  const own = { spans: window.spans, members: window.events.length };
  if (window.over.length === 0) return own;
  const below = await store.spansAtRoot(key, window.over);
  return { spans: uniteSpans([own.spans, below.spans]), members: own.members + below.members };
}

async function carryOut(key: SessionKey, task: Task, attempt: Attempt, around: Surroundings): Promise<Ended> {
  const { store, policy } = around;
  const { plan } = task;
  const { measured } = attempt;
  let spend: Spend | undefined;
  const end = async (
    kind: 'declined' | 'failed' | 'discarded',
    reason: string,
    usage: Usage | undefined,
    cause?: unknown,
  ): Promise<Ended> => {
    const ended = await store.endAttempt(key, attempt.id, {
      state: kind,
      reason,
      ...(usage === undefined ? {} : { usage }),
      ...(spend === undefined ? {} : { spend }),
    });
    return { kind, attempt: ended, reason, ...(cause === undefined ? {} : { cause }) };
  };
  let usage: Usage | undefined;
  try {
    const context = await readContext(key, plan, store);
    const found = policy.literals ? await literalsOf(task) : [];
    const allowance = shareAllowance(allowanceFor(task, policy), found, store.counter);
    const request = requestFor(task, context, allowance.prose, around);
    const fate = await summarizeKeeping(policy.summarizer, request, {
      found,
      literalsFloor: policy.literalsFloor,
      listTokens: allowance.list,
      counter: store.counter,
      deadlineMilliseconds: policy.deadlineMilliseconds,
      signal: around.signal,
      setTimer: around.setTimer,
      exchangeOf: exchangesOf(plan.window.events),
      beforeCall: () =>
        store.renewLease(key, attempt.id, policy.deadlineMilliseconds + LEASE_MARGIN_MILLISECONDS),
    });
    usage = fate.usage;
    spend = fate.spend;
    switch (fate.kind) {
      case 'declined':
        return await end('declined', fate.reason, usage);
      case 'refused':
        return await end('failed', `invalid_summary:${fate.reason}`, usage, fate.cause);
      case 'failed':
        // Only the renewal of the lease may say so: a summarizer that throws one has failed, and is not asked again at once.
        return fate.failure === 'interrupted' && fate.cause instanceof CommitConflict
          ? await end('discarded', fate.cause.reason, usage)
          : await end('failed', fate.reason, usage, fate.cause);
      case 'summary':
        break;
      default:
        return fate satisfies never;
    }
    const draft = draftRecord(task, context, fate, usage, request, around);
    const tokens = { leaves: task.leaves, enters: draft.tokens.summary };
    requireSmaller(tokens);
    const candidate = { window: plan.window, reader: task.reader, enters: tokens.enters, measured };
    await requireFits(key, candidate, store, policy);
    const record = await store.commit(key, attempt.id, spend === undefined ? draft : { ...draft, spend });
    return { kind: 'committed', record, attempt: await committed(key, attempt, record, store) };
  } catch (cause) {
    if (cause instanceof CommitConflict) return end('discarded', cause.reason, usage);
    if (cause instanceof InvalidSummaryError && cause.reason === NOT_SMALLER)
      return end('declined', NOT_SMALLER, usage);
    if (cause instanceof SummaryTooLargeError) return end('failed', cause.code, usage, cause);
    return end('failed', 'store', usage, cause);
  }
}

/** The attempt as it ended. What is committed is committed, whether it can be read back or not. */
async function committed(
  key: SessionKey,
  attempt: Attempt,
  record: CompactionRecord,
  store: CompactionStore,
): Promise<Attempt> {
  const ended: Attempt = { ...attempt, state: 'committed', record: record.id, endedAt: record.createdAt };
  try {
    // The lease is free by now: somebody else's attempt may be the newest.
    const newest = await store.attempts(key, { newest: 8, lane: attempt.lane });
    return newest.find(({ id }) => id === attempt.id) ?? ended;
  } catch {
    return ended;
  }
}

async function readContext(
  key: SessionKey,
  plan: WindowPlan,
  store: CompactionStore,
): Promise<readonly LoggedEvent[]> {
  const { window } = plan;
  const first = window.events[0]?.event.seq;
  if (window.overlap === 0 || first === undefined) return window.context;
  const earlier = await store.preceding(key, window.lane, first, window.overlap, MAX_OVERLAP_EVENTS);
  const covered = new Set(window.events.map((row) => row.event.seq));
  const bySeq = new Map<Seq, LoggedEvent>();
  for (const row of [...earlier, ...window.context])
    if (!covered.has(row.event.seq)) bySeq.set(row.event.seq, row);
  return [...bySeq.values()].sort((a, b) => a.event.seq - b.event.seq);
}

function requestFor(
  { plan }: Task,
  context: readonly LoggedEvent[],
  maxSummaryTokens: number,
  around: Surroundings,
): IdentifiedRequest {
  const { window, basis } = plan;
  const { policy, store } = around;
  const previous = window.summaries.map(
    ({ record, firstSeq, lastSeq }): PreviousSummary =>
      Object.freeze({
        firstSeq,
        lastSeq,
        text: record.summary.text,
        literals: record.summary.literals,
      }),
  );
  return Object.freeze({
    previous: Object.freeze(previous),
    context: sourceEvents(context, new Map()),
    events: sourceEvents(window.events, window.unanswered),
    maxSummaryTokens,
    identity: requestIdentity(policy.summarizer, { basis, maxSummaryTokens, counter: store.counter }),
  });
}

/** The exact values in what the window covers and in the summaries it is made from. */
function literalsOf({ plan: { window } }: Task): Promise<readonly FoundLiteral[]> {
  return gatherLiterals(
    sourceEvents(window.events, window.unanswered),
    window.summaries.map(({ record }) => record.summary),
  );
}

/** The tokens of a summary: a share of all it stands in for, but not so many that little is gained over what leaves the prompt. */
function allowanceFor({ plan: { window }, leaves }: Task, policy: CheckedPolicy): number {
  const { summaries, tokens } = window;
  const covered = summaries.reduce((sum, { record }) => sum + record.tokens.covered, tokens);
  const most = Math.floor(leaves * MOST_OF_LEAVING);
  const share = Math.min(Math.floor(covered * SUMMARY_SHARE), most);
  if (summaries.length === 0) return Math.min(policy.maxSummaryTokens, Math.max(LEAST_SUMMARY_TOKENS, share));
  const least = Math.min(LEAST_SUMMARY_TOKENS, most);
  return Math.max(1, Math.min(policy.maxSummaryTokens * MERGE_GROWTH, Math.max(least, share)));
}

function exchangesOf(events: readonly LoggedEvent[]): (seq: Seq) => ExchangeId {
  const exchanges = new Map(events.map((row) => [row.event.seq, row.exchange]));
  return (seq) => exchanges.get(seq) ?? seq;
}

function draftRecord(
  task: Task,
  context: readonly LoggedEvent[],
  made: Extract<KeepingFate, { readonly kind: 'summary' }>,
  usage: Usage | undefined,
  request: IdentifiedRequest,
  around: Surroundings,
): RecordDraft {
  const { window, basis, strategy } = task.plan;
  const { summarizer } = around.policy;
  const summary = { format: summarizer.format, text: made.text, literals: made.literals };
  const nonce = around.nonce();
  const model = { summarizer: summarizer.name, ...summarizer.model };
  const frame = frameSummary({ nonce, summary }, task.firstSeq, task.lastSeq);
  return {
    lane: window.lane,
    rootView: window.rootView,
    spans: task.spans,
    context: spansOf(context.map((row) => ({ seq: row.event.seq, ordinal: row.event.seq }))),
    supersedes: window.supersedes,
    over: window.over,
    summary,
    literals: made.share,
    nonce,
    strategy,
    basis,
    model,
    fingerprint: request.identity.requestFingerprint,
    ...(usage === undefined ? {} : { usage }),
    tokens: { covered: window.tokens, summary: around.store.counter.count(frame) },
    members: task.members,
  };
}
