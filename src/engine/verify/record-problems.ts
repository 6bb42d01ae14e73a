import type { Problem } from '../../coverage/problem.ts';
import type { CompactionRecord } from '../../coverage/record.ts';
import { recordDigest } from '../../coverage/record-digest.ts';
import { inScope, namedBy, type RecordGraph } from '../../coverage/record-graph.ts';
import { areSpans, intersectSpans } from '../../coverage/span.ts';
import type { EventAudit } from './event-audit.ts';

/** Every record: its shape, what it supersedes, its counts, and its digest taken anew. */
export function recordProblems(graph: RecordGraph, audit: EventAudit): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { record } of graph.states) {
    const note = (kind: Problem['kind'], detail: string): void => {
      problems.push({ kind, record: record.id, detail });
    };
    const superseded: CompactionRecord[] = [];
    for (const id of record.supersedes) {
      const below = graph.get(id)?.record;
      if (below === undefined) note('record_supersedes', `names ${id}, which does not exist`);
      else if (!seen.has(id)) note('record_supersedes', `names ${id}, which is not older`);
      else if (below.rootView !== record.rootView || !inScope(below, record.lane)) {
        note('record_supersedes', `names ${id}, which is of another lane`);
      } else superseded.push(below);
    }
    const over: CompactionRecord[] = [];
    for (const id of record.over) {
      const below = graph.get(id)?.record;
      if (below === undefined) note('record_supersedes', `lies over ${id}, which does not exist`);
      else if (!seen.has(id)) note('record_supersedes', `lies over ${id}, which is not older`);
      else if (!record.rootView || below.rootView || !inScope(record, below.lane)) {
        note('record_supersedes', `lies over ${id}, which is no lane's record of its isolation`);
      } else {
        over.push(below);
        const inside = intersectSpans(record.spans, graph.fullSpans(below));
        if (audit.countInSpans(below.lane, false, inside) !== below.events)
          note('record_shape', `does not cover all that ${id} covers, over which it lies`);
      }
    }
    if (new Set(namedBy(record)).size !== record.supersedes.length + record.over.length)
      note('record_supersedes', 'names a record twice');
    seen.add(record.id);
    const level = 1 + Math.max(0, ...[...superseded, ...over].map((below) => below.level));
    if (level !== record.level) note('record_shape', `is of level ${record.level}, should be of ${level}`);
    if (!areSpans(record.context)) note('record_shape', 'context is not sorted and disjoint');
    if (!areSpans(record.spans)) {
      note('record_shape', 'spans are not sorted and disjoint');
      continue;
    }
    const members = audit.inSpans(record.lane, record.rootView, record.spans);
    const ends = new Set(members.map((row) => row.event.seq));
    if (record.spans.some((span) => !ends.has(span.first) || !ends.has(span.last))) {
      note('record_shape', 'a span does not end on events of its lane');
    }
    const events = superseded.reduce((sum, below) => sum + below.events, members.length);
    const tokens = superseded.reduce(
      (sum, below) => sum + below.tokens.covered,
      members.reduce((sum, row) => sum + row.tokens, 0),
    );
    if (events !== record.events) note('record_shape', `counts ${record.events} events, covers ${events}`);
    if (tokens !== record.tokens.covered)
      note('record_shape', `counts ${record.tokens.covered} tokens, covers ${tokens}`);
    const digest = recordDigest({
      lane: record.lane,
      rootView: record.rootView,
      spans: record.spans,
      supersedes: record.supersedes,
      summary: record.summary,
      eventHashes: members.map((row) => row.hash),
      supersededDigests: superseded.map((below) => below.digest),
      over: record.over,
      overDigests: over.map((below) => below.digest),
      nonce: record.nonce,
      tokens: record.tokens,
    });
    if (digest !== record.digest)
      note('record_digest', 'is not what its events, summary and superseded records say');
  }
  return problems;
}
