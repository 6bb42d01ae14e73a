import { isDeepStrictEqual } from 'node:util';
import type { Problem, VerifyReport } from '../coverage/problem.ts';
import { RecordGraph } from '../coverage/record-graph.ts';
import { PalimpsestError } from '../event/errors.ts';
import type { SessionKey } from '../event/ids.ts';
import { type Lane, laneKey } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import type { SessionInfo, SessionStore } from '../store/session-store.ts';
import { EventAudit } from './verify/event-audit.ts';
import { ledgerProblems } from './verify/ledger-problems.ts';
import { liveOverlaps } from './verify/live-overlaps.ts';
import { recordProblems } from './verify/record-problems.ts';
import { viewProblems } from './verify/view-problems.ts';

const PAGE = 1_000;
/** A store that is wrong throughout says so often enough by then. */
const MOST_PROBLEMS = 1_000;

/** How often all is read again because it was written to meanwhile. */
const MOST_READINGS = 5;

/** Hears how many events were read, of how many. */
type OnProgress = (events: number, of: number) => void;

/**
 * Recomputes everything that is derived and compares: seqs, hashes, ordinals and exchanges from the events; digests and
 * counts from the records; and for every lane's readers, that each event they may see is raw or covered by exactly one
 * live record whose summary is in their prompt. Reads all events once, a page at a time; once more where something was
 * written meanwhile and it does not add up.
 */
export async function verifySession(
  store: SessionStore,
  key: SessionKey,
  onProgress: OnProgress,
): Promise<VerifyReport> {
  for (let reading = 1; ; reading += 1) {
    const before = await store.info(key);
    const report = await readOnce(store, key, before, onProgress);
    if (report.ok || reading === MOST_READINGS || isDeepStrictEqual(before, await store.info(key)))
      return report;
  }
}

async function readOnce(
  store: SessionStore,
  key: SessionKey,
  info: SessionInfo | null,
  onProgress: OnProgress,
): Promise<VerifyReport> {
  const audit = new EventAudit(store.counter);
  for (let after = 0; ; ) {
    const rows: readonly LoggedEvent[] = await store.page(key, after, PAGE);
    for (const row of rows) audit.add(row);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = Math.max(after + 1, last.event.seq);
    onProgress(audit.count, info?.events ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const states = await store.records(key);
  const graph = new RecordGraph(states, { count: audit.countInSpans });
  const problems: Problem[] = [
    ...audit.finish(await store.obligations(key), await store.invocations(key), info),
    ...recordProblems(graph, audit),
    ...ledgerProblems(graph, await store.attempts(key), info?.lineage?.throughSeq ?? 0),
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

/** What a reader's prompt shows to be wrong. One that cannot even be read is a finding, not the end of the search. */
async function laneProblems(
  store: SessionStore,
  key: SessionKey,
  lane: Lane,
  graph: RecordGraph,
  audit: EventAudit,
): Promise<readonly Problem[]> {
  try {
    const view = await store.view(key, lane, 'reader');
    const prompt = assemblePrompt(view, { agent: '', lane }, store.counter);
    return viewProblems(view, prompt, graph, audit, laneKey(lane));
  } catch (error) {
    const why = PalimpsestError.isInstance(error) ? error.message : 'what is stored does not hang together';
    const reader = `reader in lane ${JSON.stringify(lane.branch)} of ${JSON.stringify(lane.isolation)}`;
    return [{ kind: 'cover', detail: `no prompt for ${reader}: ${why}` }];
  }
}
