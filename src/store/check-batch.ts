import { canonicalJson } from '../event/canonical-json.ts';
import type { CheckedDraft } from '../event/draft.ts';
import { EventConflict } from '../event/errors.ts';
import type { JsonValue } from '../event/json.ts';

/** Refuses a batch in which one id names two contents: found before anything is stored. */
export function checkBatch(drafts: readonly CheckedDraft[]): readonly CheckedDraft[] {
  const byId = new Map<string, CheckedDraft>();
  for (const draft of drafts) {
    if (draft.id === null) continue;
    const known = byId.get(draft.id);
    if (known === undefined) byId.set(draft.id, draft);
    else if (saying(known) !== saying(draft)) throw new EventConflict(draft.id);
  }
  return drafts;
}

/** What a draft says, without where and when it was said. */
function saying(draft: CheckedDraft): string {
  const { invocation: _invocation, lane: _lane, createdAt: _createdAt, usage: _usage, ...said } = draft;
  // A checked draft holds only what JSON can carry.
  return canonicalJson(said as unknown as JsonValue);
}
