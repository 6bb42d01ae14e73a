import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RecordId } from '../event/ids.ts';
import { type Lane, ROOT_LANE } from '../event/lane.ts';
import { countSteps } from './count-steps.fixture.ts';
import { MemoryStore } from './memory/memory-store.ts';
import type { RecordDraft, SessionStore } from './session-store.ts';
import { openSqliteStore } from './sqlite/index.ts';
import { BRANCH, type Compaction, Story } from './testing/story.ts';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-cost-'));
let files = 0;

afterAll(() => rmSync(directory, { recursive: true }));

const stores: readonly (readonly [string, (clock: () => number) => Promise<SessionStore>])[] = [
  ['memory', async (clock) => new MemoryStore({ clock })],
  [
    'SQLite',
    (clock) => {
      files += 1;
      return openSqliteStore(join(directory, `${files}.db`), { clock, synchronous: 'normal' });
    },
  ],
];

/** Commits, and counts the steps of that. */
async function commit(story: Story, compaction: Compaction): Promise<number> {
  const draft: RecordDraft = await story.draft(compaction);
  const attempt = await story.lease(draft.lane, draft.rootView);
  return countSteps(() => story.store.commit(story.key, attempt.id, draft));
}

async function add(story: Story, ...lanes: readonly Lane[]): Promise<readonly number[]> {
  const events = await story.append(...lanes.map((lane) => ({ role: 'user' as const, content: 'x', lane })));
  return events.map((event) => event.seq);
}

async function liveIds(story: Story, lane: Lane): Promise<readonly RecordId[]> {
  return (await story.view(lane, 'lane')).records.map((entry) => entry.record.id);
}

/** One turn of a story; the steps its commits and the views after them take. */
type Turn = (story: Story, turn: number) => Promise<number>;

const viewOf = (story: Story, lane: Lane, scope: 'lane' | 'reader'): Promise<number> =>
  countSteps(() => story.view(lane, scope));

/** Windows of one lane among another's events, and nothing is ever merged. A view shows them all; what is counted is the commit. */
const windows: Turn = async (story) => {
  const [first, , second] = await add(story, ROOT_LANE, BRANCH, ROOT_LANE);
  return commit(story, { seqs: [first as number, second as number] });
};

/** One record that replaces the last. */
const rolling: Turn = async (story) => {
  const [first, , second] = await add(story, ROOT_LANE, BRANCH, ROOT_LANE);
  const supersedes = await liveIds(story, ROOT_LANE);
  const steps = await commit(story, { seqs: [first as number, second as number], supersedes });
  return steps + (await viewOf(story, ROOT_LANE, 'lane'));
};

/** One root view that replaces the last, over two lanes that have no records. */
const rollingRoot: Turn = async (story) => {
  const seqs = await add(story, ROOT_LANE, BRANCH);
  const supersedes = await story.recordIds();
  const steps = await commit(story, { rootView: true, seqs, supersedes });
  return steps + (await viewOf(story, ROOT_LANE, 'reader'));
};

/** Two fresh branches, a record for each, and a root view over both and the turn's event that replaces the last. */
const branches: Turn = async (story, turn) => {
  const [first, second] = ['a', 'b'].map((name): Lane => ({ branch: `${name}${turn}`, isolation: '' }));
  if (first === undefined || second === undefined) throw new Error('there are two');
  const [own, a, b] = await add(story, ROOT_LANE, first, second);
  const supersedes = await story.recordIds();
  let steps = await commit(story, { lane: first, seqs: [a as number] });
  steps += await commit(story, { lane: second, seqs: [b as number] });
  const over = (await story.recordIds()).filter((id) => !supersedes.includes(id));
  steps += await countSteps(() => story.store.spansAtRoot(story.key, over));
  steps += await commit(story, { rootView: true, seqs: [own as number], supersedes, over });
  steps += await viewOf(story, first, 'lane');
  return steps + (await viewOf(story, ROOT_LANE, 'reader'));
};

const stories: readonly (readonly [string, Turn])[] = [
  ['windows of a lane that are never merged', windows],
  ['a rolling summary', rolling],
  ['a rolling root view', rollingRoot],
  ['two fresh branches a turn, under a root view', branches],
];

/** The most steps one of five turns takes after so many. */
async function stepsAfter(story: Story, turn: Turn, from: number, turns: number): Promise<number> {
  let most = 0;
  for (let at = from; at < from + turns + 5; at += 1) {
    const steps = await turn(story, at);
    if (at >= from + turns) most = Math.max(most, steps);
  }
  return most;
}

describe.each(stores)('what a turn costs a store in %s', (_, open) => {
  // Steps are counted in this process and as rows read, not what SQLite does within a statement: for that there are its
  // query plans. They grow again with a graph of all records built for a commit, live records or lanes gone through one by
  // one, and the events of what is superseded judged anew or moved from one root view to the next.
  it.each(stories)('does not grow with the session: %s', { timeout: 120_000 }, async (_name, turn) => {
    const story = await Story.begin({ open });
    const early = await stepsAfter(story, turn, 0, 30);
    const late = await stepsAfter(story, turn, 40, 150);
    expect(late).toBeLessThan(1.3 * early);
    await story.store.close();
  });
});
