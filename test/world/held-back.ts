import type { CompactionRecord } from '../../src/coverage/record.ts';
import { exchangesOf } from '../model/exchanges.ts';
import type { ModelRecords } from '../model/records.ts';
import { Standing } from '../model/standing.ts';
import { oneLane } from '../model/told.ts';
import type { World } from './world.ts';

/**
 * What is wrong with records just made: they cover what had to be held back, or a part of an exchange and not the rest.
 * Judged by what was said up to the event they were planned from; only where no turn began or ended meanwhile.
 */
export function heldBackFaults(
  world: World,
  records: ModelRecords,
  made: readonly CompactionRecord[],
): readonly string[] {
  const { events, turns, pinned } = world.know;
  const faults: string[] = [];
  for (const record of made) {
    const before = events.slice(0, record.basis.throughSeq);
    const exchanges = exchangesOf(before);
    const own = new Set(records.ownSeqs(record));
    const standing = new Standing(before, exchanges, turns, pinned);
    const older = records.all.slice(0, records.all.indexOf(record));
    const views = older.filter(({ rootView }) => rootView).map((view) => records.seqsOf(view));
    const covered = new Set([...own, ...older.flatMap((other) => [...records.seqsOf(other)])]);
    for (const seq of own) {
      // To the root only its own lane's instructions are any.
      const said = before[seq - 1]?.stored;
      const instructs = said !== undefined && (!record.rootView || oneLane(said.lane, record.lane));
      const held = standing.heldBack(seq, instructs ? own : new Set());
      if (held !== null) faults.push(`record ${record.id} covers event ${seq}, held back: ${held}`);
      if (record.rootView) continue;
      for (const member of exchanges.members(seq)) {
        const mate = before[member - 1]?.stored;
        // A late result may lie beyond the edge of a root view its call lies in: no window crosses that.
        const apart = views.some((view) => view.has(seq) !== view.has(member));
        if (mate !== undefined && oneLane(mate.lane, record.lane) && !covered.has(member) && !apart)
          faults.push(`record ${record.id} covers event ${seq} without event ${member} of its exchange`);
      }
    }
  }
  return faults;
}
