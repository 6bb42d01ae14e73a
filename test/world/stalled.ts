import type { Lane } from '../../src/event/lane.ts';
import type { Attempt } from '../../src/plan/attempt.ts';
import { exchangesOf } from '../model/exchanges.ts';
import type { ModelRecords } from '../model/records.ts';
import { Standing } from '../model/standing.ts';
import { laneName, oneLane } from '../model/told.ts';
import type { World } from './world.ts';

/**
 * Lanes in which as many finished turns as make a window have events that could be covered and are raw. Only says
 * something of a world in which no summarizer failed, nothing was undone and nothing raced.
 */
export function stalledLanes(
  world: World,
  records: ModelRecords,
  attempts: readonly Attempt[],
  lanes: readonly Lane[],
): readonly string[] {
  const { settings } = world;
  const { events, turns, pinned } = world.know;
  const interval = settings.interval ?? Number.POSITIVE_INFINITY;
  const exchanges = exchangesOf(events);
  const standing = new Standing(events, exchanges, turns, pinned);
  const live = records.live();
  const faults: string[] = [];
  for (const lane of lanes) {
    const own = live.filter((record) => !record.rootView && oneLane(record.lane, lane));
    const covered = own.map((record) => records.seqsOf(record));
    const raw = new Set(
      events
        .filter(({ seq, stored }) => oneLane(stored.lane, lane) && !covered.some((seqs) => seqs.has(seq)))
        .map(({ seq }) => seq),
    );
    const views = live.filter((record) => record.rootView).map((record) => records.seqsOf(record));
    const groups = new Map<number, Map<string, number>>();
    for (const seq of raw) {
      const turn = standing.turnOf(seq);
      if (standing.heldBack(seq, raw) !== null || !turns.isOver(turn)) continue;
      const group = views.findIndex((seqs) => seqs.has(seq));
      const counts = groups.get(group) ?? new Map<string, number>();
      counts.set(turn, (counts.get(turn) ?? 0) + (events[seq - 1]?.stored.tokens ?? 0));
      groups.set(group, counts);
    }
    for (const counts of groups.values()) {
      const tokens = [...counts.values()].reduce((sum, count) => sum + count, 0);
      if (counts.size < Math.max(interval, leastTurns(attempts, lane)) || tokens < settings.minimumTokens)
        continue;
      faults.push(
        `lane ${laneName(lane)} has ${counts.size} finished turns that could be covered, ${tokens} tokens`,
      );
    }
  }
  return faults;
}

/** After a summary that was no smaller than its source the next window takes twice as many turns. */
function leastTurns(attempts: readonly Attempt[], lane: Lane): number {
  const own = attempts.filter((attempt) => !attempt.rootView && oneLane(attempt.lane, lane));
  const since = own.slice(own.findLastIndex(({ state }) => state === 'committed') + 1);
  return Math.max(
    0,
    ...since.filter(({ reason }) => reason === 'not_smaller').map(({ window }) => window.invocations * 2),
  );
}
