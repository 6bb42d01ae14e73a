import { type ConflictReason, RefusedError } from '../event/errors.ts';
import type { RecordId } from '../event/ids.ts';
import { isRootBranch, type Lane } from '../event/lane.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import { inScope, type RecordGraph } from './record-graph.ts';
import { areSpans, intersectSpans, type Spans, uniteSpans } from './span.ts';

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
  const replaced = new Map<RecordId, CompactionRecord>();
  for (const id of supersedes) {
    const record = graph.get(id)?.record;
    if (record === undefined || !graph.isLive(id) || replaced.has(id)) return 'superseded';
    if (record.rootView !== rootView || !inScope(record, lane)) return 'superseded';
    replaced.set(id, record);
  }
  if (count(lane, rootView, spans) !== candidate.members) return 'window';
  // Only so do spans of one scope that meet share an event.
  for (const { first, last } of spans) {
    if (count(lane, rootView, [{ first, last: first }]) !== 1) return 'window';
    if (last > first && count(lane, rootView, [{ first: last, last }]) !== 1) return 'window';
  }
  const records = [...replaced.values()];
  const whole = {
    ...candidate,
    spans: uniteSpans([spans, ...records.map((record) => graph.fullSpans(record))]),
    events: records.reduce((sum, record) => sum + record.events, candidate.members),
  };
  // A lane record inside a live root view meets a new one only where the views meet.
  const others = rootView ? graph.outsideViews(lane.isolation) : graph.liveOfLane(lane);
  for (const { record } of [...graph.liveRootViews(lane.isolation), ...others]) {
    if (record.rootView === rootView) {
      // What it replaces too: it covers that already, through it.
      if (intersectSpans(spans, graph.fullSpans(record)).length > 0) return 'overlap';
    } else if (!insideOrApart(graph, record, whole, count)) {
      return 'overlap';
    }
  }
  return null;
}

/** A lane's record lies wholly inside a root view or wholly outside it. */
function insideOrApart(
  graph: RecordGraph,
  record: CompactionRecord,
  whole: Pick<CompactionRecord, 'lane' | 'spans' | 'events'>,
  count: CountInSpans,
): boolean {
  const shared = intersectSpans(whole.spans, graph.fullSpans(record));
  if (shared.length === 0) return true;
  const laneRecord = record.rootView ? whole : record;
  const inside = count(laneRecord.lane, false, shared);
  return inside === 0 || inside === laneRecord.events;
}

/** Why a record cannot be undone, as an error naming the records in its way; null when it can. */
export function undoRefusal(
  graph: RecordGraph,
  state: RecordState,
  count: CountInSpans,
): RefusedError | null {
  const { id } = state.record;
  if (state.undone) return new RefusedError(id, `record ${id} is undone already`);
  if (!graph.isLive(id)) {
    const above = graph.supersedersOf(id).map((other) => other.record.id);
    return new RefusedError(id, `record ${id} is superseded; first undo ${above.join(', ')}`, above);
  }
  const across = edgesCrossed(graph, graph.with({ ...state, undone: true }), state.record, count);
  if (across.length === 0) return null;
  const problem = `what it replaced would be live again, and ${across.join(', ')} lie across the edge of that`;
  return new RefusedError(id, `record ${id} cannot be undone: ${problem}`, across);
}

/** Live lane records that would lie partly inside a root view that is live only after. */
function edgesCrossed(
  before: RecordGraph,
  after: RecordGraph,
  undone: CompactionRecord,
  count: CountInSpans,
): readonly RecordId[] {
  const crossed = new Set<RecordId>();
  for (const { record: view } of after.liveRootViews(undone.lane.isolation)) {
    if (before.isLive(view.id)) continue;
    const whole = { ...view, spans: after.fullSpans(view) };
    for (const { record } of after.live()) {
      if (record.rootView || record.lane.isolation !== view.lane.isolation) continue;
      if (!insideOrApart(after, record, whole, count)) crossed.add(record.id);
    }
  }
  return [...crossed];
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
  const whole = { ...record, spans: graph.fullSpans(record) };
  const inTheWay: RecordId[] = [];
  for (const { record: other } of graph.live()) {
    if (named.has(other.id) || other.lane.isolation !== record.lane.isolation) continue;
    if (other.rootView === record.rootView) {
      if (!inScope(other, record.lane)) continue;
      if (intersectSpans(whole.spans, graph.fullSpans(other)).length > 0) inTheWay.push(other.id);
    } else if (!insideOrApart(graph, other, whole, count)) {
      inTheWay.push(other.id);
    }
  }
  if (inTheWay.length === 0) return null;
  return new RefusedError(
    record.id,
    `record ${record.id} cannot be redone: ${inTheWay.join(', ')} cover its events now`,
    inTheWay,
  );
}
