import assert from 'node:assert/strict';
import { type Lane, laneKey, ROOT_LANE } from '../../event/lane.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, call, INNER, result, SIBLING, type Story, TASK, TASK_BRANCH } from './story.ts';

const ALL: readonly Lane[] = [ROOT_LANE, BRANCH, INNER, SIBLING, TASK, TASK_BRANCH];

/** Two events in every lane: seqs 1 and 7 in the root lane, 2 and 8 in the branch, and so on. */
async function everywhere(story: Story): Promise<void> {
  await story.append(...[...ALL, ...ALL].map((lane) => ({ role: 'user' as const, content: 'x', lane })));
}

/** Views: what is in scope, what is raw in it, and that it adds up. */
export const viewCases: readonly ContractCase[] = [
  contractCase('shows a lane its own events', async (story) => {
    await everywhere(story);
    for (const [at, lane] of ALL.entries()) {
      const view = await story.view(lane, 'lane');
      assert.deepEqual(
        view.raw.map((row) => row.event.seq),
        [at + 1, at + 7],
      );
      assert.deepEqual([view.scope, view.lane, view.total.events], ['lane', lane, 2]);
    }
  }),

  contractCase('shows a reader its lane and its ancestors, and the root every branch', async (story) => {
    await everywhere(story);
    assert.deepEqual(await story.rawSeqs(INNER), [1, 2, 3, 7, 8, 9]);
    assert.deepEqual(await story.rawSeqs(SIBLING), [1, 4, 7, 10]);
    assert.deepEqual(await story.rawSeqs(ROOT_LANE), [1, 2, 3, 4, 7, 8, 9, 10]);
    assert.deepEqual(await story.rawSeqs(TASK), [5, 6, 11, 12]);
    assert.deepEqual(await story.rawSeqs(TASK_BRANCH), [5, 6, 11, 12]);
    assert.deepEqual(await story.rawSeqs({ branch: 'ab', isolation: '' }), [1, 7]);
    assert.deepEqual(await story.rawSeqs({ branch: '', isolation: 'other' }), []);
  }),

  contractCase('shows what a lane record covers to nobody, and to no other lane', async (story) => {
    await everywhere(story);
    const record = await story.compact({ lane: BRANCH, seqs: [2] });
    assert.deepEqual(await story.rawSeqs(BRANCH, 'lane'), [8]);
    assert.deepEqual(await story.rawSeqs(INNER), [1, 3, 7, 8, 9]);
    assert.deepEqual(await story.rawSeqs(ROOT_LANE), [1, 3, 4, 7, 8, 9, 10]);
    assert.deepEqual(await story.rawSeqs(SIBLING), [1, 4, 7, 10]);
    for (const [lane, ids] of [
      [BRANCH, [record.id]],
      [INNER, [record.id]],
      [ROOT_LANE, [record.id]],
      [SIBLING, []],
      [TASK, []],
    ] as const) {
      assert.deepEqual(await story.recordIds(lane), ids);
    }
  }),

  contractCase('shows a root view at the root of its isolation only', async (story) => {
    await everywhere(story);
    const record = await story.compact({ rootView: true, seqs: [1, 2, 3] });
    assert.deepEqual(await story.rawSeqs(ROOT_LANE), [4, 7, 8, 9, 10]);
    assert.deepEqual(await story.recordIds(ROOT_LANE), [record.id]);
    for (const lane of [BRANCH, INNER, TASK]) assert.deepEqual(await story.recordIds(lane), []);
    assert.deepEqual(await story.rawSeqs(ROOT_LANE, 'lane'), [1, 7]);
    const branch = await story.view(BRANCH, 'lane');
    assert.deepEqual(
      branch.raw.map((row) => [row.event.seq, row.under]),
      [
        [2, record.id],
        [8, null],
      ],
    );
    for (const row of (await story.view(ROOT_LANE)).raw) assert.equal(row.under, null);
  }),

  contractCase(
    'hides a lane record inside a live root view from the root, and from nobody else',
    async (story) => {
      await everywhere(story);
      const lane = await story.compact({ lane: BRANCH, seqs: [2] });
      const outside = await story.compact({ lane: BRANCH, seqs: [8] });
      const view = await story.compact({ rootView: true, seqs: [1, 2, 3] });
      assert.deepEqual(await story.recordIds(ROOT_LANE), [view.id, outside.id]);
      assert.deepEqual(await story.recordIds(BRANCH), [lane.id, outside.id]);
      await story.store.undo(story.key, view.id);
      assert.deepEqual(await story.recordIds(ROOT_LANE), [lane.id, outside.id]);
      assert.deepEqual(await story.rawSeqs(ROOT_LANE), [1, 3, 4, 7, 9, 10]);
    },
  ),

  contractCase('orders records by the first event they cover', async (story) => {
    await story.fill(6);
    const late = await story.compact({ seqs: [4, 5] });
    const early = await story.compact({ seqs: [1, 2] });
    const view = await story.view();
    assert.deepEqual(
      view.records.map((entry) => [entry.record.id, entry.firstSeq, entry.lastSeq, entry.covers.events]),
      [
        [early.id, 1, 2, 2],
        [late.id, 4, 5, 2],
      ],
    );
  }),

  contractCase('recovers the covered events of an exchange that has a raw one', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c'), call('d')], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
      { role: 'user', content: 'x', invocation: 'j' },
    );
    await story.compact({ seqs: [1, 2, 3] });
    await story.append({ role: 'tool', content: [result('d')], invocation: 'k' });
    const view = await story.view();
    assert.deepEqual(
      view.raw.map((row) => row.event.seq),
      [4],
    );
    assert.deepEqual(
      view.recovered.map((row) => row.event.seq),
      [1, 2],
    );
    assert.deepEqual(view.exchanges.get(1)?.members, [1, 2, 4]);
    assert.deepEqual([...view.exchanges.keys()], [1]);
    assert.deepEqual([...view.invocations.keys()], ['k']);
  }),

  contractCase('recovers for a reader only what it may see', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c'), call('d')], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i', lane: BRANCH },
      { role: 'tool', content: [result('d')], invocation: 'i', lane: SIBLING },
    );
    await story.compact({ lane: BRANCH, seqs: [2] });
    await story.compact({ seqs: [1] });
    const seen = async (lane: Lane): Promise<readonly (readonly number[])[]> => {
      const view = await story.view(lane);
      return [view.raw.map((row) => row.event.seq), view.recovered.map((row) => row.event.seq)];
    };
    assert.deepEqual(await seen(SIBLING), [[3], [1]]);
    assert.deepEqual(await seen(ROOT_LANE), [[3], [1, 2]]);
    assert.deepEqual(await seen(BRANCH), [[], []]);
  }),

  contractCase('lists what is owed by covered events: the newest twenty, and how many', async (story) => {
    const ask = (id: string) => ({ kind: 'confirmation', id, call: '' }) as const;
    const drafts = Array.from({ length: 25 }, (_, at) => ({
      role: 'assistant' as const,
      content: [call(`c${at}`), call(`long${at}`)],
      longRunning: [`long${at}`],
      asks: [ask(`q${at}`)],
    }));
    await story.append(...drafts, { role: 'assistant', content: 'x', asks: [ask('raw')] });
    assert.deepEqual((await story.view()).parked, { newest: [], total: 0 });
    await story.compact({ seqs: Array.from({ length: 25 }, (_, at) => at + 1) });
    await story.append({ role: 'user', content: 'yes', answers: ['q24'] });
    const { parked } = await story.view();
    // An answer makes the ask's exchange raw again, but not the event that asked.
    assert.equal(parked.total, 49);
    assert.equal(parked.newest.length, 20);
    assert.deepEqual(
      parked.newest.slice(-3).map((owed) => owed.id),
      ['long23', 'q23', 'long24'],
    );
    assert.deepEqual((await story.view(BRANCH, 'lane')).parked, { newest: [], total: 0 });
    assert.equal((await story.view(BRANCH, 'reader')).parked.total, 49);
  }),

  contractCase('adds up: covered and raw are all there is in scope', async (story) => {
    await everywhere(story);
    await story.compact({ lane: BRANCH, seqs: [2, 8] });
    await story.compact({ rootView: true, seqs: [1, 3] });
    await story.store.pin(story.key, 8, true);
    for (const lane of ALL) {
      for (const scope of ['lane', 'reader'] as const) {
        const view = await story.view(lane, scope);
        const covered = view.records.reduce((sum, entry) => sum + entry.covers.events, 0);
        const coveredTokens = view.records.reduce((sum, entry) => sum + entry.covers.tokens, 0);
        const tokens = view.raw.reduce((sum, row) => sum + row.event.tokens, 0);
        assert.deepEqual(view.total, { events: covered + view.raw.length, tokens: coveredTokens + tokens });
      }
    }
  }),

  contractCase('knows the lanes of its raw events and of its records, and its own', async (story) => {
    await story.append(
      { role: 'system', content: 'be brief', lane: BRANCH },
      { role: 'user', content: 'a', lane: BRANCH },
      { role: 'assistant', content: 'b', lane: SIBLING },
    );
    const { lanes } = await story.view();
    assert.deepEqual(
      [...lanes.keys()].sort(),
      [ROOT_LANE, BRANCH, SIBLING].map((lane) => laneKey(lane)).sort(),
    );
    assert.deepEqual(lanes.get(laneKey(BRANCH)), { lane: BRANCH, revision: 1, firstUserSeq: 2 });
    assert.equal(lanes.get(laneKey(SIBLING))?.firstUserSeq, null);
    await story.compact({ lane: BRANCH });
    const later = await story.view();
    assert.equal(
      later.raw.some((row) => row.event.lane.branch === BRANCH.branch),
      false,
    );
    assert.equal(later.lanes.get(laneKey(BRANCH))?.revision, 2);
    assert.equal((await story.view(BRANCH, 'lane')).lanes.get(laneKey(BRANCH))?.revision, 2);
  }),

  contractCase('is a value that later appends do not change', async (story) => {
    await story.fill(3);
    const before = await story.view();
    const copy = JSON.stringify(before.raw);
    await story.compact({ seqs: [1, 2] });
    await story.store.pin(story.key, 3, true);
    await story.fill(2);
    assert.equal(JSON.stringify(before.raw), copy);
    assert.equal(before.through.seq, 3);
    assert.deepEqual(before.total.events, 3);
  }),

  contractCase('says how far the session goes, in any lane', async (story) => {
    await everywhere(story);
    const last = await story.add({ lane: TASK });
    assert.deepEqual((await story.view(BRANCH, 'lane')).through, { seq: last.seq, id: last.id });
  }),
];
