import type { Problem } from '../../coverage/problem.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { Seq } from '../../event/ids.ts';
import type { Attempt } from '../../plan/attempt.ts';

/**
 * Every record was committed by an attempt, and every attempt that committed made its record: one that came about
 * otherwise was not made by the engine. A fork has no attempts of what it took along, up to `inheritedThrough`.
 */
export function ledgerProblems(
  graph: RecordGraph,
  attempts: readonly Attempt[],
  inheritedThrough: Seq,
): readonly Problem[] {
  const problems: Problem[] = [];
  const committed = new Map(attempts.map((attempt) => [attempt.id, attempt.record]));
  for (const { record } of graph.states) {
    if (graph.extent(record).last <= inheritedThrough || committed.get(record.attempt) === record.id)
      continue;
    problems.push({ kind: 'record_shape', record: record.id, detail: 'no attempt committed it' });
  }
  for (const { record, state } of attempts) {
    if (state !== 'committed' || record === undefined || graph.get(record) !== undefined) continue;
    problems.push({ kind: 'record_shape', record, detail: 'was committed and is not stored' });
  }
  return problems;
}
