import type { CheckedDraft } from '../../event/draft.ts';
import type { StoredEvent } from '../../event/event.ts';
import type { EventId, InvocationId } from '../../event/ids.ts';
import { linkDraft } from '../../event/link.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { noteEvent, type Opening, showsLife } from '../note-invocation.ts';
import { sealEvent } from '../seal-event.ts';
import { setPinned } from './change-coverage.ts';
import { insertEvent } from './event-rows.ts';
import { mergeWith, renameExchange } from './exchange-rows.ts';
import { answerObligation, insertObligation, ObligationRows } from './obligation-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** What an append knows beside its drafts. */
export interface AppendFacts {
  readonly counter: TokenCounter;
  /** Milliseconds of the store's clock, and the same as ISO 8601. */
  readonly now: number;
  readonly time: string;
  readonly opening: Opening;
  readonly leaseMilliseconds: number;
}

/** Stores the next event of a session: links it, counts it, and lets its lane, invocation and exchange know. */
export function appendEvent(
  session: SqliteSession,
  draft: CheckedDraft,
  id: EventId,
  facts: AppendFacts,
): StoredEvent {
  const invocationId = (draft.invocation ?? `turn:${id}`) as InvocationId;
  const link = linkDraft(draft, id, invocationId, new ObligationRows(session));
  const seq = session.last.seq + 1;
  const sealing = { seq, id, invocation: invocationId, now: facts.time };
  const { event, hash } = sealEvent(draft, link, sealing, facts.counter);

  const lane = session.lanes.ensure(event.lane);
  session.lanes.count(lane, event);
  const noted = noteEvent(
    session.invocations.find(invocationId),
    event,
    facts.opening,
    session.invocations.count,
  );
  const invocation = showsLife(noted, facts.now, facts.leaseMilliseconds);
  session.invocations.set(invocation);

  const merger = mergeWith(session, seq, link.joins);
  const exchange = merger.id;
  renameExchange(session, merger.renamed, exchange);
  if (merger.newlyPinned.length > 0) setPinned(session, merger.newlyPinned, true);
  insertEvent(session, event, {
    lane,
    invocation: invocation.ordinal,
    exchange,
    pinned: merger.pinned,
    link,
    laneOrdinal: lane.events,
    isolationOrdinal: session.lanes.rootOf(lane).isolationEvents,
    hash,
  });
  session.database.run(
    'INSERT INTO uncovered (root, under, seq, lane) VALUES (?, 0, ?, ?)',
    lane.root,
    seq,
    lane.id,
  );
  for (const opened of link.opens) {
    insertObligation(session, opened, { seq, lane, invocation: invocation.ordinal, exchange });
  }
  for (const answered of link.answers) answerObligation(session, answered, seq);
  session.append(seq, id);
  return event;
}
