import assert from 'node:assert/strict';
import { ROOT_LANE } from '../../event/lane.ts';
import type { SessionStore } from '../session-store.ts';
import { type ContractCase, contractCase, reopenedCase, sharedCase } from './contract-case.ts';
import { BRANCH, call, conflictsWith, LEASE, rejectsWith, result, type Story } from './story.ts';

/** All that a store says of the story's session. */
async function everything(story: Story, store: SessionStore = story.store): Promise<string> {
  const { key } = story;
  const views = [];
  for (const lane of [ROOT_LANE, BRANCH]) {
    for (const scope of ['lane', 'reader'] as const) {
      const view = await store.view(key, lane, scope);
      views.push({
        ...view,
        exchanges: [...view.exchanges],
        invocations: [...view.invocations],
        lanes: [...view.lanes],
      });
    }
  }
  return JSON.stringify([
    await store.page(key, 0, 100),
    await store.records(key),
    await store.attempts(key),
    await store.invocations(key),
    await store.obligations(key),
    await store.sessions(),
    views,
  ]);
}

async function someOfEverything(story: Story): Promise<void> {
  await story.store.beginInvocation(story.key, { id: 'running', leaseMilliseconds: LEASE });
  await story.append(
    { role: 'user', content: 'a\ud800', invocation: 'running' },
    { role: 'assistant', content: [call(undefined)], invocation: 'running', lane: BRANCH },
    { role: 'assistant', content: 'x', asks: [{ kind: 'confirmation', id: 'q', call: '' }], invocation: 'j' },
    ...Array.from({ length: 6 }, () => ({ role: 'user' as const, content: 'b' })),
  );
  const first = await story.compact({ seqs: [1, 3] });
  await story.compact({ seqs: [4], supersedes: [first.id] });
  const undone = await story.compact({ seqs: [5] });
  await story.store.undo(story.key, undone.id);
  await story.compact({ rootView: true, seqs: [2, 6] });
  await story.store.pin(story.key, 7, true);
  await story.store.fork(story.key, 4, { ...story.key, session: 'fork' });
}

/** What is kept, who may work on it at once, and what a closed store does. */
export const lastingCases: readonly ContractCase[] = [
  reopenedCase('keeps everything when it is closed and opened again', async (story) => {
    await someOfEverything(story);
    const before = await everything(story);
    await story.reopen();
    assert.equal(await everything(story), before);
    const [event] = await story.append({ role: 'tool', content: [result(undefined, 'tool')], lane: BRANCH });
    assert.equal(event?.seq, 10);
    assert.equal((await story.store.obligations(story.key))[0]?.answeredBy, 10);
  }),

  reopenedCase('keeps a lease until it expires', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    const draft = await story.draft();
    await story.reopen();
    const other = await story.store.takeLease(story.key, await story.leaseRequest());
    assert.equal(other.taken, false);
    await story.store.commit(story.key, attempt.id, draft);
    assert.deepEqual(await story.rawSeqs(), []);
  }),

  sharedCase('shows each handle at once what the other did', async (story, other) => {
    await someOfEverything(story);
    assert.equal(await everything(story, other), await everything(story));
    await other.append(story.key, [{ role: 'user', content: 'from there', invocation: 'running' }]);
    assert.equal((await story.view()).through.seq, 10);
    const { revision } = await story.view();
    await other.pin(story.key, 10, true);
    assert.equal(await story.revision(), revision + 1);
    await story.fill(1);
    assert.equal(await everything(story, other), await everything(story));
  }),

  sharedCase('numbers the events of both handles densely', async (story, other) => {
    const stores = [story.store, other];
    const seqs = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const store = stores[at % 2] as SessionStore;
        const events = await store.append(story.key, [
          { role: 'user', content: `a ${at}` },
          { role: 'user', content: `b ${at}` },
        ]);
        return events.map((event) => event.seq);
      }),
    );
    for (const [first, second] of seqs) assert.equal(second, (first ?? 0) + 1);
    assert.deepEqual(
      seqs.flat().sort((a, b) => a - b),
      Array.from({ length: 80 }, (_, at) => at + 1),
    );
    assert.equal((await other.view(story.key, ROOT_LANE, 'reader')).raw.length, 80);
  }),

  sharedCase('stores one event when both append its id', async (story, other) => {
    const draft = { id: 'e', role: 'user', content: 'a' } as const;
    const [here, there] = await Promise.all([
      story.store.append(story.key, [draft]),
      other.append(story.key, [draft]),
    ]);
    assert.deepEqual(here, there);
    await rejectsWith('event_conflict', other.append(story.key, [{ ...draft, content: 'b' }]));
    assert.equal((await story.store.page(story.key, 0, 10)).length, 1);
  }),

  sharedCase('gives one of two handles the lease, and commits once', async (story, other) => {
    await story.fill(4);
    const request = await story.leaseRequest();
    const outcomes = await Promise.all([
      story.store.takeLease(story.key, request),
      other.takeLease(story.key, { ...request, holder: 'process 2' }),
    ]);
    const taken = outcomes.flatMap((outcome) => (outcome.taken ? [outcome.attempt] : []));
    assert.equal(taken.length, 1);
    const [attempt] = taken;
    assert(attempt !== undefined);
    const draft = await story.draft();
    const commits = await Promise.allSettled([
      story.store.commit(story.key, attempt.id, draft),
      other.commit(story.key, attempt.id, draft),
    ]);
    assert.deepEqual(commits.map((commit) => commit.status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await other.records(story.key)).length, 1);
    await conflictsWith('revision', other.takeLease(story.key, request));
  }),

  sharedCase('lets another handle take over when a lease expires', async (story, other) => {
    await story.fill(4);
    const draft = await story.draft();
    const first = await story.lease();
    story.wait(LEASE);
    const outcome = await other.takeLease(story.key, await story.leaseRequest());
    assert(outcome.taken);
    await conflictsWith('attempt', story.store.commit(story.key, first.id, draft));
    await other.commit(story.key, outcome.attempt.id, draft);
    assert.deepEqual(
      (await story.store.attempts(story.key)).map((attempt) => attempt.state),
      ['abandoned', 'committed'],
    );
  }),

  contractCase('does each call whole, however many are under way', async (story) => {
    const calls = Array.from({ length: 30 }, (_, at) =>
      at % 3 === 0
        ? story.append({ role: 'user', content: `a ${at}` }, { role: 'user', content: `b ${at}` })
        : story.store.sessions(),
    );
    await Promise.all(calls);
    const rows = await story.store.page(story.key, 0, 100);
    assert.deepEqual(
      rows.map((row) => row.event.seq),
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  }),

  contractCase('may be closed twice, and finishes what was asked before', async (story) => {
    const pending = story.append({ role: 'user', content: 'a' });
    const closed = story.store.close();
    assert.equal((await pending)[0]?.seq, 1);
    await closed;
    await story.store.close();
  }),

  contractCase('refuses work once it is closed', async (story) => {
    await story.fill(1);
    await story.store.close();
    await rejectsWith('store', story.append({ role: 'user', content: 'a' }));
    await rejectsWith('store', story.view());
    await rejectsWith('store', story.store.sessions());
  }),
];
