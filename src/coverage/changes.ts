import { type ConflictReason, RefusedError } from '../event/errors.ts';
import type { RecordId, Seq } from '../event/ids.ts';
import { isRootBranch } from '../event/lane.ts';
import { extentOf } from './live-records.ts';
import type { CompactionRecord, RecordState } from './record.ts';
import { type CountInSpans, inScope, namedBy, RecordGraph } from './record-graph.ts';
import { areSpans, intersectSpans, spansMeet } from './span.ts';

/** What is about to be committed, as far as geometry is concerned. */
export type Candidate = Pick<CompactionRecord, 'lane' | 'rootView' | 'spans' | 'supersedes' | 'over'> & {
  /** How many events its spans must hold. */
  readonly members: number;
};

type Records = ReadonlyMap<RecordId, CompactionRecord>;

/**
 * Whether a candidate may become a record now: what it supersedes and lies over is live and of the right kind, its
 * spans end on events of its scope and hold exactly those its summarizer was shown, themselves or in the summaries it
 * lies over, and it touches no live record that it does not replace. Null when it may. Of the graph it reads only the
 * records named, the live ones that reach into the candidate's own spans, and the root views the named ones lie in.
 */
export function commitRefusal(
  graph: RecordGraph,
  candidate: Candidate,
  count: CountInSpans,
): ConflictReason | null {
  const { lane, rootView, spans, supersedes, over } = candidate;
  if (!areSpans(spans) || (spans.length === 0 && supersedes.length === 0)) return 'window';
  if (rootView ? !isRootBranch(lane) : over.length > 0) return 'window';
  const replaced = liveOnes(
    graph,
    supersedes,
    (record) => record.rootView === rootView && inScope(record, lane),
  );
  const below = liveOnes(graph, over, (record) => !record.rootView && inScope(candidate, record.lane));
  if (replaced === null || below === null || !seenBeside(graph, below, replaced)) return 'superseded';
  if (count(lane, rootView, spans) !== candidate.members) return 'window';
  // Only so do spans of one scope that meet share an event.
  for (const { first, last } of spans) {
    if (count(lane, rootView, [{ first, last: first }]) !== 1) return 'window';
    if (last > first && count(lane, rootView, [{ first: last, last }]) !== 1) return 'window';
  }
  for (const record of below.values()) {
    if (sharedBy(graph, record, candidate, count) !== record.events) return 'window';
  }
  for (const { record } of graph.rivals(candidate, extentOf(spans))) {
    // What it replaces too: it covers that already, through it.
    if (spansMeet(spans, graph.fullSpans(record))) return 'overlap';
  }
  const crosses = rootView
    ? viewCrosses(graph, candidate, count)
    : laneRecordCrosses(graph, candidate, replaced, count);
  return crosses ? 'overlap' : null;
}

/** The live records of these ids, all different and all fit; null where one is not. */
function liveOnes(
  graph: RecordGraph,
  ids: readonly RecordId[],
  isFit: (record: CompactionRecord) => boolean,
): Records | null {
  const found = new Map<RecordId, CompactionRecord>();
  for (const id of ids) {
    const record = graph.get(id)?.record;
    if (record === undefined || !graph.isLive(id) || found.has(id) || !isFit(record)) return null;
    found.set(id, record);
  }
  return found;
}

/** Whether lane records lie in no live root view but those replaced. */
function seenBeside(graph: RecordGraph, below: Records, replaced: Records): boolean {
  return [...below.values()].every((record) => {
    const view = viewOf(graph, record);
    return view === null || replaced.has(view);
  });
}

/** The live root view a lane's record lies in: in whole, so that its first event tells. */
function viewOf(graph: RecordGraph, record: CompactionRecord): RecordId | null {
  return graph.rootViewAt(record.lane.isolation, graph.extent(record).first)?.record.id ?? null;
}

/** How many events of a lane's record lie in the spans of a root view. */
function sharedBy(
  graph: RecordGraph,
  record: CompactionRecord,
  view: Pick<CompactionRecord, 'spans'>,
  count: CountInSpans,
): number {
  return count(record.lane, false, intersectSpans(view.spans, graph.fullSpans(record)));
}

/**
 * Whether a lane's record lies partly inside a root view that would be. What that replaces holds lane records whole or
 * not at all, so only its own spans can part one.
 */
function viewCrosses(graph: RecordGraph, view: Candidate, count: CountInSpans): boolean {
  for (const { record } of graph.across(view, extentOf(view.spans))) {
    const inside = sharedBy(graph, record, view, count);
    if (inside !== 0 && inside !== record.events) return true;
  }
  return false;
}

/** Whether a lane's record that would be lies partly inside a root view: what it replaces and its own events all lie in the same one, or all in none. */
function laneRecordCrosses(
  graph: RecordGraph,
  candidate: Candidate,
  replaced: Records,
  count: CountInSpans,
): boolean {
  const { lane, spans, members } = candidate;
  const views = new Set([...replaced.values()].map((record) => viewOf(graph, record)));
  const [own] = spans;
  if (own !== undefined) views.add(graph.rootViewAt(lane.isolation, own.first)?.record.id ?? null);
  if (views.size > 1) return true;
  for (const { record } of graph.across(candidate, extentOf(spans))) {
    const inside = count(lane, false, intersectSpans(spans, graph.fullSpans(record)));
    if (inside !== 0 && inside !== members) return true;
  }
  return false;
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
      if (spansMeet(whole.spans, graph.fullSpans(other))) inTheWay.push(other.id);
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

/**
 * The records a fork takes: those that cover and read, and were made from ones that cover and read, only events up to a
 * seq. Without a merge that reached further, what it replaced stands again, and a lane's record committed since may lie
 * across the edge of that: such a one stays behind, with all made from it, and its events are raw.
 */
export function recordsThrough(graph: RecordGraph, seq: Seq, count: CountInSpans): readonly RecordState[] {
  let kept = graph.through(seq);
  for (;;) {
    const crossing = recordsAcross(new RecordGraph(kept), count);
    if (crossing.size === 0) return kept;
    const left = new Set<RecordId>();
    kept = kept.filter(({ record }) => {
      if (!crossing.has(record.id) && namedBy(record).every((id) => left.has(id))) left.add(record.id);
      return left.has(record.id);
    });
  }
}

/** Live lane records that lie partly inside a live root view. */
function recordsAcross(graph: RecordGraph, count: CountInSpans): ReadonlySet<RecordId> {
  const across = new Set<RecordId>();
  for (const { record } of graph.live()) {
    if (record.rootView) continue;
    for (const { record: view } of graph.liveRootViews(record.lane.isolation)) {
      const whole = { ...view, spans: graph.fullSpans(view) };
      if (!insideOrApart(graph, record, whole, count)) across.add(record.id);
    }
  }
  return across;
}
