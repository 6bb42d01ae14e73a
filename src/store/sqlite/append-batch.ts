import type { CheckedDraft } from '../../event/draft.ts';
import { EventConflict } from '../../event/errors.ts';
import type { StoredEvent } from '../../event/event.ts';
import type { EventId, IdSource } from '../../event/ids.ts';
import { saysTheSame } from '../seal-event.ts';
import { type AppendFacts, appendEvent } from './append-event.ts';
import { eventWithId } from './event-rows.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** Stores drafts in order; those whose id is known give the stored event, or `EventConflict` when they say something else. */
export function appendBatch(
  session: SqliteSession,
  drafts: readonly CheckedDraft[],
  newId: IdSource,
  facts: AppendFacts,
): readonly StoredEvent[] {
  return drafts.map((draft) => {
    if (draft.id === null) return appendEvent(session, draft, newId() as EventId, facts);
    const id = draft.id as EventId;
    const known = eventWithId(session, id);
    if (known === null) return appendEvent(session, draft, id, facts);
    if (!saysTheSame(draft, known.event, known.hash)) throw new EventConflict(id);
    return known.event;
  });
}
