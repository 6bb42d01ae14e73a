import type { CompactionRecord } from '../../coverage/record.ts';
import { checkLane } from '../../event/draft.ts';
import { CommitConflict } from '../../event/errors.ts';
import type { AttemptId, IdSource, RecordId, SessionKey } from '../../event/ids.ts';
import type { Attempt } from '../../plan/attempt.ts';
import { type DeclinedAttempt, declinedFor } from '../allowance.ts';
import { buildRecord, deepFreeze } from '../build-record.ts';
import { checkCommit } from '../check-commit.ts';
import type { LeaseOutcome, LeaseRequest, RecordDraft } from '../session-store.ts';
import {
  findAttempt,
  finishAttempt,
  insertAttempt,
  leaseOf,
  readAttempts,
  startAttempt,
} from './attempt-rows.ts';
import { addRecord, recordsTouched } from './change-coverage.ts';
import { countInSpans, membersInSpans } from './event-rows.ts';
import { findRecord, graphOf } from './record-rows.ts';
import { FIRST_REVISION } from './session-lanes.ts';
import { tokensSpent } from './spend-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** The store's clock and ids, as a transaction uses them. */
export interface Moment {
  /** Milliseconds of the store's clock, and the same as ISO 8601. */
  readonly now: number;
  readonly time: string;
  readonly newId: IdSource;
}

/** Takes a lane's lease and starts its attempt; an expired holder's attempt is abandoned. */
export function takeLease(
  session: SqliteSession,
  key: SessionKey,
  request: LeaseRequest,
  moment: Moment,
): LeaseOutcome {
  const wanted = checkLane(request.lane);
  const known = session.lanes.find(wanted);
  const held = leaseOf(session, known);
  if (held !== undefined && held.expiresAt > moment.now) {
    return { taken: false, heldBy: held.holder, expiresInMilliseconds: held.expiresAt - moment.now };
  }
  if ((known?.revision ?? FIRST_REVISION) !== request.revision) throw new CommitConflict('revision', 'lane');
  const begin = (): Attempt =>
    deepFreeze({
      id: moment.newId() as AttemptId,
      lane: wanted,
      rootView: request.rootView,
      trigger: request.trigger,
      window: structuredClone(request.window),
      ...(request.measured === undefined ? {} : { measured: structuredClone(request.measured) }),
      state: 'started',
      startedAt: moment.time,
      invocationCount: session.invocations.count,
    });
  const declined = declinedLease(session, key, request, moment.now, begin);
  if (declined !== null) {
    if (declined.isNew) insertAttempt(session, session.lanes.ensure(wanted), declined.attempt);
    return { taken: false, declined: declined.attempt };
  }
  if (held !== undefined) {
    finishAttempt(session, held.attempt, { state: 'abandoned', reason: 'lease_expired' }, moment);
  }
  const attempt = begin();
  const expiresAt = moment.now + request.milliseconds;
  startAttempt(session, session.lanes.ensure(wanted), attempt, request.holder, expiresAt);
  return { taken: true, attempt };
}

function declinedLease(
  session: SqliteSession,
  key: SessionKey,
  { allowance, lane }: LeaseRequest,
  now: number,
  begin: () => Attempt,
): DeclinedAttempt | null {
  if (allowance === undefined) return null;
  return declinedFor(allowance, {
    now,
    invocationCount: session.invocations.count,
    tokensSpent: (tenant, hours) => tokensSpent(session.database, key, tenant, hours),
    newestAttempts: (most) => readAttempts(session, { lane, newest: most }),
    begin,
  });
}

/** Stores a record and ends its attempt; `CommitConflict`, and nothing stored, when what it was planned from is no longer so. */
export function commitRecord(
  session: SqliteSession,
  attemptId: AttemptId,
  draft: RecordDraft,
  moment: Moment,
): CompactionRecord {
  const known = session.lanes.find(draft.lane);
  const superseded = draft.supersedes.flatMap((id) => findRecord(session, id) ?? []);
  const over = draft.over.flatMap((id) => findRecord(session, id) ?? []);
  const named = [...superseded, ...over];
  const touched = known === undefined ? [] : recordsTouched(session, known, named, draft.spans);
  const refusal = checkCommit(draft, {
    attempt: findAttempt(session, attemptId),
    leaseHolder: leaseOf(session, known)?.attempt,
    revision: known?.revision ?? FIRST_REVISION,
    graph: graphOf(touched),
    count: countInSpans(session),
  });
  // A lane without a row has no lease, so that nothing commits there.
  if (refusal !== null || known === undefined) throw new CommitConflict(refusal ?? 'lease', attemptId);
  const record = buildRecord(draft, {
    id: moment.newId() as RecordId,
    attempt: attemptId,
    revision: draft.basis.revision + 1,
    createdAt: moment.time,
    events: membersInSpans(session, known, draft.rootView, draft.spans),
    superseded: superseded.map((stored) => stored.record),
    over: over.map((stored) => stored.record),
  });
  addRecord(session, known, record, touched);
  const { usage, spend } = draft;
  const end = {
    state: 'committed',
    record: record.id,
    ...(usage === undefined ? {} : { usage }),
    spend,
  } as const;
  finishAttempt(session, attemptId, end, moment);
  return record;
}
