import assert from 'node:assert/strict';
import { ROOT_LANE } from '../../event/lane.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, call, LEASE, rejectsWith, result, type Story, TASK } from './story.ts';

const FORK = { app: 'app', user: 'user', session: 'fork' };

async function forkRows(story: Story): Promise<readonly (readonly unknown[])[]> {
  const rows = await story.store.page(FORK, 0, 100);
  return rows.map((row) => [row.event.seq, row.exchange, row.pinned]);
}

/** Forks: a prefix as it stood when its last event was appended, with the records that hold for it. */
export const forkCases: readonly ContractCase[] = [
  contractCase('copies the events of a prefix as they are', async (story) => {
    await story.append(
      { role: 'user', content: 'a', lane: BRANCH, invocation: 'i' },
      { role: 'assistant', content: [call('c')], invocation: 'j', metadata: { a: '\ud800' } },
      { role: 'user', content: 'c' },
    );
    story.wait(7);
    const info = await story.store.fork(story.key, 2, FORK);
    const source = await story.store.page(story.key, 0, 2);
    assert.deepStrictEqual(await story.store.page(FORK, 0, 10), source);
    assert.deepEqual(info, await story.store.info(FORK));
    assert.deepEqual(
      [info.events, info.records, info.invocations, info.createdAt, info.lineage],
      [2, 0, 2, new Date(story.now()).toISOString(), { from: story.key, throughSeq: 2 }],
    );
    assert.deepEqual(
      info.lanes.map((lane) => [lane.lane, lane.events, lane.tokens]),
      [
        [BRANCH, 1, source[0]?.event.tokens],
        [ROOT_LANE, 1, source[1]?.event.tokens],
      ],
    );
    assert.equal((await story.store.view(FORK, ROOT_LANE, 'reader')).total.events, 2);
  }),

  contractCase('goes on for itself', async (story) => {
    await story.fill(3);
    await story.store.fork(story.key, 2, FORK);
    const [event] = await story.store.append(FORK, [{ role: 'user', content: 'other' }]);
    assert.equal(event?.seq, 3);
    assert.equal((await story.view()).total.events, 3);
    await story.compact({ seqs: [1, 2] });
    assert.equal((await story.store.view(FORK, ROOT_LANE, 'reader')).raw.length, 3);
  }),

  contractCase('knows nothing of what came after its prefix', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'assistant', content: [call('d')], invocation: 'i' },
      { role: 'system', content: 'x', invocation: 'late' },
      { role: 'tool', content: [result('d'), result('c')], invocation: 'i' },
      { role: 'user', content: 'the question', invocation: 'late' },
    );
    await story.store.fork(story.key, 3, FORK);
    assert.deepEqual(await forkRows(story), [
      [1, 1, false],
      [2, 2, false],
      [3, 3, false],
    ]);
    assert.deepEqual(
      (await story.store.obligations(FORK)).map((owed) => [owed.id, owed.exchange, owed.answeredBy]),
      [
        ['c', 1, null],
        ['d', 2, null],
      ],
    );
    const [, late] = await story.store.invocations(FORK);
    assert.equal(late?.openedBy, null);
    const view = await story.store.view(FORK, ROOT_LANE, 'lane');
    assert.equal([...view.lanes.values()][0]?.firstUserSeq, null);
    await story.store.append(FORK, [{ role: 'tool', content: [result('c')], invocation: 'i' }]);
    assert.deepEqual((await forkRows(story)).at(-1), [4, 1, false]);
  }),

  contractCase('keeps which call each result answered, whatever the ids', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      // Without an id it is given the older call's; of two calls with one id it is the newer one that is meant.
      { role: 'tool', content: [result(undefined, 'tool')], invocation: 'i' },
    );
    await story.store.fork(story.key, 3, FORK);
    assert.deepEqual(await forkRows(story), [
      [1, 1, false],
      [2, 2, false],
      [3, 2, false],
    ]);
    assert.deepEqual(await story.store.obligations(FORK), await story.store.obligations(story.key));
  }),

  contractCase('takes the records along that cover and read only what was copied', async (story) => {
    await story.fill(8);
    const a = await story.compact({ seqs: [1, 2] });
    const b = await story.compact({ seqs: [3], context: [{ first: 6, last: 6 }] });
    const merged = await story.compact({ seqs: [], supersedes: [a.id, b.id] });
    const undone = await story.compact({ seqs: [4] });
    await story.store.undo(story.key, undone.id);
    const late = await story.compact({ seqs: [7] });
    await story.store.fork(story.key, 5, FORK);
    // b read event 6, so neither it nor what was made from it goes along; a is live again.
    assert.deepEqual(await story.store.records(FORK), [
      { record: a, undone: false },
      { record: undone, undone: true },
    ]);
    const view = await story.store.view(FORK, ROOT_LANE, 'reader');
    assert.deepEqual(
      view.records.map((entry) => entry.record),
      [a],
    );
    assert.deepEqual(
      view.raw.map((row) => [row.event.seq, row.undone]),
      [
        [3, null],
        [4, undone.id],
        [5, null],
      ],
    );
    assert.deepEqual(await story.recordIds(), [merged.id, late.id]);
    await story.store.redo(FORK, undone.id);
    await story.store.undo(FORK, a.id);
    assert.deepEqual(
      (await story.store.view(FORK, ROOT_LANE, 'reader')).raw.map((row) => row.event.seq),
      [1, 2, 3, 5],
    );
  }),

  contractCase('takes root views and merges along', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH, undefined])
      await story.add(lane === undefined ? {} : { lane });
    await story.compact({ lane: BRANCH, seqs: [1, 3] });
    const view = await story.compact({ rootView: true, seqs: [1, 2, 3] });
    await story.store.fork(story.key, 4, FORK);
    const root = await story.store.view(FORK, ROOT_LANE, 'reader');
    assert.deepEqual(
      root.records.map((entry) => entry.record.id),
      [view.id],
    );
    assert.deepEqual(
      root.raw.map((row) => row.event.seq),
      [4],
    );
  }),

  contractCase('takes pins along', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'user', content: 'x' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
    );
    await story.store.pin(story.key, 3, true);
    await story.compact({ seqs: [1, 2] });
    await story.store.fork(story.key, 2, FORK);
    assert.deepEqual(await forkRows(story), [
      [1, 1, true],
      [2, 2, false],
    ]);
    assert.deepEqual(
      (await story.store.view(FORK, ROOT_LANE, 'reader')).raw.map((row) => row.event.seq),
      [1],
    );
  }),

  contractCase('ends its invocations and numbers them by their first events', async (story) => {
    await story.store.beginInvocation(story.key, { id: 'silent', leaseMilliseconds: LEASE });
    await story.store.beginInvocation(story.key, { id: 'second', leaseMilliseconds: LEASE });
    await story.append(
      { role: 'user', content: 'a', invocation: 'first', lane: TASK },
      { role: 'user', content: 'b', invocation: 'second' },
      { role: 'user', content: 'c', invocation: 'first' },
    );
    await story.store.fork(story.key, 3, FORK);
    const common = { state: 'ended', leaseExpiresAt: null };
    assert.deepEqual(await story.store.invocations(FORK), [
      { id: 'first', ordinal: 1, lane: TASK, lanes: [TASK, ROOT_LANE], openedBy: 1, ...common },
      { id: 'second', ordinal: 2, lane: ROOT_LANE, lanes: [ROOT_LANE], openedBy: 2, ...common },
    ]);
    assert.deepEqual(await story.store.attempts(FORK), []);
  }),

  contractCase('begins at revisions no usage was reported at', async (story) => {
    await story.fill(4);
    await story.compact({ seqs: [1] });
    await story.compact({ seqs: [2] });
    await story.store.fork(story.key, 4, FORK);
    assert.equal((await story.store.view(FORK, ROOT_LANE, 'lane')).revision, (await story.revision()) + 1);
  }),

  contractCase(
    'leaves behind what would lie across the edge of a root view that stands again',
    async (story) => {
      await story.fill(8);
      const old = await story.compact({ rootView: true, seqs: [1, 2] });
      const merged = await story.compact({ rootView: true, seqs: [3, 6], supersedes: [old.id] });
      // Wholly inside the merged view, which does not come along: partly inside the old one.
      const lane = await story.compact({ seqs: [2, 3] });
      const after = await story.compact({ seqs: [4] });
      assert.ok(merged.id !== lane.id);
      await story.store.fork(story.key, 5, FORK);
      const states = await story.store.records(FORK);
      assert.deepEqual(
        states.map(({ record }) => record.id),
        [old.id, after.id],
      );
      const view = await story.store.view(FORK, { branch: '', isolation: '' }, 'reader');
      assert.deepEqual(
        view.raw.map(({ event }) => event.seq),
        [3, 5],
      );
    },
  ),

  contractCase('may be forked again', async (story) => {
    const second = { ...FORK, session: 'fork of fork' };
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'assistant', content: [call('d')], invocation: 'i' },
      { role: 'tool', content: [result('d'), result('c')], invocation: 'i' },
    );
    await story.store.fork(story.key, 3, FORK);
    await story.store.fork(FORK, 2, second);
    const rows = await story.store.page(second, 0, 10);
    assert.deepEqual(
      rows.map((row) => row.exchange),
      [1, 2],
    );
    assert.deepEqual((await story.store.info(second))?.lineage, { from: FORK, throughSeq: 2 });
  }),

  contractCase('refuses a target that exists, and a prefix that does not', async (story) => {
    await story.fill(2);
    await story.store.append(FORK, []);
    await rejectsWith('refused', story.store.fork(story.key, 1, FORK));
    await rejectsWith('refused', story.store.fork(story.key, 1, story.key));
    const other = { ...FORK, session: 'other' };
    for (const seq of [0, 3, 1.5]) await rejectsWith('not_found', story.store.fork(story.key, seq, other));
    await rejectsWith('not_found', story.store.fork(other, 1, { ...FORK, session: 'third' }));
    await rejectsWith('invalid_event', story.store.fork(story.key, 1, { ...FORK, session: '' }));
    assert.equal(await story.store.info(other), null);
  }),
];
