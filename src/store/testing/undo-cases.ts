import assert from 'node:assert/strict';
import type { RecordId, Seq } from '../../event/ids.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, rejectsWith, type Story } from './story.ts';

/** Asserts that an undo or a redo is refused, naming the records in its way. */
async function refusedBy(ids: readonly RecordId[], promise: Promise<unknown>): Promise<void> {
  const error = await rejectsWith('refused', promise);
  assert.deepEqual('ids' in error ? error.ids : null, ids);
}

async function undone(story: Story): Promise<readonly boolean[]> {
  return (await story.store.records(story.key)).map((state) => state.undone);
}

/** The marks of raw events: `seq:undone:undoneView`, with `-` for none. */
async function marks(story: Story, lane?: typeof BRANCH): Promise<readonly string[]> {
  const view = await story.view(lane, 'lane');
  return view.raw.map((row) => `${row.event.seq}:${row.undone ?? '-'}:${row.undoneView ?? '-'}`);
}

/** Undoing and redoing one record without touching later turns. */
export const undoCases: readonly ContractCase[] = [
  contractCase('gives an undone record its events back, marked', async (story) => {
    await story.fill(4);
    const first = await story.compact({ seqs: [1, 2] });
    const second = await story.compact({ seqs: [3] });
    const revision = await story.revision();
    await story.store.undo(story.key, first.id);
    assert.deepEqual(await undone(story), [true, false]);
    assert.deepEqual(await story.recordIds(), [second.id]);
    assert.deepEqual(await marks(story), [`1:${first.id}:-`, `2:${first.id}:-`, '4:-:-']);
    assert.equal(await story.revision(), revision + 1);
    assert.equal((await story.store.info(story.key))?.records, 2);
  }),

  contractCase('brings an undone record back', async (story) => {
    await story.fill(3);
    const record = await story.compact({ seqs: [1, 2] });
    await story.store.undo(story.key, record.id);
    await story.store.redo(story.key, record.id);
    assert.deepEqual(await undone(story), [false]);
    assert.deepEqual(await story.rawSeqs(), [3]);
    assert.deepEqual(await story.recordIds(), [record.id]);
    assert.equal(await story.revision(), 4);
    assert.deepEqual(await marks(story), ['3:-:-']);
  }),

  contractCase('makes live again what an undone record replaced', async (story) => {
    await story.fill(6);
    const a = await story.compact({ seqs: [1, 2] });
    const b = await story.compact({ seqs: [4] });
    const merged = await story.compact({ seqs: [3], supersedes: [a.id, b.id] });
    await story.store.undo(story.key, merged.id);
    assert.deepEqual(await story.recordIds(), [a.id, b.id]);
    assert.deepEqual(await marks(story), [`3:${merged.id}:-`, '5:-:-', '6:-:-']);
    await story.store.undo(story.key, a.id);
    assert.deepEqual(await story.rawSeqs(), [1, 2, 3, 5, 6]);
    // The newest undone record that held it.
    assert.deepEqual((await marks(story)).slice(0, 2), [`1:${merged.id}:-`, `2:${merged.id}:-`]);
    await story.store.redo(story.key, merged.id);
    assert.deepEqual(await story.recordIds(), [merged.id]);
    assert.deepEqual(await story.rawSeqs(), [5, 6]);
  }),

  contractCase('finds what is live again below a record undone before', async (story) => {
    await story.fill(4);
    const a = await story.compact({ seqs: [1] });
    const b = await story.compact({ seqs: [2], supersedes: [a.id] });
    const c = await story.compact({ seqs: [3], supersedes: [b.id] });
    await story.store.undo(story.key, c.id);
    await story.store.undo(story.key, b.id);
    assert.deepEqual(await story.recordIds(), [a.id]);
    await story.store.redo(story.key, c.id);
    assert.deepEqual(await story.recordIds(), [c.id]);
    assert.deepEqual(await story.rawSeqs(), [4]);
    await story.store.undo(story.key, c.id);
    assert.deepEqual(await story.recordIds(), [a.id]);
    assert.deepEqual(await story.rawSeqs(), [2, 3, 4]);
  }),

  contractCase('refuses to undo what is superseded, and says by which', async (story) => {
    await story.fill(5);
    const a = await story.compact({ seqs: [1] });
    const b = await story.compact({ seqs: [2], supersedes: [a.id] });
    const c = await story.compact({ seqs: [3], supersedes: [b.id] });
    await refusedBy([c.id], story.store.undo(story.key, b.id));
    await refusedBy([b.id, c.id], story.store.undo(story.key, a.id));
    await story.store.undo(story.key, c.id);
    await refusedBy([], story.store.undo(story.key, c.id));
    await story.store.undo(story.key, b.id);
    await story.store.undo(story.key, a.id);
    assert.deepEqual(await undone(story), [true, true, true]);
    assert.deepEqual(await story.rawSeqs(), [1, 2, 3, 4, 5]);
  }),

  contractCase('refuses to redo over records that cover its events now, and names them', async (story) => {
    await story.fill(6);
    const old = await story.compact({ seqs: [1, 2, 3, 4] });
    await refusedBy([], story.store.redo(story.key, old.id));
    await story.store.undo(story.key, old.id);
    const a = await story.compact({ seqs: [1] });
    const b = await story.compact({ seqs: [4, 5] });
    await refusedBy([a.id, b.id], story.store.redo(story.key, old.id));
    await story.store.undo(story.key, a.id);
    await refusedBy([b.id], story.store.redo(story.key, old.id));
    await story.store.undo(story.key, b.id);
    await story.store.redo(story.key, old.id);
    assert.deepEqual(await story.recordIds(), [old.id]);
    assert.deepEqual(await story.rawSeqs(), [5, 6]);
    assert.deepEqual(await marks(story), [`5:${b.id}:-`, '6:-:-']);
  }),

  contractCase('keeps a root view while a lane record under it is undone', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH]) await story.add(lane === undefined ? {} : { lane });
    const lane = await story.compact({ lane: BRANCH, seqs: [1, 3] });
    const view = await story.compact({ rootView: true, seqs: [1, 2, 3] });
    await story.store.undo(story.key, lane.id);
    assert.deepEqual(await story.recordIds(), [view.id]);
    assert.deepEqual(await story.rawSeqs(), []);
    assert.deepEqual(await story.rawSeqs(BRANCH), [1, 2, 3]);
    assert.deepEqual(await marks(story, BRANCH), [`1:${lane.id}:-`, `3:${lane.id}:-`]);
  }),

  contractCase('marks the events of an undone root view in every lane', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH]) await story.add(lane === undefined ? {} : { lane });
    const view = await story.compact({ rootView: true, seqs: [1, 2] });
    await story.store.undo(story.key, view.id);
    assert.deepEqual(await story.rawSeqs(), [1, 2, 3]);
    assert.deepEqual(await marks(story, BRANCH), [`1:-:${view.id}`, '3:-:-']);
    const rows = (await story.view(BRANCH, 'lane')).raw;
    assert.deepEqual(
      rows.map((row) => row.under),
      [null, null],
    );
    await story.store.redo(story.key, view.id);
    assert.deepEqual(await story.rawSeqs(), [3]);
    assert.equal((await story.view(BRANCH, 'lane')).raw[0]?.under, view.id);
  }),

  contractCase('refuses to redo a root view over part of a lane record', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH]) await story.add(lane === undefined ? {} : { lane });
    const view = await story.compact({ rootView: true, seqs: [1, 2] });
    await story.store.undo(story.key, view.id);
    const lane = await story.compact({ lane: BRANCH, seqs: [1, 3] });
    await refusedBy([lane.id], story.store.redo(story.key, view.id));
    await story.store.undo(story.key, lane.id);
    await story.store.redo(story.key, view.id);
    await refusedBy([view.id], story.store.redo(story.key, lane.id));
  }),

  contractCase(
    'refuses to undo a root view when a lane record would lie across the edge of what it replaced',
    async (story) => {
      await story.fill(4);
      const inner = await story.compact({ rootView: true, seqs: [1, 2] });
      const outer = await story.compact({ rootView: true, seqs: [3], supersedes: [inner.id] });
      const lane = await story.compact({ seqs: [2, 3] });
      await refusedBy([lane.id], story.store.undo(story.key, outer.id));
      assert.deepEqual(await story.recordIds(), [outer.id]);
      await story.store.undo(story.key, lane.id);
      await story.store.undo(story.key, outer.id);
      assert.deepEqual(await story.recordIds(), [inner.id]);
      assert.deepEqual(await story.rawSeqs(), [3, 4]);
    },
  ),

  contractCase('leaves the records and revisions of other lanes alone', async (story) => {
    const seqs: Seq[] = [];
    for (const lane of [BRANCH, undefined])
      seqs.push((await story.add(lane === undefined ? {} : { lane })).seq);
    const branch = await story.compact({ lane: BRANCH, seqs: [1] });
    const root = await story.compact({ seqs: [2] });
    await story.store.undo(story.key, root.id);
    assert.deepEqual(await story.recordIds(BRANCH), [branch.id]);
    assert.deepEqual([await story.revision(BRANCH), await story.revision()], [2, 3]);
  }),
];
