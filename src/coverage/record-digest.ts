import { canonicalJson } from '../event/canonical-json.ts';
import { sha256 } from '../event/hash-event.ts';
import type { RecordId } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { Summary } from './record.ts';
import type { Spans } from './span.ts';

/** What a record's digest is taken over. */
export interface DigestInput {
  readonly lane: Lane;
  readonly rootView: boolean;
  readonly spans: Spans;
  readonly supersedes: readonly RecordId[];
  readonly over: readonly RecordId[];
  readonly summary: Summary;
  readonly nonce: string;
  readonly tokens: { readonly summary: number };
  /** Hashes of the events it covers itself, in seq order. */
  readonly eventHashes: readonly string[];
  /** Digests of the records it supersedes, in the order it names them. */
  readonly supersededDigests: readonly string[];
  /** Digests of the records it lies over, in the order it names them. */
  readonly overDigests: readonly string[];
}

/**
 * SHA-256, hex: a tree over the events a record covers itself, the digests of what it supersedes, and its own facts.
 * Making one costs what the window costs, never the history.
 */
export function recordDigest(input: DigestInput): string {
  return sha256(
    canonicalJson({
      events: input.eventHashes,
      lane: { branch: input.lane.branch, isolation: input.lane.isolation },
      nonce: input.nonce,
      over: input.over,
      overDigests: input.overDigests,
      rootView: input.rootView,
      spans: input.spans.map(({ first, last }) => [first, last]),
      summary: {
        format: input.summary.format,
        literals: input.summary.literals.map(({ text, from }) => ({ from, text })),
        text: input.summary.text,
      },
      summaryTokens: input.tokens.summary,
      superseded: input.supersededDigests,
      supersedes: input.supersedes,
    }),
  );
}
