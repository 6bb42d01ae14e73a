import assert from 'node:assert/strict';
import type { RecordId } from '../../event/ids.ts';
import { type Lane, laneKey, ROOT_LANE } from '../../event/lane.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, INNER, rejectsWith, SIBLING, type Story, TASK } from './story.ts';

/** One event each, in these lanes. */
async function say(story: Story, ...lanes: readonly Lane[]): Promise<void> {
  await story.append(...lanes.map((lane) => ({ role: 'user' as const, content: 'x', lane })));
}

/** Lane records at the root: what they hold there, under what they lie, and what an undo parted. */
export const atRootCases: readonly ContractCase[] = [
  contractCase('says what lane records hold in spans of their isolation', async (story) => {
    await say(story, BRANCH, SIBLING, BRANCH, TASK, BRANCH, ROOT_LANE, SIBLING, BRANCH);
    const a = await story.compact({ lane: BRANCH, seqs: [1, 3, 5] });
    const b = await story.compact({ lane: SIBLING, seqs: [2] });
    assert.deepEqual(a.spans, [{ first: 1, last: 5 }]);
    // The sibling's event is a hole now; the other isolation's is not.
    assert.deepEqual(await story.store.spansAtRoot(story.key, [a.id]), {
      spans: [
        { first: 1, last: 1 },
        { first: 3, last: 5 },
      ],
      members: 3,
    });
    const both = { spans: [{ first: 1, last: 5 }], members: 4 };
    assert.deepEqual(await story.store.spansAtRoot(story.key, [b.id, a.id]), both);
    assert.deepEqual(await story.store.spansAtRoot(story.key, [a.id, b.id, a.id]), both);
    assert.deepEqual(await story.store.spansAtRoot(story.key, []), { spans: [], members: 0 });
  }),

  contractCase(
    'counts what lane records hold through others, and what is pinned, among it',
    async (story) => {
      await say(story, BRANCH, BRANCH, SIBLING, BRANCH, BRANCH);
      const a = await story.compact({ lane: BRANCH, seqs: [1] });
      const b = await story.compact({ lane: BRANCH, seqs: [5] });
      const merged = await story.compact({ lane: BRANCH, seqs: [4], supersedes: [a.id, b.id] });
      await story.store.pin(story.key, 5, true);
      assert.deepEqual(await story.store.spansAtRoot(story.key, [merged.id]), {
        spans: [
          { first: 1, last: 1 },
          { first: 4, last: 5 },
        ],
        members: 3,
      });
      // What is superseded, undone or under a root view holds what it held.
      await story.store.undo(story.key, merged.id);
      await story.compact({ rootView: true, seqs: [1, 2, 3] });
      const held = { spans: [{ first: 1, last: 1 }], members: 1 };
      assert.deepEqual(await story.store.spansAtRoot(story.key, [a.id]), held);
      assert.equal((await story.store.spansAtRoot(story.key, [merged.id])).members, 3);
    },
  ),

  contractCase('says so of lane records of one isolation only', async (story) => {
    await say(story, BRANCH, TASK, ROOT_LANE);
    const branch = await story.compact({ lane: BRANCH, seqs: [1] });
    const task = await story.compact({ lane: TASK, seqs: [2] });
    const view = await story.compact({ rootView: true, seqs: [3] });
    await rejectsWith('refused', story.store.spansAtRoot(story.key, [branch.id, task.id]));
    await rejectsWith('refused', story.store.spansAtRoot(story.key, [view.id]));
    await rejectsWith('not_found', story.store.spansAtRoot(story.key, ['none' as RecordId]));
  }),

  contractCase('says under which root view a record of a lane lies', async (story) => {
    await say(story, BRANCH, ROOT_LANE, INNER, BRANCH);
    const inside = await story.compact({ lane: BRANCH, seqs: [1] });
    const outside = await story.compact({ lane: BRANCH, seqs: [4] });
    const view = await story.compact({ rootView: true, seqs: [1, 2] });
    const under = async (lane: Lane): Promise<readonly (readonly [RecordId, RecordId | null])[]> =>
      (await story.view(lane)).records.map((entry) => [entry.record.id, entry.under]);
    assert.deepEqual(await under(BRANCH), [
      [inside.id, view.id],
      [outside.id, null],
    ]);
    assert.deepEqual(await under(INNER), await under(BRANCH));
    assert.deepEqual(await under(ROOT_LANE), [
      [view.id, null],
      [outside.id, null],
    ]);
    const wider = await story.compact({ rootView: true, seqs: [3], supersedes: [view.id] });
    assert.deepEqual((await under(BRANCH))[0], [inside.id, wider.id]);
    await story.store.undo(story.key, wider.id);
    assert.deepEqual((await under(BRANCH))[0], [inside.id, view.id]);
    await story.store.undo(story.key, view.id);
    assert.deepEqual((await under(BRANCH))[0], [inside.id, null]);
  }),

  contractCase('knows the lanes of its records', async (story) => {
    await say(story, BRANCH, SIBLING, BRANCH);
    await story.compact({ lane: BRANCH });
    const { lanes } = await story.view();
    assert.deepEqual([...lanes.keys()].sort(), [ROOT_LANE, BRANCH, SIBLING].map(laneKey).sort());
    assert.deepEqual(lanes.get(laneKey(BRANCH)), { lane: BRANCH, revision: 2, firstUserSeq: 1 });
    await story.compact({ rootView: true, seqs: [1, 3] });
    assert.deepEqual([...(await story.view()).lanes.keys()].sort(), [ROOT_LANE, SIBLING].map(laneKey).sort());
  }),

  contractCase('says what an undone merge was made from, as far as that is live', async (story) => {
    await story.fill(5);
    const a = await story.compact({ seqs: [1] });
    const b = await story.compact({ seqs: [2] });
    const c = await story.compact({ seqs: [3] });
    const parted = async (): Promise<readonly (readonly RecordId[])[]> => (await story.view()).parted;
    const merged = await story.compact({ seqs: [], supersedes: [b.id, a.id] });
    assert.deepEqual(await parted(), []);
    await story.store.undo(story.key, merged.id);
    assert.deepEqual(await parted(), [[b.id, a.id]]);
    const all = await story.compact({ seqs: [4], supersedes: [c.id, a.id, b.id] });
    assert.deepEqual(await parted(), []);
    await story.store.undo(story.key, all.id);
    assert.deepEqual(await parted(), [
      [b.id, a.id],
      [c.id, a.id, b.id],
    ]);
    await story.store.undo(story.key, b.id);
    assert.deepEqual(await parted(), [[c.id, a.id]]);
    await story.store.redo(story.key, b.id);
    await story.store.redo(story.key, merged.id);
    assert.deepEqual(await parted(), []);
    assert.deepEqual((await story.view(BRANCH)).parted, []);
  }),
];
