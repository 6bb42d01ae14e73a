import { commitRefusal } from '../coverage/changes.ts';
import type { CountInSpans, RecordGraph } from '../coverage/record-graph.ts';
import type { ConflictReason } from '../event/errors.ts';
import type { AttemptId } from '../event/ids.ts';
import type { Attempt } from '../plan/attempt.ts';
import type { RecordDraft } from './session-store.ts';

/** What a store finds when it is asked to commit. */
export interface CommitFacts {
  readonly attempt: Attempt | undefined;
  /** The attempt that holds the lease of the draft's lane. */
  readonly leaseHolder: AttemptId | undefined;
  /** The lane's revision now. */
  readonly revision: number;
  /** At least the live records of the isolation that touch the draft, and those it supersedes. */
  readonly graph: RecordGraph;
  readonly count: CountInSpans;
}

/** Why a draft may not become a record now, in one order for all stores; null when it may. */
export function checkCommit(draft: RecordDraft, facts: CommitFacts): ConflictReason | null {
  const { attempt } = facts;
  if (attempt?.state !== 'started' || attempt.rootView !== draft.rootView) return 'attempt';
  if (facts.leaseHolder !== attempt.id) return 'lease';
  if (facts.revision !== draft.basis.revision) return 'revision';
  return commitRefusal(facts.graph, draft, facts.count);
}
