import type { CompactionRecord } from '../coverage/record.ts';
import { recordDigest } from '../coverage/record-digest.ts';
import type { AttemptId, RecordId } from '../event/ids.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { RecordDraft } from './session-store.ts';

/** What a store knows when it commits. */
export interface RecordFacts {
  readonly id: RecordId;
  readonly attempt: AttemptId;
  /** The revision the commit raises the lane to. */
  readonly revision: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** What the record covers itself, in seq order; only tokens and hashes are read. */
  readonly events: readonly { readonly hash: LoggedEvent['hash']; readonly tokens: number }[];
  /** The records it supersedes, in the order it names them. */
  readonly superseded: readonly CompactionRecord[];
  /** The records it lies over, in the order it names them. */
  readonly over: readonly CompactionRecord[];
}

/** The record a draft becomes: digest, level and counts are made here, in one place for all stores. */
export function buildRecord(draft: RecordDraft, facts: RecordFacts): CompactionRecord {
  const { members: _members, spend: _spend, tokens, ...rest } = structuredClone(draft);
  const covered = facts.superseded.reduce(
    (sum, record) => sum + record.tokens.covered,
    facts.events.reduce((sum, event) => sum + event.tokens, 0),
  );
  return deepFreeze({
    ...rest,
    id: facts.id,
    attempt: facts.attempt,
    revision: facts.revision,
    level: 1 + Math.max(0, ...[...facts.superseded, ...facts.over].map((record) => record.level)),
    digest: recordDigest({
      lane: draft.lane,
      rootView: draft.rootView,
      spans: draft.spans,
      supersedes: draft.supersedes,
      over: draft.over,
      summary: draft.summary,
      nonce: draft.nonce,
      tokens: draft.tokens,
      eventHashes: facts.events.map((event) => event.hash),
      supersededDigests: facts.superseded.map((record) => record.digest),
      overDigests: facts.over.map((record) => record.digest),
    }),
    tokens: { covered, summary: tokens.summary },
    events: facts.superseded.reduce((sum, record) => sum + record.events, facts.events.length),
    createdAt: facts.createdAt,
  });
}

/** Freezes plain data to any depth. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
