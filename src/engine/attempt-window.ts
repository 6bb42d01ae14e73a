import type { CompactionRecord } from '../coverage/record.ts';
import { spansOf } from '../coverage/span.ts';
import { CommitConflict, InvalidSummaryError, SummaryTooLargeError } from '../event/errors.ts';
import type { Usage } from '../event/event.ts';
import type { Seq, SessionKey } from '../event/ids.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { ExchangeId } from '../event/obligation.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { Plan } from '../plan/plan.ts';
import { NOT_SMALLER } from '../plan/progress.ts';
import { frameSummary } from '../prompt/frame.ts';
import type { RecordDraft, SessionStore } from '../store/session-store.ts';
import type { SetTimer } from '../summary/call.ts';
import { requestIdentity } from '../summary/contract/request-fingerprint.ts';
import { requireSmaller } from '../summary/gate.ts';
import { gatherLiterals } from '../summary/literals/gather-literals.ts';
import type { FoundLiteral } from '../summary/literals/literal-kind.ts';
import { type KeepingFate, shareAllowance, summarizeKeeping } from '../summary/literals/summarize-keeping.ts';
import { sourceEvents } from '../summary/snapshot.ts';
import type { PreviousSummary, SummaryRequest } from '../summary/summarizer.ts';
import type { CompactionOutcome } from './outcome.ts';
import type { CheckedPolicy } from './policy.ts';
import { requireFits } from './require-fits.ts';

type WindowPlan = Extract<Plan, { readonly kind: 'window' }>;
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

/** A lease outlives the call it covers by this. */
const LEASE_MARGIN_MILLISECONDS = 30_000;
/** The most events of earlier invocations a summarizer reads as context. */
const MAX_OVERLAP_EVENTS = 200;
/** A summary takes at most this share of what it covers… */
const SUMMARY_SHARE = 0.2;
/** …and where it replaces summaries, at most this share of what leaves the prompt… */
const MOST_OF_LEAVING = 0.6;
/** …but is never asked to fit less than this many tokens. */
const LEAST_SUMMARY_TOKENS = 160;

/**
 * Carries out one plan: lease, summarizer, gate, commit. Whatever happens is an outcome: nothing is thrown, and unless
 * it is `committed` nothing in the session has changed but its ledger. `stale`: the lane changed since the plan was
 * made, and nothing was begun.
 */
export async function attemptWindow(
  key: SessionKey,
  plan: WindowPlan,
  around: Surroundings,
): Promise<CompactionOutcome | 'stale'> {
  const { store, policy, holder } = around;
  const { window, basis, strategy } = plan;
  const { lane, rootView, spans, tokens, invocations } = window;
  try {
    const lease = await store.takeLease(key, {
      lane,
      rootView,
      trigger: strategy,
      window: { spans, events: window.events.length, tokens, invocations },
      revision: basis.revision,
      holder,
      milliseconds: policy.deadlineMilliseconds + LEASE_MARGIN_MILLISECONDS,
    });
    if (!lease.taken) return { kind: 'busy', lane, heldBy: lease.heldBy };
    return await carryOut(key, plan, lease.attempt, around);
  } catch (cause) {
    if (cause instanceof CommitConflict) return 'stale';
    return { kind: 'error', lane, reason: 'store', cause };
  }
}

async function carryOut(
  key: SessionKey,
  plan: WindowPlan,
  attempt: Attempt,
  around: Surroundings,
): Promise<Ended> {
  const { store, policy } = around;
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
    });
    return { kind, attempt: ended, reason, ...(cause === undefined ? {} : { cause }) };
  };
  let usage: Usage | undefined;
  try {
    const context = await readContext(key, plan, store);
    const superseded = await readSuperseded(key, plan, store);
    const found = policy.literals ? await literalsOf(plan, superseded) : [];
    const allowance = shareAllowance(allowanceFor(plan, superseded, policy), found, store.counter);
    const request = requestFor(plan, context, superseded, allowance.prose, around);
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
    const draft = draftRecord(plan, context, fate, usage, request, around);
    const tokens = exchangeRate(plan, superseded, draft);
    requireSmaller(tokens);
    await requireFits(key, plan.window, tokens, store, policy);
    const record = await store.commit(key, attempt.id, draft);
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

async function readSuperseded(
  key: SessionKey,
  plan: WindowPlan,
  store: CompactionStore,
): Promise<readonly CompactionRecord[]> {
  const { supersedes } = plan.window;
  if (supersedes.length === 0) return [];
  const records = new Map((await store.records(key)).map(({ record }) => [record.id, record]));
  return supersedes.flatMap((id) => records.get(id) ?? []);
}

function requestFor(
  plan: WindowPlan,
  context: readonly LoggedEvent[],
  superseded: readonly CompactionRecord[],
  maxSummaryTokens: number,
  around: Surroundings,
): IdentifiedRequest {
  const { window, basis } = plan;
  const { policy, store } = around;
  const previous = superseded.map(
    (record): PreviousSummary =>
      Object.freeze({
        firstSeq: record.spans[0]?.first ?? 0,
        lastSeq: record.spans.at(-1)?.last ?? 0,
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

/** The exact values in what the window covers and in the summaries it replaces. */
function literalsOf(
  { window }: WindowPlan,
  superseded: readonly CompactionRecord[],
): Promise<readonly FoundLiteral[]> {
  return gatherLiterals(
    sourceEvents(window.events, window.unanswered),
    superseded.map(({ summary }) => summary),
  );
}

/** The tokens of a summary: a share of all it stands in for, but not so many that little is gained over what leaves the prompt. */
function allowanceFor(
  plan: WindowPlan,
  superseded: readonly CompactionRecord[],
  policy: CheckedPolicy,
): number {
  const covered = superseded.reduce((sum, record) => sum + record.tokens.covered, plan.window.tokens);
  const leaves = superseded.reduce((sum, record) => sum + record.tokens.summary, plan.window.tokens);
  const share = Math.floor(Math.min(covered * SUMMARY_SHARE, leaves * MOST_OF_LEAVING));
  return Math.min(policy.maxSummaryTokens, Math.max(LEAST_SUMMARY_TOKENS, share));
}

function exchangesOf(events: readonly LoggedEvent[]): (seq: Seq) => ExchangeId {
  const exchanges = new Map(events.map((row) => [row.event.seq, row.exchange]));
  return (seq) => exchanges.get(seq) ?? seq;
}

function draftRecord(
  plan: WindowPlan,
  context: readonly LoggedEvent[],
  made: Extract<KeepingFate, { readonly kind: 'summary' }>,
  usage: Usage | undefined,
  request: IdentifiedRequest,
  around: Surroundings,
): RecordDraft {
  const { window, basis, strategy } = plan;
  const { summarizer } = around.policy;
  const summary = { format: summarizer.format, text: made.text, literals: made.literals };
  const nonce = around.nonce();
  const model = { summarizer: summarizer.name, ...summarizer.model };
  const first = window.spans[0]?.first ?? 0;
  const last = window.spans.at(-1)?.last ?? 0;
  const framed = around.store.counter.count(frameSummary({ nonce, summary }, first, last));
  return {
    lane: window.lane,
    rootView: window.rootView,
    spans: window.spans,
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
    tokens: { covered: window.tokens, summary: framed },
    members: window.events.length,
  };
}

/** What leaves the prompt and what enters it, in tokens. */
function exchangeRate(
  plan: WindowPlan,
  superseded: readonly CompactionRecord[],
  draft: RecordDraft,
): { readonly leaves: number; readonly enters: number } {
  const summaries = superseded.reduce((sum, record) => sum + record.tokens.summary, 0);
  return { leaves: plan.window.tokens + summaries, enters: draft.tokens.summary };
}
