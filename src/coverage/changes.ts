import { type ConflictReason, RefusedError } from '../event/errors.ts';
import type { RecordId } from '../event/ids.ts';
import { isRootBranch, type Lane } from '../event/lane.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import { inScope, type RecordGraph } from './record-graph.ts';
import { areSpans, intersectSpans, type Spans } from './span.ts';

/** Counts the events of a lane, or of every branch of its isolation, inside spans. */
export type CountInSpans = (lane: Lane, everyBranch: boolean, spans: Spans) => number;

/** What is about to be committed, as far as geometry is concerned. */
export type Candidate = Pick<CompactionRecord, 'lane' | 'rootView' | 'spans' | 'supersedes'> & {
  /** How many events its spans must hold. */
  readonly members: number;
};

/**
 * Whether a candidate may become a record now: what it supersedes is live and of its kind, its spans end on events of
 * its scope and hold exactly those its summarizer was shown, and it touches no live record that it does not replace.
 * Null when it may. Of the graph it reads only the live records and those superseded.
 */
export function commitRefusal(
  graph: RecordGraph,
  candidate: Candidate,
  count: CountInSpans,
): ConflictReason | null {
  const { lane, rootView, spans, supersedes } = candidate;
  if (!areSpans(spans) || (spans.length === 0 && supersedes.length === 0)) return 'window';
  if (rootView && !isRootBranch(lane)) return 'window';
  for (const id of supersedes) {
    const replaced = graph.get(id);
    if (replaced === undefined || !graph.isLive(id)) return 'superseded';
    if (replaced.record.rootView !== rootView || !inScope(replaced.record, lane)) return 'superseded';
  }
  if (count(lane, rootView, spans) !== candidate.members) return 'window';
  // Only so do spans of one scope that meet share an event.
  for (const { first, last } of spans) {
    if (count(lane, rootView, [{ first, last: first }]) !== 1) return 'window';
    if (last > first && count(lane, rootView, [{ first: last, last }]) !== 1) return 'window';
  }
  const replaced = new Set(supersedes);
  for (const { record } of graph.live()) {
    if (replaced.has(record.id) || record.lane.isolation !== lane.isolation) continue;
    const shared = intersectSpans(spans, graph.fullSpans(record));
    if (shared.length === 0) continue;
    if (record.rootView === rootView) {
      if (inScope(record, lane)) return 'overlap';
    } else if (!insideOrApart(record, candidate, shared, count)) {
      return 'overlap';
    }
  }
  return null;
}

/** A lane's record lies wholly inside a root view or wholly outside it. */
function insideOrApart(
  record: CompactionRecord,
  candidate: Candidate,
  shared: Spans,
  count: CountInSpans,
): boolean {
  const lane = record.rootView ? candidate.lane : record.lane;
  const whole = record.rootView ? candidate.members : record.events;
  const inside = count(lane, false, shared);
  return inside === 0 || inside === whole;
}

/** Why a record cannot be undone, as an error to throw; null when it can. */
export function undoRefusal(graph: RecordGraph, state: RecordState): RefusedError | null {
  const { id } = state.record;
  if (state.undone) return new RefusedError(id, `record ${id} is undone already`);
  if (graph.isLive(id)) return null;
  const above = graph.supersedersOf(id).map((other) => other.record.id);
  return new RefusedError(id, `record ${id} is superseded; first undo ${above.join(', ')}`, above);
}

/** Why an undone record cannot be restored, as an error naming the records in its way; null when it can. */
export function redoRefusal(
  graph: RecordGraph,
  state: RecordState,
  count: CountInSpans,
): RefusedError | null {
  const { record } = state;
  if (!state.undone) return new RefusedError(record.id, `record ${record.id} is not undone`);
  const named = graph.supersededBy(record);
  const spans = graph.fullSpans(record);
  const inTheWay: RecordId[] = [];
  for (const { record: other } of graph.live()) {
    if (named.has(other.id) || other.lane.isolation !== record.lane.isolation) continue;
    const shared = intersectSpans(spans, graph.fullSpans(other));
    if (shared.length === 0) continue;
    if (other.rootView === record.rootView) {
      if (inScope(other, record.lane)) inTheWay.push(other.id);
      continue;
    }
    const laneRecord = other.rootView ? record : other;
    const inside = count(laneRecord.lane, false, shared);
    if (inside !== 0 && inside !== laneRecord.events) inTheWay.push(other.id);
  }
  if (inTheWay.length === 0) return null;
  return new RefusedError(
    record.id,
    `record ${record.id} cannot be redone: ${inTheWay.join(', ')} cover its events now`,
    inTheWay,
  );
}
