import assert from 'node:assert/strict';
import type { CompactionRecord } from '../../coverage/record.ts';
import { recordDigest } from '../../coverage/record-digest.ts';
import { type Span, spansOf } from '../../coverage/span.ts';
import type { RecordId, Seq } from '../../event/ids.ts';
import { type Lane, ROOT_LANE } from '../../event/lane.ts';
import type { RecordDraft } from '../session-store.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, conflictsWith, INNER, rejectsWith, SIBLING, type Story, TASK } from './story.ts';

const FORK = { app: 'app', user: 'user', session: 'fork' };

/** One event each, in these lanes. */
async function say(story: Story, ...lanes: readonly Lane[]): Promise<void> {
  await story.append(...lanes.map((lane) => ({ role: 'user' as const, content: 'x', lane })));
}

/** Two lanes that take turns: the branch's 1, 3 and 7, the sibling's 2 and 5, the root's 4 and 6; a record for each lane's first two. */
async function twoLanes(
  story: Story,
): Promise<{ readonly a: CompactionRecord; readonly b: CompactionRecord }> {
  await say(story, BRANCH, SIBLING, BRANCH, ROOT_LANE, SIBLING, ROOT_LANE, BRANCH);
  const a = await story.compact({ lane: BRANCH, seqs: [1, 3] });
  const b = await story.compact({ lane: SIBLING, seqs: [2, 5] });
  return { a, b };
}

/** Asserts that a root view of these records is refused, changed as given. */
async function refused(
  story: Story,
  reason: string,
  over: readonly RecordId[],
  change: Partial<RecordDraft> = {},
): Promise<void> {
  const draft = {
    ...(await story.draft({ rootView: true, seqs: [], over: [...new Set(over)] })),
    over,
    ...change,
  };
  const attempt = await story.lease(draft.lane, draft.rootView);
  const before = JSON.stringify([await story.view(), await story.store.records(story.key)]);
  await conflictsWith(reason, story.store.commit(story.key, attempt.id, draft));
  assert.equal(JSON.stringify([await story.view(), await story.store.records(story.key)]), before);
  await story.store.endAttempt(story.key, attempt.id, { state: 'discarded', reason });
}

function at(...seqs: readonly Seq[]): readonly Span[] {
  return seqs.map((seq) => ({ first: seq, last: seq }));
}

/** Root views that lie over lane records: made from their summaries, and seen instead of them at the root. */
export const overCases: readonly ContractCase[] = [
  contractCase('makes a root view of lane records, which stay live for their lanes', async (story) => {
    const { a, b } = await twoLanes(story);
    const view = await story.compact({ rootView: true, seqs: [], over: [b.id, a.id] });
    assert.deepEqual(view.spans, [
      { first: 1, last: 3 },
      { first: 5, last: 5 },
    ]);
    assert.deepEqual([view.level, view.events, view.over, view.supersedes], [2, 4, [b.id, a.id], []]);
    assert.equal(view.tokens.covered, a.tokens.covered + b.tokens.covered);
    const rows = await story.store.page(story.key, 0, 10);
    const eventHashes = [1, 2, 3, 5].map((seq) => rows[seq - 1]?.hash ?? '');
    const digests = { eventHashes, supersededDigests: [], overDigests: [b.digest, a.digest] };
    assert.equal(view.digest, recordDigest({ ...view, ...digests }));

    assert.deepEqual(await story.recordIds(), [view.id]);
    assert.deepEqual(await story.rawSeqs(), [4, 6, 7]);
    for (const [lane, record] of [
      [BRANCH, a],
      [SIBLING, b],
    ] as const) {
      const { records } = await story.view(lane, 'lane');
      assert.deepEqual(
        records.map((entry) => [entry.record.id, entry.under, entry.covers.events]),
        [[record.id, view.id, 2]],
      );
    }
    assert.deepEqual(await story.rawSeqs(BRANCH), [4, 6, 7]);
    assert.deepEqual(await story.recordIds(INNER), [a.id]);
  }),

  contractCase('makes one of lane records, root views and events together', async (story) => {
    const { a, b } = await twoLanes(story);
    const first = await story.compact({ rootView: true, seqs: [], over: [a.id, b.id] });
    const c = await story.compact({ lane: BRANCH, seqs: [7] });
    const all = await story.compact({ rootView: true, seqs: [4], supersedes: [first.id], over: [c.id] });
    assert.deepEqual(all.spans, at(4, 7));
    assert.deepEqual([all.level, all.events], [3, 6]);
    assert.deepEqual(await story.recordIds(), [all.id]);
    assert.deepEqual(await story.rawSeqs(), [6]);
    const { records } = await story.view(BRANCH, 'lane');
    assert.deepEqual(
      records.map((entry) => [entry.record.id, entry.under]),
      [
        [a.id, all.id],
        [c.id, all.id],
      ],
    );
    // What lies in one root view may be merged; the root's view is as it was.
    const merged = await story.compact({ lane: BRANCH, seqs: [], supersedes: [a.id, c.id] });
    assert.deepEqual(await story.recordIds(), [all.id]);
    assert.equal((await story.view(BRANCH, 'lane')).records[0]?.under, all.id);
    assert.deepEqual(await story.recordIds(BRANCH), [merged.id]);
  }),

  contractCase('refuses to lie over what is no live lane record of the isolation', async (story) => {
    const { a, b } = await twoLanes(story);
    await say(story, TASK, ROOT_LANE);
    const task = await story.compact({ lane: TASK, seqs: [8] });
    const own = await story.draft({ rootView: true, seqs: [], over: [a.id] });
    const { spans, members } = own;
    await refused(story, 'superseded', [a.id, a.id]);
    await refused(story, 'superseded', [], { spans, members, over: ['none' as RecordId] });
    await refused(story, 'superseded', [a.id], { over: [a.id, task.id] });
    await story.store.undo(story.key, b.id);
    await refused(story, 'superseded', [b.id]);
    await story.store.redo(story.key, b.id);
    const merged = await story.compact({ lane: BRANCH, seqs: [7], supersedes: [a.id] });
    await refused(story, 'superseded', [a.id]);
    // A root view is superseded, never lain over; what one holds is not seen beside it.
    const view = await story.compact({ rootView: true, seqs: [9] });
    await refused(story, 'superseded', [], { spans, members, over: [view.id] });
    const over = await story.compact({ rootView: true, seqs: [], over: [merged.id] });
    await refused(story, 'superseded', [merged.id]);
    await refused(story, 'superseded', [b.id], { over: [b.id, merged.id] });
    assert.deepEqual(await story.recordIds(), [over.id, b.id, view.id]);
  }),

  contractCase('refuses a root view that does not hold all it lies over, or more', async (story) => {
    const { a, b } = await twoLanes(story);
    await refused(story, 'window', [a.id], { over: [a.id, b.id] });
    await refused(story, 'window', [a.id, b.id], { spans: [{ first: 1, last: 3 }], members: 3 });
    await refused(story, 'window', [a.id, b.id], { members: 3 });
    await refused(story, 'window', [a.id], { spans: [], members: 0 });
    // Only a root view lies over records.
    const draft = await story.draft({ lane: BRANCH, seqs: [7] });
    await refused(story, 'window', [a.id], { ...draft, over: [a.id] });
    // Half of a lane record may not be held, named or not.
    await refused(story, 'overlap', [a.id], { spans: at(1, 2, 3), members: 3 });
    await story.compact({ rootView: true, seqs: [], over: [a.id, b.id] });
    await refused(story, 'overlap', [], { spans: [{ first: 3, last: 4 }], members: 2 });
  }),

  contractCase(
    'refuses what lies in a root view that is replaced: its events are there already',
    async (story) => {
      const { a, b } = await twoLanes(story);
      const view = await story.compact({ rootView: true, seqs: [], over: [a.id] });
      const { spans, members } = await story.draft({ rootView: true, seqs: [], over: [b.id] });
      await refused(story, 'window', [b.id], { supersedes: [view.id], over: [a.id, b.id], spans, members });
      await refused(story, 'overlap', [a.id, b.id], { supersedes: [view.id] });
      await story.compact({ rootView: true, seqs: [], supersedes: [view.id], over: [b.id] });
    },
  ),

  contractCase('holds what is pinned inside, raw until it is given back', async (story) => {
    const { a, b } = await twoLanes(story);
    await story.store.pin(story.key, 3, true);
    const view = await story.compact({ rootView: true, seqs: [], over: [a.id, b.id] });
    assert.equal(view.events, 4);
    assert.deepEqual(await story.rawSeqs(), [3, 4, 6, 7]);
    assert.equal((await story.view()).records[0]?.covers.events, 3);
    await story.store.pin(story.key, 2, true);
    assert.deepEqual(await story.rawSeqs(), [2, 3, 4, 6, 7]);
    for (const seq of [2, 3]) await story.store.pin(story.key, seq, false);
    assert.deepEqual(await story.rawSeqs(), [4, 6, 7]);
    assert.deepEqual(await story.rawSeqs(BRANCH, 'lane'), [7]);
  }),

  contractCase('gives the root its lane records back when it is undone, and parts them', async (story) => {
    const { a, b } = await twoLanes(story);
    const view = await story.compact({ rootView: true, seqs: [4], over: [a.id, b.id] });
    await story.store.undo(story.key, view.id);
    const root = await story.view();
    assert.deepEqual(
      root.records.map((entry) => [entry.record.id, entry.under]),
      [
        [a.id, null],
        [b.id, null],
      ],
    );
    assert.deepEqual(root.parted, [[a.id, b.id]]);
    assert.deepEqual(
      root.raw.map((row) => [row.event.seq, row.undoneView]),
      [
        [4, view.id],
        [6, null],
        [7, null],
      ],
    );
    assert.deepEqual((await story.view(BRANCH)).parted, []);
    await story.store.redo(story.key, view.id);
    assert.deepEqual(await story.recordIds(), [view.id]);
    assert.deepEqual((await story.view()).parted, []);
  }),

  contractCase('stays as it is when what it lies over is undone, merged or covered anew', async (story) => {
    const { a, b } = await twoLanes(story);
    const view = await story.compact({ rootView: true, seqs: [], over: [a.id, b.id] });
    await story.store.undo(story.key, a.id);
    assert.deepEqual(await story.recordIds(), [view.id]);
    assert.deepEqual(await story.rawSeqs(), [4, 6, 7]);
    const branch = await story.view(BRANCH, 'lane');
    assert.deepEqual(
      branch.raw.map((row) => [row.event.seq, row.under, row.undone]),
      [
        [1, view.id, a.id],
        [3, view.id, a.id],
        [7, null, null],
      ],
    );
    // Its lane may cover the events anew, inside the root view or outside it.
    const part = await story.compact({ lane: BRANCH, seqs: [1] });
    await rejectsWith('refused', story.store.redo(story.key, a.id));
    await story.store.undo(story.key, view.id);
    assert.deepEqual(await story.recordIds(), [part.id, b.id]);
    assert.deepEqual(await story.rawSeqs(), [3, 4, 6, 7]);
    await story.store.redo(story.key, view.id);
    assert.deepEqual(await story.rawSeqs(), [4, 6, 7]);
    await story.store.undo(story.key, part.id);
    await story.store.redo(story.key, a.id);
    assert.deepEqual(await story.recordIds(BRANCH, 'lane'), [a.id]);
  }),

  contractCase('is not redone over a lane record that lies across its edge by now', async (story) => {
    const { a, b } = await twoLanes(story);
    const view = await story.compact({ rootView: true, seqs: [], over: [a.id, b.id] });
    await story.store.undo(story.key, view.id);
    const merged = await story.compact({ lane: BRANCH, seqs: [7], supersedes: [a.id] });
    const error = await rejectsWith('refused', story.store.redo(story.key, view.id));
    assert.deepEqual('ids' in error ? error.ids : null, [merged.id]);
    assert.deepEqual(await story.recordIds(), [merged.id, b.id]);
    await story.store.undo(story.key, merged.id);
    await story.store.redo(story.key, view.id);
    assert.deepEqual(await story.recordIds(), [view.id]);
  }),

  contractCase('goes with a fork only with all it was made from', async (story) => {
    await say(story, BRANCH, SIBLING, BRANCH, ROOT_LANE, ROOT_LANE);
    const a = await story.compact({ lane: BRANCH, seqs: [1, 3] });
    const b = await story.compact({ lane: SIBLING, seqs: [2], context: at(4) });
    const view = await story.compact({ rootView: true, seqs: [], over: [a.id, b.id] });
    const above = await story.compact({ rootView: true, seqs: [4], supersedes: [view.id] });
    await story.store.fork(story.key, 3, FORK);
    // b read event 4, so neither the view made from its summary nor what replaced that goes along.
    assert.deepEqual(await story.store.records(FORK), [{ record: a, undone: false }]);
    const whole = { ...FORK, session: 'whole' };
    await story.store.fork(story.key, 4, whole);
    const root = await story.store.view(whole, ROOT_LANE, 'reader');
    assert.deepEqual(
      root.records.map((entry) => entry.record.id),
      [above.id],
    );
    assert.deepEqual(root.raw, []);
    const branch = await story.store.view(whole, BRANCH, 'lane');
    assert.equal(branch.records[0]?.under, above.id);
    await story.store.undo(whole, above.id);
    await story.store.undo(whole, view.id);
    const { records, parted } = await story.store.view(whole, ROOT_LANE, 'reader');
    assert.deepEqual(
      records.map((entry) => entry.record.id),
      [a.id, b.id],
    );
    assert.deepEqual(parted, [[a.id, b.id]]);
    assert.deepEqual(await story.store.spansAtRoot(whole, [a.id, b.id]), {
      spans: spansOf([1, 2, 3].map((seq) => ({ seq, ordinal: seq }))),
      members: 3,
    });
  }),
];
