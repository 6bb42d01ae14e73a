import type { RecordState } from '../../src/coverage/record.ts';

/**
 * The most summaries that anything said passed through: the longest chain from a record made from events to one made from
 * the summaries before it. Read from what the records say they replace or lie over, never from their levels.
 */
export function mostRewrites(states: readonly RecordState[]): number {
  const passed = new Map<string, number>();
  let most = 0;
  // Oldest first: a record is only ever made from older ones.
  for (const { record } of states) {
    let before = 0;
    for (const id of [...record.supersedes, ...record.over]) {
      const known = passed.get(id);
      if (known === undefined) throw new Error(`record ${record.id} is made from one that is not older`);
      before = Math.max(before, known);
    }
    passed.set(record.id, before + 1);
    most = Math.max(most, before + 1);
  }
  return most;
}
