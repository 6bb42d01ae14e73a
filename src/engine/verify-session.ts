import type { Problem, VerifyReport } from '../coverage/problem.ts';
import { RecordGraph } from '../coverage/record-graph.ts';
import type { SessionKey } from '../event/ids.ts';
import { type Lane, laneKey } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import type { SessionStore } from '../store/session-store.ts';
import { EventAudit } from './verify/event-audit.ts';
import { liveOverlaps } from './verify/live-overlaps.ts';
import { recordProblems } from './verify/record-problems.ts';
import { viewProblems } from './verify/view-problems.ts';

const PAGE = 1_000;
/** A store that is wrong throughout says so often enough by then. */
const MOST_PROBLEMS = 1_000;

/**
 * Recomputes everything that is derived and compares: seqs, hashes, ordinals and exchanges from the events; digests and
 * counts from the records; and for every lane's readers, that each event they may see is raw or covered by exactly one
 * live record whose summary is in their prompt. Reads all events once, a page at a time.
 */
export async function verifySession(
  store: SessionStore,
  key: SessionKey,
  onProgress: (events: number, of: number) => void,
): Promise<VerifyReport> {
  const info = await store.info(key);
  const of = info?.events ?? 0;
  const audit = new EventAudit();
  for (let after = 0; ; ) {
    const rows: readonly LoggedEvent[] = await store.page(key, after, PAGE);
    for (const row of rows) audit.add(row);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = Math.max(after + 1, last.event.seq);
    onProgress(audit.count, of);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const states = await store.records(key);
  const graph = new RecordGraph(states);
  const problems: Problem[] = [
    ...audit.finish(await store.obligations(key), info),
    ...recordProblems(graph, audit),
    ...liveOverlaps(graph, audit),
  ];
  for (const lane of audit.lanesToRead()) {
    if (problems.length >= MOST_PROBLEMS) break;
    problems.push(...(await laneProblems(store, key, lane, graph, audit)));
  }
  return {
    ok: problems.length === 0,
    events: audit.count,
    records: states.length,
    problems: problems.slice(0, MOST_PROBLEMS),
  };
}

async function laneProblems(
  store: SessionStore,
  key: SessionKey,
  lane: Lane,
  graph: RecordGraph,
  audit: EventAudit,
): Promise<readonly Problem[]> {
  const view = await store.view(key, lane, 'reader');
  const prompt = assemblePrompt(view, { agent: '', lane }, store.counter);
  return viewProblems(view, prompt, graph, audit, laneKey(lane));
}
